# SPDX-License-Identifier: MIT
# Converts records so that those of two runs can be compared: . "$srcdir/tests/tracer/normal.sh" (after tracer.sh)
# shellcheck shell=sh
ETTRACE_EVERY_USE=1 # which of them say nothing new depends on other threads
export ETTRACE_EVERY_USE
cat >"${work:?}/normal.awk" <<'END'
# Prints the records of a thread about the classes of the program, with names instead of numbers: an object is its class
# and the number of objects of that class before it. Records of variables that hold objects are left out, since at the
# level stores they depend on the clock, unless `exact` is 1, and then those of the threads themselves: which of them
# initializes something in the JDK depends on chance. If `named_only` is 1, prints in place of uses which objects the
# records name between two allocations or boundaries, each once: the same where uses that say nothing new are left out.
function name(id) {
    if (!id)
        return 0
    if (!(id in named))
        named[id] = type[id] "#" ++count[type[id]]
    return named[id]
}
function is_own(what) { return what ~ /^\[*L?Ids/ }
function is_node(id) { return id && is_own(type[id]) && type[id] != "Ids$Work" }
function note(id) {
    if (named_only && is_node(id) && noted[id] != interval) {
        noted[id] = interval
        print interval, "names", name(id)
    }
}
FILENAME ~ /class_list$/ { if (split($0, part, ",") > 1) class[part[1]] = part[2]; next }
FILENAME ~ /field_list$/ { if (split($0, part, ",") > 1) field[part[1]] = class[part[2]] "." part[3]; next }
FILENAME ~ /method_list$/ { if (split($0, part, ",") > 1) method[part[1]] = class[part[2]] "." part[3]; next }
$1 ~ /^[NAP]$/ { type[$2] = class[$4] }
$NF != thread { next }
$1 ~ /^[NA]$/ && is_own(class[$4]) || $1 ~ /^[MEX]$/ && is_own(method[$2]) { interval++ }
$1 == "W" { note($2) }
$1 == "U" { note($2); note($3) }
$1 == "M" || $1 == "X" { note($3) }
$1 ~ /^[NA]$/ && is_own(class[$4]) { print $1, name($2), $3, $6 }
$1 ~ /^[ME]$/ && is_own(method[$2]) { print $1, method[$2], $1 == "M" ? name($3) : "" }
$1 == "U" && $4 < 1000000 && is_own(field[$4]) { print "U", name($2), name($3), field[$4] }
$1 == "U" && $4 >= 1000000 && is_own(type[$2]) { print "U", name($2), name($3), $4 }
$1 == "W" && !named_only && ($3 ? is_own(type[$2]) : exact && is_node($2)) { print "W", name($2), class[$3] }
END

# normal NAME [OPTION...]: writes the records of the threads of class Ids.Work to NAME.1 and NAME.2, with options of awk.
normal() {
    traced=$1
    shift
    type=$(awk -F, '$2 == "Ids$Work" { print $1 }' "$work/$traced.names/class_list")
    awk -v type="$type" '$1 == "N" && $4 == type { print $2 }' "$work/$traced.trace" >"$work/threads"
    number=0
    while read -r thread; do
        number=$((number + 1))
        awk -v thread="$thread" "$@" -f "$work/normal.awk" "$work/$traced.names/class_list" "$work/$traced.names/field_list" \
            "$work/$traced.names/method_list" "$work/$traced.trace" >"$work/$traced.$number"
    done <"$work/threads"
    [ "$number" -eq 2 ]
}
