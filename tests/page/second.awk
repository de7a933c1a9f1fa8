# SPDX-License-Identifier: MIT
# Computes the series of the page a second time, from the rows of --lifetimes, and compares them with
# those in the page: awk -f second.awk LIFETIMES PAGE. Prints what differs. Numbers of awk are exact
# up to 2^53; sums are compared as they are.

function wrong(what) { if (faults++ < 20) print what; failed = 1 }
function equal(what, said, wanted) { if (said + 0 != wanted + 0) wrong(what ": " said ", and not " wanted) }

# Takes the brackets off, and splits by commas.
function numbers(text, into) { gsub(/[\]\[{}]/, "", text); sub(/,$/, "", text); return split(text, into, ",") }
function value(key) { match(text, "\"" key "\":[0-9]+"); return substr(text, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0 }
# The lists of a member whose items stand on lines of their own, as text.
function member(key,   from, end) {
    from = index(text, "\"" key "\":[") + length(key) + 4
    end = index(substr(text, from), ",\n\"")
    return substr(text, from, end - 1)
}

FNR == NR && FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
FNR == NR {
    n++
    size[n] = $at["size"]; born[n] = $at["alloc_bytes"]; dead[n] = $at["death_bytes"]
    last[n] = $at["last_use_bytes"]; cause[n] = $at["cause"]; method[n] = $at["method"]
    drag[n] = $at["drag_bytes"]
    all += size[n]
    next
}
/<script type="application\/json"/ { sub(/.*id="data">/, ""); inside = 1 }
inside { text = text $0 "\n" }
/<\/script>/ { inside = 0 }

# Whether object i is alive when x bytes are allocated.
function lives(i, x) { return born[i] <= x && (dead[i] == "" || x < dead[i]) }

function check_moments(   m, i, j, x, live, age, band, count, from, rows, rest) {
    equal("bytes", value("bytes"), all)
    count = value("moments"); step = value("step")
    bands = numbers(member("ageFrom"), from)
    for (j = 1; j <= bands; j++) {
        split(member("ages"), rows, "\n")
        numbers(rows[j], ages_row)
        for (m = 1; m <= count; m++) ages[j, m] = ages_row[m]
    }
    split(member("phases"), rows, "\n")
    for (j = 1; j <= 3; j++) {
        numbers(rows[j], ages_row)
        for (m = 1; m <= count; m++) phases[j, m] = ages_row[m]
    }
    # Few of the moments: what is alive at each is looked for among all objects.
    for (m = 1; m <= count; m += (m < count && m + every > count ? count - m : every)) {
        x = m < count ? (m - 1) * step : all
        split("", band_sum); used = 0
        for (i = 1; i <= n; i++) {
            if (!lives(i, x)) continue
            age = x - born[i]
            for (j = bands; from[j] + 0 > age; j--);
            band_sum[j] += size[i]
            if (x < last[i]) used += size[i]
        }
        for (j = 1; j <= bands; j++) equal("ages at " x " from " from[j], ages[j, m], band_sum[j])
        live = 0
        for (j = 1; j <= bands; j++) live += ages[j, m]
        equal("phases at " x, phases[1, m] + phases[2, m] + phases[3, m], live)
        # What is never used seems to be, in the table, until the tick of its allocation ends.
        if (phases[1, m] > used || phases[1, m] + phases[3, m] < used)
            wrong("in use at " x ": " phases[1, m] ", and not " used)
    }
}

function check_curves(key, is_nursery,   rows, count, k, f, i, x, lived, eligible, kept, objects, kept_objects) {
    count = split(member(key), rows, /\],\[/)
    for (k = 1; k <= count; k += is_nursery ? 1 : few) {
        if (numbers(rows[k], f) < 5) continue
        x = f[1] + 0; eligible = kept = objects = kept_objects = 0
        for (i = 1; i <= n; i++) {
            if (is_nursery) {
                collected = int((born[i] + x - 1) / x) * x
                if (collected > all) continue
                lived = dead[i] == "" || dead[i] > collected
            } else {
                if (all - born[i] < x) continue
                lived = dead[i] == "" || dead[i] - born[i] >= x
            }
            eligible += size[i]; objects++
            if (lived) { kept += size[i]; kept_objects++ }
        }
        equal(key " " x " eligible", f[2], eligible); equal(key " " x " kept", f[3], kept)
        equal(key " " x " objects", f[4], objects); equal(key " " x " objects kept", f[5], kept_objects)
    }
}

function check_sums(   rows, count, k, f, i) {
    for (i = 1; i <= n; i++) { by_cause[cause[i]] += size[i]; objects_by_cause[cause[i]]++ }
    count = split(member("causes"), rows, /\],\[/)
    for (k = 1; k <= count; k++) {
        numbers(rows[k], f)
        gsub(/"/, "", f[1])
        equal("cause " f[1], f[2], by_cause[f[1]]); equal("cause " f[1] " objects", f[3], objects_by_cause[f[1]])
    }
    for (i = 1; i <= n; i++) {
        class = dead[i] == "" ? 4 : dead[i] - born[i] < 1048576 ? 2 : 3
        site[method[i], class] += size[i]
        site_drag[method[i], class] += size[i] * drag[i]
    }
    check_sites("sitesByBytes", site); check_sites("sitesByDrag", site_drag)
}
function check_sites(key, sums,   rows, count, k, f, j) {
    count = split(member(key), rows, /\],?\n\[/)
    for (k = 1; k <= count; k++) {
        if (numbers(rows[k], f) < 4) continue
        gsub(/[" \n]/, "", f[1])
        if (f[1] == "(none)") f[1] = ""
        for (j = 2; j <= 4; j++) equal(key " of " f[1], f[j], sums[f[1], j])
    }
}

END {
    if (!every) every = 1
    if (!few) few = 1
    check_moments()
    check_curves("survival", 0)
    check_curves("nurseries", 1)
    check_sums()
    exit failed || n == 0
}
