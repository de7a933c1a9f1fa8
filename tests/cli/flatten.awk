# SPDX-License-Identifier: MIT
# Converts JSON with one member a line, as jansson indents it, to lines "PATH VALUE".
{
    sub(/^ +/, "")
    sub(/,$/, "")
}
/^[]}]/ { depth--; next }
{
    if (match($0, /^"[^"]*": /)) {
        key = substr($0, 2, RLENGTH - 4)
        rest = substr($0, RLENGTH + 1)
    } else {
        key = number[depth]++
        rest = $0
    }
    here = depth > 1 ? path[depth - 1] "." key : key
    if (rest == "{" || rest == "[") {
        path[depth] = here
        number[++depth] = 0
    } else {
        if (rest ~ /^"[0-9]+"$/) # a number too large for JSON's integers
            rest = substr(rest, 2, length(rest) - 2)
        if (rest ~ /^[0-9]+\.[0-9]+$/)
            rest = sprintf(here ~ /gini/ ? "%.4f" : "%.2f", rest) # with the decimals that the document rounds to
        print here, rest
    }
}
