#!/usr/bin/env bash
# What ClusterFuzzLite runs: every target, its first inputs and its dictionary, in $OUT.
#
# Without its container: SRC=… OUT=… SANITIZER=none .clusterfuzzlite/build.sh, where $SRC/worldlines is the repository.
set -euo pipefail
cd "${SRC:?}/worldlines"
: "${OUT:?}"

flags=(-O --debug-assertions)
# The container compiles for each of its sanitizers by itself; without one the stable toolchain is enough.
[ "${SANITIZER:-}" != none ] || flags+=(--sanitizer none)
export CARGO_PROFILE_RELEASE_DEBUG=line-tables-only
cargo fuzz build "${flags[@]}" worldlines-fuzz

triple=$(rustc -vV | sed -n 's/^host: //p')
built=${CARGO_TARGET_DIR:-target}/$triple/release

# The command is an ordinary program: without the flags that are meant for targets.
tool() { env -u RUSTFLAGS -u CFLAGS -u CXXFLAGS cargo run --locked --quiet -p worldlines-fuzz -- "$@"; }
seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
tool seeds "$seeds"
for target in $(cargo fuzz list); do
    # One program holds all targets, is linked once, and is the target whose name it has.
    cp "$built/worldlines-fuzz" "$OUT/$target"
    (cd "$seeds/$target" && zip --quiet --recurse-paths "$OUT/${target}_seed_corpus.zip" .)
    printf '[libfuzzer]\nmax_len = 8192\ntimeout = 30\n' >"$OUT/$target.options"
    dictionary=$(tool dictionary "$target")
    if [ -n "$dictionary" ]; then
        cp "$dictionary" "$OUT/$target.dict"
        printf 'dict = %s.dict\n' "$target" >>"$OUT/$target.options"
    fi
done
