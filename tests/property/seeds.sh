# SPDX-License-Identifier: MIT
# What tests on random traces share: . "$srcdir/tests/property/seeds.sh"
# shellcheck shell=sh
# shellcheck source=tests/cli/memory.sh
. "${srcdir:?}/tests/cli/memory.sh"
# shellcheck source=tests/cli/tap.sh
. "$srcdir/tests/cli/tap.sh"

# The ids of random traces do not show in which order the fields of an update are.
etmerlin() {
    "$builddir/etmerlin" --update-order=container "$@"
}

# choose_seeds COUNT [SHARE]: sets `seed` and `count`, the number of the first random trace and how many there are:
# COUNT from 1 on; with $LONG those after them, as many as it says, or a SHARE-th of that. $SEED and $COUNT take
# precedence.
choose_seeds() {
    seed=1 count=$1
    [ -z "$LONG" ] || seed=$(($1 + 1)) count=$(((LONG - 1) / ${2:-1} + 1))
    seed=${SEED:-$seed} count=${COUNT:-$count}
    [ "$count" -gt 0 ] || {
        echo 'Bail out! No random trace would be tested: see $LONG and $COUNT.'
        exit 1
    }
}

# each_seed COMMAND...: runs the command with the number of each trace; prints those for which it fails, with the
# beginning of its output.
each_seed() {
    seeds_from "$seed" 1 "$@"
}

# seeds_from FIRST STEP COMMAND...: the same for every STEP-th trace from FIRST on.
seeds_from() {
    seed_at=$1 seed_step=$2 seeds_failed=0
    shift 2
    while [ "$seed_at" -lt $((seed + count)) ]; do
        "$@" "$seed_at" >"$work/seed.log" 2>&1 || {
            echo "fails: SEED=$seed_at COUNT=1 $0"
            head -n 10 "$work/seed.log"
            seeds_failed=1
        }
        seed_at=$((seed_at + seed_step))
    done
    return $seeds_failed
}

# each_assumption COMMAND: makes a test for each combination of the assumptions `held`, `unallocated` and `end`, which
# runs the command on every twelfth trace.
each_assumption() {
    first=$seed
    for held in receiver none frame; do
        for unallocated in last-use immortal; do
            for end in none die; do
                check "held by $held, unallocated: $unallocated, at the end: $end" seeds_from "$first" 12 "$1"
                first=$((first + 1))
            done
        done
    done
}
