# SPDX-License-Identifier: MIT
# Reads and writes the golden cases: . "$srcdir/tests/cli/cases.sh". A file of tests/cli/cases without a dot in its name
# is a script of cases on one topic:
#
#   # A comment, which says what the topic is.
#
#   === NAME [slow] [status N]
#   a shell script
#   --- stdout
#   what it must print there, byte for byte
#   --- stderr
#   the same
#
#   === the next case
#
# Without --- stdout it must print nothing there. The empty line before === belongs to no case. What is not plain text
# or is very long is in a file next to the scripts, and the line says so: --- stdout in NAME.stdout
# shellcheck shell=sh

# unpack_cases FOLDER: makes FOLDER with a folder for each case: cmd; stdout, stderr and status if there is any; and slow.
unpack_cases() {
    mkdir "$1" && (
        cd "$1" || exit
        set --
        for script in "$srcdir"/tests/cli/cases/*; do
            case ${script##*/} in *.*) ;; *) set -- "$@" "$script" ;; esac
        done
        # A name that two cases have is refused here.
        sed -n 's/^=== \([^ ]*\).*/\1/p' "$@" | xargs mkdir && awk '
            function fail(text) {
                print FILENAME ":" FNR ": " text >"/dev/stderr"
                failed = 1
                exit 1
            }
            function to(name) {
                if (file) close(file)
                file = name
                if (name) printf "" >name
            }
            function write_line(text) {
                if (!file) fail("this is after the name of a file that has the output")
                print text >file
            }
            function write_blank() {
                if (blank) write_line("")
                blank = 0
            }
            FNR == 1 {
                write_blank()
                to("")
                name = ""
            }
            /^===/ {
                if ($1 != "===" || $2 !~ /^[a-z0-9-]+$/) fail("the name of a case is of a-z, 0-9 and -")
                blank = 0
                name = $2
                for (i = 3; i <= NF; i++)
                    if ($i == "slow")
                        to(name "/slow")
                    else if ($i == "status" && $(i + 1) ~ /^[1-9][0-9]*$/) {
                        to(name "/status")
                        print $(++i) >file
                    } else
                        fail("a case is marked with slow and with status N")
                to(name "/cmd")
                next
            }
            !name && !/^(#|$)/ { fail("this is before the first case") }
            !name { next }
            /^---/ {
                write_blank()
                if ($0 != "--- stdout" && $0 != "--- stderr" && $0 != "--- " $2 " in " name "." $2)
                    fail("--- is followed by stdout or stderr, and in FILE")
                if (NF > 2) print $4 >"../beside"
                to(NF > 2 ? "" : name "/" $2)
                next
            }
            {
                write_blank()
                if ($0 == "") blank = 1
                else write_line($0)
            }
            END { if (!failed) write_blank() }' "$@" && fetch_files
    )
}

# fetch_files: copies the files next to the scripts, which are those that the scripts name.
fetch_files() {
    for beside in "$srcdir"/tests/cli/cases/*.*; do
        [ ! -e "$beside" ] || echo "${beside##*/}"
    done | sort >../found
    sort ../beside 2>/dev/null | diff - ../found >&2 || {
        echo "The files next to the scripts are not those that the scripts name." >&2
        return 1
    }
    while IFS= read -r file; do
        cp "$srcdir/tests/cli/cases/$file" "${file%.*}/${file##*.}" || return
    done <../found
    rm -f ../beside ../found
}

# is_plain FILE: it can stand in a script.
is_plain() {
    [ "$(wc -l <"$1")" -le 250 ] && [ -z "$(tail -c 1 "$1")" ] && [ "$(tr -d '\n\t -~\200-\377' <"$1" | wc -c)" -eq 0 ] &&
        iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1 && ! grep -q '^\(===\|---\)' "$1"
}

# pack_case FOLDER NAME: prints the case as it stands in a script, and writes the files next to it.
pack_case() {
    printf '=== %s' "$2"
    [ ! -e "$1/$2/slow" ] || printf ' slow'
    [ ! -e "$1/$2/status" ] || printf ' status %s' "$(cat "$1/$2/status")"
    echo
    cat "$1/$2/cmd"
    for stream in stdout stderr; do
        beside=$srcdir/tests/cli/cases/$2.$stream
        if [ ! -s "$1/$2/$stream" ]; then
            rm -f "$beside"
        elif is_plain "$1/$2/$stream"; then
            echo "--- $stream"
            cat "$1/$2/$stream"
            rm -f "$beside"
        else
            echo "--- $stream in $2.$stream"
            cmp -s "$1/$2/$stream" "$beside" || cp "$1/$2/$stream" "$beside"
        fi
    done
}

# pack_cases FOLDER: the scripts become what is in the folder that unpack_cases made.
pack_cases() {
    for script in "$srcdir"/tests/cli/cases/*; do
        case ${script##*/} in *.*) continue ;; esac
        {
            sed '/^===/,$d' "$script"
            between=
            for name in $(sed -n 's/^=== \([^ ]*\).*/\1/p' "$script"); do
                printf '%s' "$between"
                pack_case "$1" "$name"
                between='
'
            done
        } >"$1.packed"
        cmp -s "$1.packed" "$script" || cat "$1.packed" >"$script"
        rm -f "$1.packed"
    done
}
