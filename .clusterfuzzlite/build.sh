#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the fuzz targets with $CC, $CFLAGS and $LIB_FUZZING_ENGINE, linked by $CXX, into $OUT: each with a zip
# of its seeds and its dictionary, and with the libraries that it needs, which are not where it runs.
set -eu
[ -x configure ] || autoreconf -i
mkdir -p "$WORK/build" "$OUT/lib"
source=$(pwd)
targets=$(sed 's/#.*//; s/ .*//' tests/fuzz/targets)
(
    cd "$WORK/build"
    "$source/configure" --without-tracer CC="$CC" CFLAGS="$CFLAGS" LIB_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
    # shellcheck disable=SC2046,SC2086,SC2016 # names are words; make and the linker expand the rest
    make -j "$(nproc)" CCLD="$CXX" LDFLAGS='-Wl,--disable-new-dtags,-rpath,\$$ORIGIN/lib' $(printf 'fuzz_%s ' $targets)
)
for target in $targets; do
    program=$WORK/build/fuzz_$target
    cp "$program" "$OUT"
    ldd "$program" | awk '$3 ~ /^\// && $1 !~ /^(libc|libm|libdl|libpthread|librt|libgcc_s)\./ { print $3 }' |
        while IFS= read -r library; do cp -L "$library" "$OUT/lib"; done
    [ ! -e "tests/fuzz/$target.dict" ] || cp "tests/fuzz/$target.dict" "$OUT/fuzz_$target.dict"
    tests/fuzz/seeds unpack "$target" "$WORK/seeds/$target"
    # shellcheck disable=SC2046 # folders are words
    find $(sed -n "s/^$target //p" tests/fuzz/targets) "$WORK/seeds/$target" -type f | LC_ALL=C sort |
        zip -q -@ "$OUT/fuzz_${target}_seed_corpus.zip"
done
