# SPDX-License-Identifier: MIT
# Computes the series of the page once more, from the rows of --lifetimes, and compares them with those in
# the page: awk -f second.awk LIFETIMES PAGE. Prints what differs. Numbers of awk are exact up to 2^53; sums
# are compared exactly.

function wrong(what) { if (faults++ < 20) print what; failed = 1 }
function equal(what, said, wanted) { if (said + 0 != wanted + 0) wrong(what ": " said ", and not " wanted) }

# Removes the brackets, and splits the text at commas; returns the number of parts.
function numbers(text, into) { gsub(/[\]\[{}]/, "", text); sub(/,$/, "", text); return split(text, into, ",") }
# Splits the first table `key` in a part of the data into its rows, as text; returns their number. `columns` gets the
# columns of the table.
function rows_in(part, key, into,   from) {
    from = index(part, "\"" key "\": {\"columns\":[")
    if (!from) { wrong("no table " key); return 0 }
    part = substr(part, from)
    part = substr(part, 1, index(part, "]}"))
    columns = part
    sub(/^[^\[]*\[/, "", columns); sub(/\].*/, "", columns); gsub(/"/, "", columns)
    part = substr(part, index(part, "\"rows\":[") + 8)
    return part == "]" ? 0 : split(part, into, /\],\n/)
}
# The same for all data; the table must have the columns `wanted`.
function rows_of(key, wanted, into,   count) {
    count = rows_in(text, key, into)
    if (columns != wanted) wrong(key ": the columns " columns ", and not " wanted)
    return count
}

FNR == NR && FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
FNR == NR {
    if ($at["kind"] ~ /[IP]/) {
        priors++
        prior_gone[priors] = $at["death_time"]; prior_size[priors] = $at["size"]; prior_dead[priors] = $at["death_bytes"]
        before += $at["size"]
        next
    }
    n++
    size[n] = $at["size"]; born[n] = $at["alloc_bytes"]; dead[n] = $at["death_bytes"]
    last[n] = $at["last_use_bytes"]; cause[n] = $at["cause"]; method[n] = $at["method"]
    made[n] = $at["alloc_time"]; gone[n] = $at["death_time"];
    group[n] = $at["group"]; cycle[n] = $at["group_cycle"]
    killer[n] = $at["death_method"]; outlived[n] = $at["frames_outlived"]; shared[n] = $at["shared"]
    type[n] = $at["type"]; died[n] = $at["death_time"] != ""
    # An object that died before its last use has no drag; the drag of one that is alive lasts to the end.
    has_drag[n] = $at["drag_bytes"] != ""
    all += size[n]
    next
}
/<script type="application\/json"/ { sub(/.*id="(stats|data)">/, ""); inside = 1 }
inside { text = text $0 "\n" }
# The figures of the statistics and of the page's data, by path; the items of lists are numbered.
inside && /^    {$/ { name[2] = ++items[name[1]] }
inside && match($0, /^  +"/) {
    depth = (RLENGTH - 1) / 2
    said = $0
    sub(/^ *"/, "", said); name[depth] = said; sub(/".*/, "", name[depth]); sub(/^[^"]*": /, "", said); sub(/,$/, "", said)
    path = name[1]
    for (i = 2; i <= depth; i++) path = path "." name[i]
    stated[path] = said
}
/<\/script>/ { inside = 0 }

# Whether object i is alive when x bytes are allocated.
function lives(i, x) { return born[i] <= x && (dead[i] == "" || x < dead[i]) }

# The most (which = 1) or the least (2) live bytes since the moment before m; with 0, moment m in bytes allocated.
function live_at(m, which,   f) {
    numbers(live_rows[m], f)
    return f[which + 1] + 0
}

function drag(i,   end) {
    end = dead[i] == "" ? all : dead[i]
    return has_drag[i] ? end - last[i] : 0
}

# Finds the tick after whose allocations most bytes are live, objects from before the trace included, and the objects
# that are live then: those allocated up to then that no boundary before has found dead. Objects that are allocated
# at time t are alive before the deaths of boundary t + 1.
function find_peak(   i, t, most, at, bytes, grown, gone_at, last) {
    for (i = 1; i <= n; i++) {
        grown[made[i] + 0] += size[i]; if (made[i] + 0 > last) last = made[i] + 0
        if (gone[i] != "") gone_at[gone[i] + 0] += size[i]
    }
    for (i = 1; i <= priors; i++) { bytes += prior_size[i]; if (prior_gone[i] != "") gone_at[prior_gone[i] + 0] += prior_size[i] }
    most = bytes; at = -1
    for (t = 0; t <= last; t++) {
        bytes += grown[t] - gone_at[t]
        if (bytes > most) { most = bytes; at = t }
    }
    for (i = 1; i <= n; i++) peak[i] = lives_at(i, at)
    equal("peak", stated["most_bytes.bytes"], most)
}
function lives_at(i, t) { return made[i] <= t && (gone[i] == "" || gone[i] + 0 > t) }

# The median of the lifetimes of a row, and its Gini coefficient weighted by bytes, of pairs of objects.
function median_of(key, name,   i, j, below) {
    for (i = 1; i <= n; i++) {
        if (!died[i] || row_of(key, i) != name) continue
        below = 0
        for (j = 1; j <= n; j++) if (died[j] && row_of(key, j) == name && dead[j] - born[j] <= dead[i] - born[i]) below++
        if (2 * below >= t_died[key, name] && (best == "" || dead[i] - born[i] < best)) best = dead[i] - born[i]
    }
    i = best; best = ""
    return i
}
function lifetime(i) { return (dead[i] == "" ? all : dead[i]) - born[i] }
function gini_of(key, name,   i, j, apart, sum, weight) {
    for (i = 1; i <= n; i++) {
        if (row_of(key, i) != name) continue
        sum += size[i] * lifetime(i); weight += size[i]
        for (j = 1; j < i; j++)
            if (row_of(key, j) == name) apart += size[i] * size[j] * (lifetime(i) > lifetime(j) ? lifetime(i) - lifetime(j) : lifetime(j) - lifetime(i))
    }
    return sum > 0 ? apart / (weight * sum) : 0
}
function row_of(key, i) { return key == "all" ? "" : key == "types" ? type[i] : method[i] "," type[i] }

# Sorts the objects of a curve by lifetime: order[1] to order[in_order].
function put_in_order(key, name,   i, j) {
    in_order = 0
    for (i = 1; i <= n; i++) {
        if (row_of(key, i) != name) continue
        for (j = ++in_order; j > 1 && lifetime(order[j - 1]) > lifetime(i); j--) order[j] = order[j - 1]
        order[j] = i
    }
}

# The Lorenz curve of the objects in order at `share`, all in millionths: its value, and `slope` there. Between the
# objects of one lifetime it is a line, whatever their order.
function lorenz(share, bytes, sum,   k, weight, part) {
    for (k = 1; k <= in_order; k++) {
        slope = sum > 0 ? lifetime(order[k]) * bytes / sum : 0
        if (1e6 * (weight + size[order[k]]) >= share * bytes) break
        weight += size[order[k]]; part += size[order[k]] * lifetime(order[k])
    }
    return (sum > 0 ? 1e6 * part / sum : 0) + (share - 1e6 * weight / bytes) * slope
}

# Checks the Gini coefficient of a curve and its points: they are on the curve, from one end to the other, and the
# distance between two is at most a hundredth of the bytes and the object that reaches beyond it.
function check_curve(what, number, gini, key, name,   k, bytes, sum, most, share, height, said, before) {
    if (n >= 300) return
    put_in_order(key, name)
    for (k = 1; k <= in_order; k++) {
        bytes += size[order[k]]; sum += size[order[k]] * lifetime(order[k])
        if (size[order[k]] > most) most = size[order[k]]
    }
    if (gini - gini_of(key, name) > 0.00006 || gini_of(key, name) - gini > 0.00006)
        wrong(what ", Gini: " gini ", and not " gini_of(key, name))
    if (bytes == 0) return
    if (points[number] < 2) wrong(what ": " points[number] " points")
    for (k = 1; k <= points[number]; k++) {
        share = point_at[number, k]; height = point[number, k]
        said = lorenz(share, bytes, sum)
        if (height - said > 2 + 2 * slope || said - height > 2 + 2 * slope) wrong(what " at " share ": " height ", and not " said)
        if (k > 1 && (share <= before || share - before > 10000 + 1e6 * most / bytes + 2)) wrong(what ": " before " to " share)
        before = share
        curves_seen++
    }
    equal(what ", the first point", point_at[number, 1] + point[number, 1], 0)
    equal(what ", the last share", share, 1000000)
    if (sum > 0) equal(what ", the end", height, 1000000)
}

# Adds object i to the row of `name` in the table `key`.
function tally(key, name, i,   k) {
    k = key SUBSEP name
    t_objects[k]++; t_bytes[k] += size[i]; t_drag[k] += size[i] * drag(i)
    if (died[i]) { t_died[k]++; t_sum[k] += dead[i] - born[i]; if (dead[i] - born[i] < 65536) t_young[k] += size[i] }
    else { t_kept[k] += size[i] * drag(i); t_alive[k] += size[i] }
    if (peak[i]) t_peak[k] += size[i]
}

# Checks the number of rows, and each figure of each row.
function check_table(key, names,   part, rows, count, k, f, c, name, what, seen) {
    part = substr(text, index(text, "\"tables\": {"))
    count = rows_in(substr(part, index(part, "\"" key "\": {")), "rows", rows)
    if (columns !~ "^[a-z,]*type,objects,bytes,died,mean_lifetime,median_lifetime,drag,immortal_drag,live_at_peak,immortal_bytes,gini_bytes,young_bytes$") wrong(key ": the columns " columns)
    for (k = 1; k <= count; k++) {
        gsub(/["\n]/, "", rows[k])
        if (numbers(rows[k], f) < 8) continue
        name = f[1]; if (names == 2) name = name "," f[2]
        what = key " " name; c = key SUBSEP name
        if (f[1] == "(none)") c = key SUBSEP "," f[2]
        seen++
        equal(what " objects", f[names + 1], t_objects[c]); equal(what " bytes", f[names + 2], t_bytes[c])
        equal(what " died", f[names + 3], t_died[c])
        if (t_died[c]) equal(what " mean", f[names + 4], int(t_sum[c] / t_died[c] + 0.5))
        else if (f[names + 4] != "null") wrong(what ": mean of nothing")
        if (n < 300) {
            name = substr(c, length(key) + 2)
            if (t_died[c]) equal(what " median", f[names + 5], median_of(key, name))
            if (f[names + 10] - gini_of(key, name) > 0.00006 || gini_of(key, name) - f[names + 10] > 0.00006)
                wrong(what " Gini: " f[names + 10] ", and not " gini_of(key, name))
        }
        equal(what " live at the peak", f[names + 8], t_peak[c]); equal(what " alive", f[names + 9], t_alive[c])
        equal(what " dies young", f[names + 11], t_young[c])
        if (f[names + 6] == "null") continue
        equal(what " drag", f[names + 6], t_drag[c]); equal(what " drag of alive", f[names + 7], t_kept[c])
    }
    if (seen == 0) wrong("no table of " key)
}

# Checks the figures at the top, the sums of time, and those of groups by powers of two.
function check_head(   i, deaths, alive, time, g, class, rows, count, k, f, class_groups, class_cyclic, class_objects, class_bytes) {
    for (i = 1; i <= n; i++) {
        deaths += died[i]; if (!died[i]) alive += size[i]
        time += size[i] * ((dead[i] == "" ? all : dead[i]) - born[i])
        tally("types", type[i], i); tally("methods", method[i] "," type[i], i); tally("contexts", method[i] "," type[i], i)
        curve[type[i]] += size[i]
        if (died[i]) { group_objects[group[i]]++; group_bytes[group[i]] += size[i]; if (cycle[i] + 0) group_cycle[group[i]] = 1 }
    }
    for (g in group_objects) {
        for (class = 1; class < group_objects[g]; class *= 2);
        class_groups[class]++; class_cyclic[class] += group_cycle[g]
        class_objects[class] += group_objects[g]; class_bytes[class] += group_bytes[g]
    }
    equal("objects", stated["allocated.objects"], n); equal("deaths", stated["died.objects"], deaths)
    equal("alive, objects", stated["alive.objects"], n - deaths); equal("alive, bytes", stated["alive.bytes"], alive)
    equal("bytes times time", stated["space_time"], time); equal("depth", stated["context_depth"], 1)
    for (k = 1; ("groups." k ".to") in stated; k++) {
        class = stated["groups." k ".to"]
        equal("groups " class, stated["groups." k ".groups"], class_groups[class]); equal("cyclic " class, stated["groups." k ".cyclic"], class_cyclic[class])
        equal("objects of groups " class, stated["groups." k ".objects"], class_objects[class]); equal("bytes of groups " class, stated["groups." k ".bytes"], class_bytes[class])
        delete class_groups[class]
    }
    for (class in class_groups) wrong("no groups of up to " class)
    count = rows_of("curve_points", "curve,bytes_millionths,lifetime_millionths", rows)
    for (k = 1; k <= count; k++) {
        numbers(rows[k], f)
        g = ++points[f[1] + 1]
        point_at[f[1] + 1, g] = f[2] + 0; point[f[1] + 1, g] = f[3] + 0
    }
    count = rows_of("curves", "name,bytes,gini_bytes", rows)
    for (k = 1; k <= count; k++) {
        numbers(rows[k], f)
        g = f[1]; gsub(/[" \n]/, "", g); if (g == "null") g = ""
        if ((g == "") != (k == 1)) wrong("curve " k " is of " g)
        equal("curve of " g, f[2], g == "" ? all : curve[g])
        check_curve("curve of " g, k, f[3], g == "" ? "all" : "types", g)
    }
    if (count < 1 || length(points) != count) wrong("points of " length(points) " of " count " curves")
    if (n < 300 && all > 0 && curves_seen < 4) wrong("no points of curves")
    check_table("types", 1); check_table("methods", 2); check_table("contexts", 2)
}

function check_moments(   m, i, j, x, live, age, count, step, bands, from, rows) {
    equal("bytes", stated["allocated.bytes"], all)
    equal("before, objects", stated["before.objects"], priors)
    equal("before, bytes", stated["before.bytes"], before)
    count = rows_of("live", "bytes_allocated,most_live_bytes,least_live_bytes,most_live_objects", live_rows)
    step = count > 2 ? live_at(2, 0) : all
    for (m = 1; m <= count; m++) equal("moment " m, live_at(m, 0), m < count ? (m - 1) * step : all)
    equal("rows of ages", rows_in(text, "ages", rows), count)
    bands = split(columns, from, ",")
    for (j = 1; j <= bands; j++) if (!sub(/^from_/, "", from[j])) wrong("the band " from[j])
    for (m = 1; m <= count; m++) {
        numbers(rows[m], ages_row)
        for (j = 1; j <= bands; j++) ages[j, m] = ages_row[j]
    }
    equal("rows of phases", rows_of("phases", "in_use,dragged,never_used", rows), count)
    for (m = 1; m <= count; m++) {
        numbers(rows[m], ages_row)
        for (j = 1; j <= 3; j++) phases[j, m] = ages_row[j]
    }
    # Only some moments are tested, since for each one all objects are searched for those that are alive.
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
        # Objects from before the trace are in the heap from its beginning, and in no other figures.
        for (i = 1; i <= priors; i++) if (prior_dead[i] == "" || x < prior_dead[i]) live += prior_size[i]
        if (live > live_at(m, 1) || live < live_at(m, 2))
            wrong("live at " x ": " live ", and not " live_at(m, 2) " to " live_at(m, 1))
        # By the table, an object that is never used is in use until the tick of its allocation ends.
        if (phases[1, m] > used || phases[1, m] + phases[3, m] < used)
            wrong("in use at " x ": " phases[1, m] ", and not " used)
    }
    equal("live at the beginning", live_at(1, 1), before)
}

function check_curves(key, is_nursery,   rows, count, k, f, i, x, lived, eligible, kept, objects, kept_objects) {
    count = rows_of(key, (is_nursery ? "nursery_bytes" : "bytes_allocated") ",eligible_bytes,survived_bytes,eligible_objects,survived_objects", rows)
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
    count = split("use update frame container static alive-static alive-frame alive-held alive-used", f, " ")
    for (k = 1; k <= count; k++) {
        equal("cause " f[k], stated["causes." f[k] ".bytes"], by_cause[f[k]]); equal("cause " f[k] " objects", stated["causes." f[k] ".objects"], objects_by_cause[f[k]])
        if (!(("causes." f[k] ".bytes") in stated)) wrong("no cause " f[k])
    }
    for (i = 1; i <= n; i++) {
        class = dead[i] == "" ? 4 : dead[i] - born[i] < 1048576 ? 2 : 3
        site[method[i], class] += size[i]
        site_drag[method[i], class] += size[i] * drag(i)
    }
    check_sites("sites_by_bytes", site); check_sites("sites_by_drag", site_drag)
}
function check_peak_of_sites(   i) {
    for (i = 1; i <= n; i++)
        if (peak[i]) site_peak[method[i], dead[i] == "" ? 4 : dead[i] - born[i] < 1048576 ? 2 : 3] += size[i]
    check_sites("sites_by_live", site_peak)
}
function check_sites(key, sums,   rows, count, k, f, j) {
    count = rows_of(key, "method,short_lived,long_lived,immortal", rows)
    for (k = 1; k <= count; k++) {
        if (numbers(rows[k], f) < 4) continue
        gsub(/[" \n]/, "", f[1])
        if (f[1] == "(none)") f[1] = ""
        for (j = 2; j <= 4; j++) equal(key " of " f[1], f[j], sums[f[1], j])
    }
}

# The class of an object by frames outlived.
function outlived_class(i) {
    if (cause[i] ~ /^alive-/) return 8
    if (outlived[i] == "") return 7
    return outlived[i] <= 2 ? outlived[i] + 1 : outlived[i] <= 5 ? 4 : outlived[i] <= 10 ? 5 : 6
}
function check_deaths(   rows, count, k, f, i, pair, last) {
    for (i = 1; i <= n; i++) {
        by_outlived[outlived_class(i)] += size[i]; objects_by_outlived[outlived_class(i)]++
        by_sharing[shared[i] + 1] += size[i]; objects_by_sharing[shared[i] + 1]++
        if (cause[i] ~ /^alive-/) continue
        pair_bytes[method[i], killer[i]] += size[i]; pair_objects[method[i], killer[i]]++
    }
    count = split("0 1 2 3_to_5 6_to_10 more no_frame alive", f, " ")
    for (k = 1; k <= count; k++) {
        equal("outlived " f[k], stated["frames_outlived." f[k] ".bytes"], by_outlived[k]); equal("outlived " f[k] " objects", stated["frames_outlived." f[k] ".objects"], objects_by_outlived[k])
    }
    count = split("one several", f, " ")
    for (k = 1; k <= count; k++) {
        equal("shared by " f[k], stated["threads_naming." f[k] ".bytes"], by_sharing[k]); equal("shared by " f[k] ", objects", stated["threads_naming." f[k] ".objects"], objects_by_sharing[k])
    }
    count = rows_of("death_pairs", "method,death_method,bytes,objects", rows)
    last = -1
    for (k = 1; k <= count; k++) {
        if (numbers(rows[k], f) < 4) continue
        gsub(/[" \n]/, "", f[1]); gsub(/[" \n]/, "", f[2])
        if (f[1] == "(none)") f[1] = ""
        if (f[2] == "(none)") f[2] = ""
        equal("pair " k, f[3], pair_bytes[f[1], f[2]]); equal("pair " k " objects", f[4], pair_objects[f[1], f[2]])
        if (last >= 0 && f[3] + 0 > last) wrong("pair " k " is larger than that before it")
        last = f[3] + 0
        seen_pairs++
        delete pair_bytes[f[1], f[2]]
    }
    for (pair in pair_bytes) {
        left++
        if (pair_bytes[pair] > last) wrong("a pair is missing")
    }
    if (seen_pairs > 20 || (left && seen_pairs < 20)) wrong(seen_pairs " pairs, and " left " left out")
}

END {
    if (!every) every = 1
    if (!few) few = 1
    if (events != "") { equal("events", stated["events.all"], events); equal("ticks", stated["ticks"], ticks); equal("threads", stated["threads"], threads) }
    check_moments()
    check_curves("survival", 0)
    check_curves("nurseries", 1)
    check_sums()
    check_deaths()
    find_peak()
    check_head()
    check_peak_of_sites()
    exit failed || n == 0
}
