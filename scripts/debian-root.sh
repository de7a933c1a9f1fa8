# SPDX-License-Identifier: MIT
# Makes Debian systems with debootstrap, for scripts that need another system than this one: . scripts/debian-root.sh
# Before that, the script sets $job to the word with which its lines of output begin. $MIRROR is the mirror; $suite is
# $SUITE or bookworm; $ROOTS is a folder with fresh systems (bookworm, trixie), which are copied. It makes the folder
# $work, which is removed at the end, and in it $results for logs.
# shellcheck shell=sh
suite=${SUITE:-bookworm}
mirror=${MIRROR:-http://deb.debian.org/debian}
roots=

# skip REASON: ends the script with status 77, since it cannot work here.
skip() {
    echo "${job:?}: skipped: $1"
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip 'debootstrap and chroot need root.'
[ -n "${ROOTS-}" ] || command -v debootstrap >/dev/null || skip 'debootstrap is missing (apt-get install debootstrap).'

start=$(date +%s)
work=$(mktemp -d "/var/tmp/etmerlin-$job.XXXXXX")
results=$work/results
mkdir "$results"

# Unmounts everything first, since the removal of a root must not reach into mounted file systems.
clean_up() {
    for root in $roots; do
        for place in proc dev/shm dev/pts .; do
            ! mountpoint -q "$work/$root/$place" || umount "$work/$root/$place" ||
                umount --lazy "$work/$root/$place" # a program is still in it
        done
    done
    rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

# step TEXT: prints the name of the step that begins, with the seconds since the start.
step() {
    printf '%4d s: %s\n' $(($(date +%s) - start)) "$1"
}

# logged NAME COMMAND...: runs the command with its output in NAME.log. If it fails, shows the end of the log and ends
# the script.
logged() {
    log=$results/$1.log
    shift
    "$@" >"$log" 2>&1 && return
    tail -n 40 "$log"
    echo "$job: FAILED: $*"
    exit 1
}

# inside ROOT COMMAND...: runs the command in that Debian, as root, for at most 20 minutes.
inside() {
    inside_root=$work/$1
    shift
    env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive timeout -k 20 1200 /usr/sbin/chroot "$inside_root" "$@" </dev/null
}

# install ROOT PACKAGE...: installs packages with their dependencies.
install() {
    install_root=$1
    shift
    inside "$install_root" apt-get -q -y --no-install-recommends install "$@"
}

# make_base SUITE: makes a fresh Debian of the suite, if there is none yet; from now on make_root copies it.
make_base() {
    base=${ROOTS:-$work}/$1
    [ -d "$base" ] || base=$work/$1
    [ ! -d "$base" ] || return 0
    step "debootstrap of $1 from $mirror"
    printf 'timeout = 30\ntries = 5\n' >"$work/wgetrc" # wget waits for a quarter of an hour
    WGETRC=$work/wgetrc
    export WGETRC
    debootstrap --variant=minbase "$1" "$base" "$mirror" >"$results/debootstrap-$1.log" 2>&1 ||
        skip "debootstrap makes no $1 from $mirror here: $(tail -n 1 "$results/debootstrap-$1.log")"
}

# make_root NAME: makes a Debian, as a copy of the latest base, in which no service starts. dpkg does not synchronize
# its files, since they need not survive a crash. The folder is mounted on itself, since tests can make namespaces only
# in a root that is a mount.
make_root() {
    cp -a "$base" "$work/$1"
    roots="$roots $1"
    printf '#!/bin/sh\nexit 101\n' >"$work/$1/usr/sbin/policy-rc.d"
    chmod +x "$work/$1/usr/sbin/policy-rc.d"
    echo force-unsafe-io >"$work/$1/etc/dpkg/dpkg.cfg.d/unsafe-io"
    cp /etc/resolv.conf "$work/$1/etc/resolv.conf"
    mkdir -p "$work/$1/dev/shm" "$work/$1/dev/pts"
    { mount --bind "$work/$1" "$work/$1" && mount -t proc proc "$work/$1/proc" &&
        mount -t tmpfs tmpfs "$work/$1/dev/shm" &&
        mount -t devpts -o newinstance,ptmxmode=666 devpts "$work/$1/dev/pts"; } ||
        skip 'nothing can be mounted here.'
    logged "apt-$1" inside "$1" apt-get -q update
}
