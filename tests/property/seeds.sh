# SPDX-License-Identifier: MIT
# What tests on random traces share: . "$srcdir/tests/property/seeds.sh"
# shellcheck shell=sh
# shellcheck source=tests/cli/tap.sh
. "${srcdir:?}/tests/cli/tap.sh"

# Ids of random traces are such that the order of an update's fields cannot be seen.
etmerlin() {
    "$builddir/etmerlin" --update-order=container "$@"
}

# choose_seeds COUNT [SHARE]: sets `seed` and `count`, the first random trace and how many: COUNT from number 1 on;
# with $LONG those after them, up to that one, or to a SHARE-th of it; else as $SEED and $COUNT say.
choose_seeds() {
    seed=1 count=$1
    [ -z "$LONG" ] || seed=$(($1 + 1)) count=$((LONG / ${2:-1} - $1))
    seed=${SEED:-$seed} count=${COUNT:-$count}
}

# each_seed COMMAND...: runs the command with the number of each trace; prints for which ones it fails, and what it
# printed.
each_seed() {
    seeds_from "$seed" 1 "$@"
}

# seeds_from FIRST STEP COMMAND...: the same of some of them.
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

# each_assumption COMMAND: a test for each combination of assumptions, `held`, `unallocated` and `end`, of the
# command on every twelfth trace.
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
