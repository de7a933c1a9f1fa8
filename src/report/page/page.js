// SPDX-License-Identifier: MIT
// Draws the page from its data. All text of the trace goes in as text, never as markup.
(function () {
  "use strict";

  const [stats, data] = ["stats", "data"].map((id) => JSON.parse(document.getElementById(id).textContent)); // stats: what --stats has
  const allocated = stats.allocated;
  const KIB = 1024;

  // Steps of one scale, from dark to light, for what is in order; lines between them keep them apart.
  // Other series have colours of the style: --series-1 and so on.
  const STEPS = ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725"];
  const SERIES = 8;
  const DASHES = [[], [6, 3], [2, 3]];

  // The rows of a table of the data, as objects with its columns; none if the trace does not show them.
  function rowsOf(table) {
    return table ? table.rows.map((row) => Object.fromEntries(table.columns.map((name, i) => [name, row[i]]))) : [];
  }

  // Numbers as people read them.

  function significant(number) {
    return String(Number(number.toPrecision(number >= 100 ? 4 : 3)));
  }

  function scaled(number, base, units) {
    let unit = 0;
    while (number >= base && unit + 1 < units.length) {
      number /= base;
      unit++;
    }
    return significant(number) + units[unit];
  }

  function bytes(number) {
    return scaled(number, KIB, [" B", " KiB", " MiB", " GiB", " TiB", " PiB"]);
  }

  // Bytes times bytes, in the largest unit that is not larger than the most of them; all numbers of a
  // column or an axis have one unit.
  const AREAS = ["B", "KiB", "MiB", "GiB", "TiB"].map((unit, i) => ({ size: Math.pow(KIB, 2 * i), name: unit + " \u00d7 " + unit }));

  function areaOf(most) {
    return AREAS.filter((area, i) => i === 0 || area.size <= most).pop();
  }

  function decimal(number) {
    if (number > 0 && number < 0.01) return "< 0.01";
    return number.toLocaleString("en", { maximumSignificantDigits: number >= 100 ? 4 : 3 });
  }

  function count(number) {
    return Math.round(number).toLocaleString("en");
  }

  // 100% means all. A tick of an axis that is to be 1 can be smaller in its last digit.
  function percent(share) {
    const text = significant(share * 100);
    return text === "100" && share < 1 - 1e-12 ? "> 99.9%" : text + "%";
  }

  function share(part, whole) {
    return whole > 0 ? part / whole : 0;
  }

  // What the tracer left out, as --advise says, and what follows for the figures.

  const advice = stats.assumptions ? rowsOf(data.advice) : [];
  const missing = advice.filter((row) => row.verdict === "missing");

  const lacksAllocations = missing.some((row) => row.kind === "allocations");

  // Whether objects can die too late under these assumptions: in frames that hold all that they name, or held by
  // objects that are never allocated.
  const holdsLong = stats.assumptions !== null &&
    (stats.assumptions.held_by === "frame" || (lacksAllocations && stats.assumptions.unallocated === "immortal"));

  // Whether the absence of records lets objects die too early, or leaves them out. Of abandoned frames, only those that
  // hold their receivers until they end depend on how they end.
  function shortens(row) {
    return row.kind !== "exceptions" || stats.assumptions.held_by === "receiver";
  }

  // Deaths are not too late, so what is alive is at least what the page shows. Shares of what is allocated are no such
  // bounds where allocations are missing.
  const isLowerBound = missing.some(shortens) && !holdsLong;

  // Elements.

  function element(name, properties, children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties || {})) {
      if (key in made && key !== "role" && !key.includes("-")) made[key] = value;
      else made.setAttribute(key, value);
    }
    for (const child of children || []) made.append(child);
    return made;
  }

  function labelled(text, control) {
    return element("label", {}, [text + " ", control]);
  }

  function choice(label, words, changed) {
    const select = element("select", {}, words.map(([value, text]) => element("option", { value }, [text])));
    select.addEventListener("change", () => changed(select.value));
    return labelled(label, select);
  }

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  }

  function seriesColour(index) {
    return colour("series-" + (index % SERIES + 1));
  }

  // Axes. Ticks of bytes are at powers of two, or at few multiples of one.

  const UNITS = {
    bytes: { text: bytes, base: 4, root: 2 },
    count: { text: count, base: 10, root: 10 },
    share: { text: percent, base: 10, root: 10 },
    number: { text: decimal, base: 10, root: 10 },
  };

  function linearTicks(min, max, unit) {
    const wanted = (max - min) / 5;
    let step = Math.pow(unit.root, Math.floor(Math.log(wanted) / Math.log(unit.root)));
    if (unit.root === 10) step *= [1, 2, 5, 10].find((factor) => step * factor >= wanted) || 10;
    else if (step < wanted) step *= 2;
    const ticks = [];
    for (let i = Math.ceil(min / step); i * step <= max * (1 + 1e-9) && ticks.length < 20; i++) {
      ticks.push({ value: i * step });
    }
    return ticks;
  }

  function logTicks(min, max, unit) {
    let every = unit.base;
    while (Math.log(max / min) / Math.log(every) > 10) every *= unit.base;
    const ticks = [];
    let value = Math.pow(every, Math.ceil(Math.log(min) / Math.log(every) - 1e-9));
    for (; value <= max * (1 + 1e-9) && ticks.length < 20; value *= every) ticks.push({ value });
    return ticks;
  }

  function axis(title, unitName, more) {
    const unit = UNITS[unitName];
    const made = {
      type: "linear",
      title: { display: true, text: title },
      ticks: { callback: (value) => unit.text(value), maxRotation: 0, autoSkipPadding: 12 },
      afterBuildTicks(scale) {
        const range = [scale.min, scale.max];
        if (!(scale.max > scale.min)) return;
        const ticks = scale.type === "logarithmic" ? logTicks(...range, unit) : linearTicks(...range, unit);
        if (ticks.length > 0) scale.ticks = ticks;
      },
    };
    return Object.assign(made, more);
  }

  function line(label, points, index, more) {
    return Object.assign({
      label,
      data: points,
      borderColor: seriesColour(index),
      backgroundColor: seriesColour(index),
      borderDash: DASHES[Math.floor(index / SERIES) % DASHES.length],
      borderWidth: 2,
      pointRadius: 0,
      pointHitRadius: 6,
    }, more);
  }

  function layer(label, points, fill) {
    return {
      label,
      data: points,
      borderColor: colour("ink"),
      backgroundColor: fill,
      borderWidth: 0.75,
      pointRadius: 0,
      fill: true,
      stack: "all",
    };
  }

  // Instants of the clock.

  const live = rowsOf(data.live);
  const instants = live.map((row) => row.bytes_allocated);

  // A series of a table that has a row an instant, by the number of its column.
  function overTime(table, column) {
    return instants.map((x, i) => ({ x, y: table.rows[i][column] }));
  }

  function withInstants(table) {
    return instants.map((x, i) => [x, ...table.rows[i]]);
  }

  const CLOCK = "bytes allocated";

  // What a collector leaves that frees all that is dead each time `size` bytes are allocated.
  function sawTooth(size) {
    const points = [];
    let instant = 0;
    for (let start = 0; start < allocated.bytes; start += size) {
      while (instant + 1 < instants.length && instants[instant] < start) instant++;
      const least = live[instant].least_live_bytes;
      const end = Math.min(start + size, allocated.bytes);
      points.push({ x: start, y: least }, { x: end, y: least + end - start });
    }
    return points;
  }

  // Each plot: how it is read, why it may be empty, its columns for TSV, its summary, its chart.

  function noBytes() {
    if (allocated.objects === 0) return "The trace allocates no object, so there is nothing to draw.";
    return allocated.bytes === 0 ? "The trace has no sizes, so its clock of bytes stands still." : "";
  }

  // The most that is live, by the choice of the reader.
  const MOST_LIVE = { bytes: "most_live_bytes", objects: "most_live_objects" };

  function mostLive(rows, what) {
    return rows.map((row) => ({ x: row.bytes_allocated, y: row[MOST_LIVE[what]] }));
  }

  // Whether all that is alive at the end dies after the last record.
  const endsAll = stats.assumptions !== null && stats.assumptions.at_end === "die";
  const hasOlder = stats.before.objects > 0;
  const withoutOlder = hasOlder ? " Objects older than the trace are left out." : "";
  const ofTrace = hasOlder ? " allocated in the trace" : "";

  // The sentence on the end of the live heap, with objects that are older than the trace, as in the plot.
  function aliveAtEnd(what, amount) {
    if (endsAll) return "What is alive at the end dies after the last record (--at-end=die).";
    return amount(stats.alive[what] + stats.before.alive[what]) + " are alive at the end" +
      (hasOlder ? ", " + amount(stats.alive[what]) + " of these" + ofTrace : "") + ".";
  }

  function livePlot() {
    const sizes = [];
    let least = 4 * KIB;
    while (allocated.bytes / least > 900) least *= 2;
    for (let size = least; sizes.length < 2 || size <= allocated.bytes; size *= 2) sizes.push(size);
    const state = { size: sizes.find((size) => allocated.bytes / size < 24) || sizes[0], what: "bytes" };

    function datasets() {
      const made = [line("live, the most since the point before", mostLive(live, state.what), 0, { fill: "origin", backgroundColor: seriesColour(0) + "40" })];
      if (state.what === "bytes") {
        made.push(line("with a nursery of " + bytes(state.size), sawTooth(state.size), 1, { borderWidth: 1, borderDash: [4, 2] }));
      }
      return made;
    }

    return {
      id: "live",
      title: "Live heap",
      how: "The memory that is alive, which not even a perfect collector could free. An object is alive until the boundary at which it dies, so the most is alive directly after an allocation. The dashed line is the heap of a collector that frees all dead objects whenever a nursery of the chosen size is full.",
      lack: noBytes,
      summary: () => (state.what === "objects"
        ? "At most " + count(stats.most_objects.objects) + " objects are live, when " + bytes(stats.most_objects.bytes_allocated) +
          " are allocated. " + aliveAtEnd("objects", count)
        : "At most " + bytes(stats.most_bytes.bytes) + " are live, when " + bytes(stats.most_bytes.bytes_allocated) +
          " are allocated. " + aliveAtEnd("bytes", bytes)),
      columns: data.live.columns,
      rows: () => data.live.rows,
      controls(redraw) {
        const slider = element("input", { type: "range", min: "0", max: String(sizes.length - 1), step: "1", value: String(sizes.indexOf(state.size)) });
        const shown = element("output", {}, [bytes(state.size)]);
        slider.setAttribute("aria-valuetext", bytes(state.size));
        slider.addEventListener("input", () => {
          state.size = sizes[Number(slider.value)];
          shown.textContent = bytes(state.size);
          slider.setAttribute("aria-valuetext", bytes(state.size));
          redraw();
        });
        return [
          choice("Show", [["bytes", "bytes"], ["objects", "objects"]], (what) => {
            state.what = what;
            redraw();
          }),
          labelled("Nursery", slider),
          shown,
        ];
      },
      chart: () => ({
        type: "line",
        data: { datasets: datasets() },
        options: {
          scales: {
            x: axis(CLOCK, "bytes", { max: allocated.bytes }),
            y: axis(state.what === "bytes" ? "live bytes" : "live objects", state.what === "bytes" ? "bytes" : "count", { min: 0 }),
          },
        },
      }),
    };
  }

  // Another run of the program.

  function runsPlot() {
    const runs = [["A", data.match.name, rowsOf(data.match.live)], ["B", stats.trace, live]];
    let what = "bytes";
    const end = (rows) => rows[rows.length - 1].bytes_allocated;
    return {
      id: "runs",
      title: "Two runs",
      how: "The live heaps of this trace (B) and of the other run (A) over bytes allocated. Where the lines part, the runs begin to differ.",
      lack: noBytes,
      summary: () => runs.map(([name, trace, rows]) => {
        const most = Math.max(...mostLive(rows, what).map((point) => point.y));
        return "In " + name + ", " + trace + ", at most " +
          (what === "bytes" ? bytes(most) : count(most) + " objects") + " are live, and " + bytes(end(rows)) + " are allocated.";
      }).join(" "),
      columns: ["run", ...data.live.columns],
      rows: () => [].concat(...[["A", data.match], ["B", data]].map(([name, run]) => run.live.rows.map((row) => [name, ...row]))),
      controls: (redraw) => [choice("Show", [["bytes", "bytes"], ["objects", "objects"]], (value) => {
        what = value;
        redraw();
      })],
      chart: () => ({
        type: "line",
        data: {
          datasets: runs.map(([name, , rows], i) => line("live in " + name, mostLive(rows, what), 1 - i,
            i === 0 ? { borderDash: [6, 3] } : {})),
        },
        options: {
          scales: {
            x: axis(CLOCK, "bytes", { max: Math.max(...runs.map(([, , rows]) => end(rows))) }),
            y: axis(what === "bytes" ? "live bytes" : "live objects", what === "bytes" ? "bytes" : "count", { min: 0 }),
          },
        },
      }),
    };
  }

  function changedPlot() {
    const sites = rowsOf(data.match.sites);
    let what = "distance";
    const series = {
      distance: [["distance of lifetimes", "distance", 4]],
      bytes: [["bytes in A", "a_bytes", 1], ["bytes in B", "b_bytes", 0]],
    };
    return {
      id: "changed",
      title: "Sites that changed most",
      how: "The sites (context and type) whose lifetimes differ most from those in A, by the distance of Kolmogorov and Smirnov times their bytes in B. The distance is 0 for equal distributions, and 1 if all lifetimes of one run are shorter than those of the other.",
      lack: () => (sites.length === 0 ? "No site with 30 objects or more in both runs has lifetimes that differ." : ""),
      summary() {
        const site = sites[0];
        return "The site that changed most is " + site.type + " in " + site.context + ": " +
          (what === "bytes" ? "A allocates " + bytes(site.a_bytes) + " there, and B " + bytes(site.b_bytes) : "its distance is " + site.distance.toFixed(4)) + ". " +
          count(data.match.changed_sites) + (data.match.changed_sites === 1 ? " site differs." : " sites differ.");
      },
      columns: data.match.sites.columns,
      rows: () => data.match.sites.rows,
      controls: (redraw) => [choice("Show", [["distance", "distance of lifetimes"], ["bytes", "bytes allocated"]], (value) => {
        what = value;
        redraw();
      })],
      chart: () => ({
        type: "bar",
        data: {
          labels: sites.map((row) => shortened(row.type, 16) + " in " + shortened(row.context.replace(/;.*/, ""), 24)),
          datasets: series[what].map(([label, column, index]) => ({ label, data: sites.map((row) => row[column]), backgroundColor: seriesColour(index) })),
        },
        options: {
          indexAxis: "y",
          parsing: true,
          unit: what === "bytes" ? "bytes" : "number",
          scales: {
            x: what === "bytes" ? axis("bytes allocated", "bytes", { min: 0 }) : axis("distance of lifetimes", "number", { min: 0, max: 1 }),
            y: { ticks: { autoSkip: false, font: { size: 10 } } },
          },
        },
      }),
    };
  }

  function shareAxis(title) {
    return axis(title, "share", { min: 0, max: 1 });
  }

  function survivalPlot() {
    const survival = rowsOf(data.survival);
    const points = (what) => survival
      .filter((row) => row["eligible_" + what] > 0)
      .map((row) => ({ x: row.bytes_allocated, y: row["survived_" + what] / row["eligible_" + what] }));
    const at = (limit) => survival.find((row) => row.bytes_allocated === limit);
    return {
      id: "survival",
      title: "Survival",
      how: "The share that is still alive after an amount of allocation, of the objects after which the trace allocates as much. A curve that falls early supports the weak generational hypothesis: most objects die young.",
      lack: () => noBytes() || (survival.length === 0 ? "Too little is allocated." : ""),
      summary() {
        const row = at(64 * KIB) || survival[survival.length - 1];
        return (stats.died.objects === 0 ? "Nothing dies in this trace. " : "") + "After " + bytes(row.bytes_allocated) + " of allocation " +
          percent(share(row.survived_bytes, row.eligible_bytes)) + " of the bytes and " + percent(share(row.survived_objects, row.eligible_objects)) + " of the objects are alive.";
      },
      columns: data.survival.columns,
      rows: () => data.survival.rows,
      chart: () => ({
        type: "line",
        data: { datasets: [line("of bytes", points("bytes"), 0), line("of objects", points("objects"), 1, { borderDash: [6, 3] })] },
        options: { scales: { x: axis("age in bytes allocated", "bytes", { type: "logarithmic" }), y: shareAxis("still alive") } },
      }),
    };
  }

  // Each band of ages is called from_ and its least age.
  const ageFrom = data.ages.columns.map((name) => Number(name.replace("from_", "")));

  function bandName(band) {
    const from = ageFrom[band];
    const to = ageFrom[band + 1];
    return to === undefined ? (from === 0 ? "any age" : "from " + bytes(from)) : bytes(from) + " to " + bytes(to);
  }

  function stacked(yTitle) {
    return { x: axis(CLOCK, "bytes", { max: allocated.bytes }), y: axis(yTitle, "bytes", { min: 0, stacked: true }) };
  }

  function agesPlot() {
    return {
      id: "ages",
      title: "Age bands",
      how: "The ages of the heap: live bytes by the number of bytes allocated since, stacked with the oldest on top. Bands that stay wide are structures that the program keeps." + withoutOlder,
      lack: noBytes,
      summary() {
        const last = data.ages.rows[instants.length - 1];
        const most = last.indexOf(Math.max(...last));
        const all = last.reduce((sum, size) => sum + size, 0);
        if (all === 0) return "Nothing" + ofTrace + " is alive at the end.";
        return bytes(all) + ofTrace + " are alive at the end" + (endsAll ? ", when --at-end=die ends them" : "") +
          "; most of them, " + bytes(last[most]) + ", are of age " + bandName(most) + ".";
      },
      columns: ["bytes_allocated", ...data.ages.columns],
      rows: () => withInstants(data.ages),
      chart: () => ({
        type: "line",
        data: {
          datasets: ageFrom.map((from, i) =>
            layer(bandName(i), overTime(data.ages, i), STEPS[Math.min(STEPS.length - 1, Math.round(i * (STEPS.length - 1) / Math.max(1, ageFrom.length - 1)))])),
        },
        options: { areas: true, scales: stacked("live bytes") },
      }),
    };
  }

  function dragPlot() {
    const phases = data.phases || { columns: ["in_use", "dragged", "never_used"], rows: [] };
    return {
      id: "drag",
      title: "Drag",
      how: "Memory that could have been freed earlier: live bytes of objects before their last use, after it (dragged), and of objects that nothing uses after their allocation." + withoutOlder,
      lack: () => noBytes() || (data.has_uses ? "" : "The trace has no uses of objects, so drag is unknown."),
      // Of all lives, as --stats has them: the instants of the plot are samples.
      summary() {
        const { lag, use, drag, void: unused } = stats.phases.all;
        const all = lag + use + drag + unused;
        return "Of all bytes \u00d7 time " + percent(share(lag + use, all)) + " are in use, " + percent(share(drag, all)) +
          " dragged and " + percent(share(unused, all)) + " never used.";
      },
      columns: ["bytes_allocated", ...phases.columns],
      rows: () => (data.phases ? withInstants(phases) : []),
      chart: () => ({
        type: "line",
        data: { datasets: phases.columns.map((name, i) => layer(name.replace("_", " "), overTime(phases, i), seriesColour([0, 4, 3][i]))) },
        options: { areas: true, scales: stacked("live bytes") },
      }),
    };
  }

  function nurseryPlot() {
    const nurseries = rowsOf(data.nurseries);
    const survives = (row) => share(row.survived_bytes, row.eligible_bytes);
    return {
      id: "nursery",
      title: "Nursery",
      how: "The size that a nursery needs: the share of allocated bytes that are alive at their first collection, by size of the nursery. Beyond the knee of the curve, a larger nursery gains little.",
      lack: () => noBytes() || (nurseries.length === 0 ? "The trace allocates less than a nursery of 4 KiB holds." : ""),
      summary() {
        const row = nurseries.find((nursery) => nursery.nursery_bytes === KIB * KIB) || nurseries[nurseries.length - 1];
        return "In a nursery of " + bytes(row.nursery_bytes) + " " + percent(survives(row)) + " of the bytes survive.";
      },
      columns: data.nurseries.columns,
      rows: () => data.nurseries.rows,
      chart: () => ({
        type: "line",
        data: {
          datasets: [line("of bytes", nurseries.map((row) => ({ x: row.nursery_bytes, y: survives(row) })), 0, { pointRadius: 3, pointStyle: "circle" })],
        },
        options: { scales: { x: axis("size of the nursery", "bytes", { type: "logarithmic" }), y: shareAxis("survives") } },
      }),
    };
  }

  // What simulated collectors cost: the rows of --simulate, and whether a heap is the smallest that suffices.
  const COLLECTORS = ["whole", "semispace", "generational", "ideal"];
  const sufficient = new Set();
  const costs = rowsOf(data.collectors);
  for (const row of costs) {
    const kind = [row.collector, row.nursery_bytes, row.tenure].join();
    row.smallest_heap = row.completed && !sufficient.has(kind) ? 1 : 0;
    if (row.smallest_heap) sufficient.add(kind);
  }
  const COST_COLUMNS = [...(data.collectors || { columns: [] }).columns, "smallest_heap"];

  function markCons(row) {
    return share(row.copied_bytes + row.promoted_bytes + row.marked_bytes, row.allocated_bytes);
  }

  // The values of a column of generational collectors with which the program gets through, in ascending order.
  function costValues(column) {
    const rows = costs.filter((row) => row.nursery_bytes > 0 && row.completed);
    return [...new Set(rows.map((row) => row[column]))].sort((a, b) => a - b);
  }

  function costLack() {
    if (!data.collectors) return "More collectors were simulated than this page has room for.";
    return noBytes();
  }

  function choices(label, values, text, chosen, changed) {
    const made = choice(label, values.map((value) => [String(value), text(value)]), (value) => changed(Number(value)));
    made.lastChild.value = String(chosen);
    return made;
  }

  function tenureText(tenure) {
    return tenure === 0 ? "0 (all are promoted)" : String(tenure);
  }

  function costRows() {
    return costs.map((row) => COST_COLUMNS.map((column) => row[column]));
  }

  function collectorsPlot() {
    const nurseries = costValues("nursery_bytes");
    const tenures = costValues("tenure");
    const state = { nursery: nurseries[0], tenure: tenures[0] };
    const isShown = (row) => row.completed && (row.nursery_bytes === null || (row.nursery_bytes === state.nursery && row.tenure === state.tenure));
    const points = (rows) => rows.map((row) => ({ x: row.heap_bytes, y: markCons(row) }));

    function datasets() {
      const shown = costs.filter(isShown);
      const made = COLLECTORS.map((name, i) => line(name, points(shown.filter((row) => row.collector === name)), i, { pointRadius: 3, pointStyle: "circle" }))
        .filter((series) => series.data.length > 0);
      const smallest = points(shown.filter((row) => row.smallest_heap)).sort((a, b) => a.x - b.x);
      return made.concat([line("the smallest heap", smallest, 4, { showLine: false, pointRadius: 6, pointStyle: "rectRot" })]);
    }

    return {
      id: "collectors",
      title: "Cost of collectors",
      how: "The cost of collectors by size of the heap: bytes copied, promoted and marked for each byte allocated (mark/cons). A diamond is the smallest heap in which the program completes.",
      lack: () => costLack() || (costs.some((row) => row.completed && row.allocated_bytes > 0) ? "" : "The program completes with no collector in any of the heaps."),
      summary() {
        const smallest = costs.find((row) => row.smallest_heap && row.completed);
        return "The collector " + smallest.collector + " needs a heap of " + bytes(smallest.heap_bytes) + " and then marks or copies " +
          decimal(markCons(smallest)) + " bytes for each byte allocated." +
          (nurseries.length === 0 ? " No nursery is smaller than the heaps." : " Nursery: " + bytes(state.nursery) + ", tenure: " + state.tenure + ".");
      },
      columns: COST_COLUMNS,
      rows: costRows,
      controls: (redraw) => (nurseries.length === 0 ? [] : [
        choices("Nursery", nurseries, bytes, state.nursery, (value) => {
          state.nursery = value;
          redraw();
        }),
        choices("Tenure", tenures, tenureText, state.tenure, (value) => {
          state.tenure = value;
          redraw();
        }),
      ]),
      chart: () => ({
        type: "line",
        data: { datasets: datasets() },
        options: { scales: { x: axis("size of the heap", "bytes"), y: axis("mark/cons", "number", { min: 0 }) } },
      }),
    };
  }

  function promotionPlot() {
    const tenures = costValues("tenure");
    const heaps = costs.filter((row) => !row.smallest_heap).map((row) => row.heap_bytes);
    const heap = Math.max(...heaps);
    const state = { tenure: tenures[0] };
    const points = (name) => costs
      .filter((row) => row.collector === name && row.tenure === state.tenure && row.heap_bytes === heap && row.completed)
      .map((row) => ({ x: row.nursery_bytes, y: row.promoted_bytes }));

    return {
      id: "promotion",
      title: "Promotion",
      how: "The bytes that generational collectors promote to the old space, by size of the nursery, in the largest heap. The difference from the ideal collector is dead objects that dead old objects keep (nepotism).",
      lack: () => costLack() || (tenures.length === 0 ? "No nursery is smaller than the heaps: --simulate takes others (--nurseries)." : ""),
      summary() {
        const first = points("generational")[0] || points("ideal")[0];
        return "With tenure " + state.tenure + " in a heap of " + bytes(heap) + ", " +
          (first ? "a nursery of " + bytes(first.x) + " has " + bytes(first.y) + " promoted." : "no nursery has room.");
      },
      columns: COST_COLUMNS,
      rows: costRows,
      controls: (redraw) => [
        choices("Tenure", tenures, tenureText, state.tenure, (value) => {
          state.tenure = value;
          redraw();
        }),
      ],
      chart: () => ({
        type: "line",
        data: {
          datasets: COLLECTORS.slice(2).map((name, i) => line(name, points(name), i + 2, { pointRadius: 3, pointStyle: "circle" }))
            .filter((series) => series.data.length > 0),
        },
        options: { scales: { x: axis("size of the nursery", "bytes", { type: "logarithmic" }), y: axis("bytes promoted", "bytes", { min: 0 }) } },
      }),
    };
  }

  const LIVES = [["short_lived", "short-lived (below 1 MiB)", 5], ["long_lived", "long-lived", 0], ["immortal", "immortal (alive at the end)", 1]];

  function sitesPlot() {
    const words = [["sites_by_bytes", "bytes allocated"], ["sites_by_drag", "drag"], ["sites_by_live", "bytes live at the peak"]];
    const sites = Object.fromEntries(words.map(([key]) => [key, rowsOf(data[key])]));
    const sum = (row) => row.short_lived + row.long_lived + row.immortal;
    let by = "sites_by_bytes";
    return {
      id: "sites",
      title: "Sites",
      how: "The allocating methods with the most bytes, the most drag (bytes times the bytes allocated since the last use) or the most bytes live at the peak, divided by the lifetimes of their objects. Sites of immortal objects are candidates for pretenuring.",
      lack: () => noBytes() || (data.has_methods ? "" : "No method is open at any allocation of this trace."),
      summary() {
        if (sites[by].length === 0) return "";
        const site = sites[by][0];
        const most = sum(site);
        if (by === "sites_by_drag") {
          const area = areaOf(most);
          return "The objects allocated in " + site.method + " have the most drag: " +
            percent(share(most, data.space_time)) + " of all bytes \u00d7 time, " + decimal(most / area.size) + " " + area.name + ".";
        }
        return (by === "sites_by_live" ? "Most bytes that live at the peak are allocated in " : "Most bytes are allocated in ") +
          site.method + ": " + bytes(most) + ", " + percent(share(most, by === "sites_by_live" ? stats.most_bytes.bytes : allocated.bytes)) + ".";
      },
      columns: ["by", ...data.sites_by_bytes.columns],
      rows: () => [].concat(...words.map(([key, text]) => data[key].rows.map((row) => [text, ...row]))),
      controls: (redraw) => [choice("By", words, (value) => {
        by = value;
        redraw();
      })],
      chart() {
        const area = areaOf(Math.max(0, ...sites[by].map(sum)));
        const isArea = by === "sites_by_drag";
        const unit = isArea ? "number" : "bytes";
        const title = words.find(([key]) => key === by)[1] + (isArea ? " (" + area.name + ")" : "");
        return {
          type: "bar",
          data: {
            labels: sites[by].map((row) => shortened(row.method, 34)),
            datasets: LIVES.map(([life, label, index]) => ({
              label,
              data: sites[by].map((row) => row[life] / (isArea ? area.size : 1)),
              backgroundColor: seriesColour(index),
            })),
          },
          options: {
            indexAxis: "y",
            parsing: true,
            unit,
            scales: {
              x: axis(title, unit, { stacked: true, min: 0 }),
              y: { stacked: true, ticks: { autoSkip: false, font: { size: 10 } } },
            },
          },
        };
      },
    };
  }

  const CAUSES = {
    use: "last used by a record", update: "last reference overwritten", frame: "frame popped",
    container: "with its container", static: "static overwritten",
    "alive-static": "alive: in a static", "alive-frame": "alive: in a frame",
    "alive-held": "alive: held", "alive-used": "alive: used",
  };

  const causes = Object.entries(stats.causes || {}).map(([name, amount]) => ({ name, ...amount }));
  const groups = (stats.groups || []).map((row) => ({ ...row, cyclic: row.cyclic || 0 }));

  function causesPlot() {
    let what = "causes";
    return {
      id: "causes",
      title: "Causes and groups",
      how: "The causes of death, by bytes; and the sizes of groups of objects that die together, which show whether connectivity predicts death.",
      lack: () => (allocated.objects === 0 ? noBytes() : stats.assumptions ? "" : "The deaths are recorded in the trace: their causes and groups are unknown."),
      summary() {
        const most = causes.reduce((best, row) => (row.bytes > best.bytes ? row : best));
        if (what === "causes") return "Most bytes, " + bytes(most.bytes) + ", by cause: " + CAUSES[most.name] + ".";
        const sum = (column) => groups.reduce((all, row) => all + row[column], 0);
        return count(sum("groups")) + " groups died, " + count(sum("cyclic")) + " of them with a cycle.";
      },
      columns: ["table", "cause_or_most_objects", "bytes", "objects", "groups", "groups_with_a_cycle"],
      rows: () => causes.map((row) => ["cause", row.name, row.bytes, row.objects, "", ""])
        .concat(groups.map((row) => ["group", row.to, row.bytes, row.objects, row.groups, row.cyclic])),
      controls: (redraw) => [choice("Show", [["causes", "causes of death"], ["groups", "sizes of groups"]], (value) => {
        what = value;
        redraw();
      })],
      chart() {
        if (what === "groups") {
          return {
            type: "line",
            data: {
              datasets: [
                line("groups", groups.map((row) => ({ x: row.to, y: row.groups })), 0, { pointRadius: 4, pointStyle: "circle" }),
                line("with a cycle", groups.filter((row) => row.cyclic > 0).map((row) => ({ x: row.to, y: row.cyclic })), 1, { pointRadius: 4, pointStyle: "rectRot", borderDash: [6, 3] }),
              ],
            },
            options: {
              scales: {
                x: axis("objects, at most", "count", { type: "logarithmic" }),
                y: axis("groups", "count", { type: "logarithmic" }),
              },
            },
          };
        }
        return {
          type: "bar",
          data: {
            labels: causes.map((row) => CAUSES[row.name]),
            datasets: [{ label: "bytes", data: causes.map((row) => row.bytes), backgroundColor: causes.map((row) => seriesColour(row.name.startsWith("alive") ? 1 : 0)) }],
          },
          options: {
            indexAxis: "y",
            parsing: true,
            unit: "bytes",
            scales: { x: axis("bytes", "bytes", { min: 0 }), y: { ticks: { autoSkip: false } } },
          },
        };
      },
    };
  }

  const OUTLIVED = { 0: "0: could be on the stack", no_frame: "no frame was open", alive: "alive at the end" };
  const outlived = Object.entries(stats.frames_outlived)
    .map(([key, amount]) => ({ label: OUTLIVED[key] || key.replace(/_/g, " "), ...amount }));
  const naming = stats.threads_naming;

  function deathsPlot() {
    let what = "outlived";
    const pairs = rowsOf(data.death_pairs)
      .map((row) => ({ label: shortened(row.method, 18) + " \u2192 " + shortened(row.death_method, 18), ...row }));
    const shown = () => (what === "outlived" ? outlived.filter((row) => row.objects > 0 || row === outlived[0]) : pairs);
    return {
      id: "deaths",
      title: "Where objects die",
      how: "The number of frames open at the allocation that an object outlives: with 0 it could be on the stack. Or pairs of the allocating method and the method in which the objects die, where a free or the end of a region could stand.",
      lack: () => noBytes() || (data.has_methods ? "" : "No method is open at any allocation of this trace."),
      summary() {
        const alone = naming === null ? "" : " One thread alone names " + percent(share(naming.one.bytes, allocated.bytes)) + " of the bytes.";
        if (what === "outlived") return bytes(outlived[0].bytes) + ", " + percent(share(outlived[0].bytes, allocated.bytes)) + ", could be on the stack." + alone;
        if (pairs.length === 0) return stats.assumptions ? "Nothing dies." : "The deaths are recorded in the trace: where they happen is unknown.";
        return "Most bytes, " + bytes(pairs[0].bytes) + ", are allocated in " + pairs[0].method + " and die in " + pairs[0].death_method + "." + alone;
      },
      columns: ["table", "frames_outlived_or_method", "death_method", "bytes", "objects"],
      rows: () => outlived.map((row) => ["outlived", row.label, "", row.bytes, row.objects])
        .concat(data.death_pairs.rows.map((row) => ["pair", ...row]))
        .concat(naming ? [["one thread", naming.one], ["several threads", naming.several]].map(([by, amount]) => ["named by", by, "", amount.bytes, amount.objects]) : []),
      controls: (redraw) => [choice("Show", [["outlived", "frames outlived"], ["pairs", "sites of allocation and death"]], (value) => {
        what = value;
        redraw();
      })],
      chart() {
        return {
          type: "bar",
          data: {
            labels: shown().map((row) => row.label),
            datasets: [{ label: "bytes", data: shown().map((row) => row.bytes), backgroundColor: seriesColour(0) }],
          },
          options: {
            indexAxis: "y",
            parsing: true,
            unit: "bytes",
            scales: { x: axis("bytes", "bytes", { min: 0 }), y: { ticks: { autoSkip: false, font: { size: 10 } } } },
          },
        };
      },
    };
  }

  // The end of a name, which matters most: its packages are left out.
  function shortened(name, length) {
    const text = name.replace(/^.*[./](?=[^./#]*($|#))/, "");
    return text.length > length ? "\u2026" + text.slice(1 - length) : text;
  }

  function curveName(curve) {
    return (curve.name ? shortened(curve.name, 40) : "all objects") + " (" + curve.gini_bytes.toFixed(2) + ")";
  }

  function dispersionPlot() {
    const curves = rowsOf(data.curves).map((curve) => ({ ...curve, points: [] }));
    for (const point of rowsOf(data.curve_points)) {
      curves[point.curve].points.push({ x: point.bytes_millionths / 1e6, y: point.lifetime_millionths / 1e6 });
    }
    return {
      id: "dispersion",
      title: "Dispersion of lifetimes",
      how: "The inequality of lifetimes: with objects in ascending order of lifetime, the share of all lifetime (times bytes) that a share of the bytes has. The further a curve is below the diagonal, the more unequal are the lifetimes, and the nearer is the Gini coefficient (in brackets) to 1.",
      lack: noBytes,
      summary: () => "The Gini coefficient of lifetimes, weighted by bytes, is " + curves[0].gini_bytes.toFixed(4) +
        (curves.length > 1 ? "; of the largest type, " + curves[1].name + ", " + curves[1].gini_bytes.toFixed(4) : "") +
        ". Lifetimes of survivors last to the end.",
      columns: ["type", "gini", "share_of_bytes", "share_of_lifetime"],
      rows: () => [].concat(...curves.map((curve) =>
        curve.points.map((point) => [curve.name || "(all)", curve.gini_bytes, point.x, point.y]))),
      chart: () => ({
        type: "line",
        data: {
          datasets: curves.map((curve, i) => line(curveName(curve), curve.points, i, { borderWidth: i === 0 ? 4 : 1.5 }))
            .concat([line("equal", curves[0].points.map((point) => ({ x: point.x, y: point.x })), 7, { borderWidth: 1, borderDash: [2, 4] })]),
        },
        options: { scales: { x: shareAxis("share of bytes"), y: shareAxis("share of lifetime") } },
      }),
    };
  }

  // Drawing.

  // Of each visible series the point that is nearest to `x`, in pixels.
  function nearest(chart, x) {
    return chart.getSortedVisibleDatasetMetas().filter((meta) => meta.data.length > 0).map((meta) => {
      let index = 0;
      meta.data.forEach((point, i) => {
        if (Math.abs(point.x - x) < Math.abs(meta.data[index].x - x)) index = i;
      });
      return { element: meta.data[index], datasetIndex: meta.index, index };
    });
  }
  Chart.Interaction.modes.each = (chart, event) => nearest(chart, Chart.helpers.getRelativePosition(event, chart).x);

  function unitOf(options, scale) {
    return options.unit && UNITS[options.unit] ? UNITS[options.unit].text : scale.options.ticks.callback;
  }

  // Where the point is, if that is not where the tooltip says.
  function elsewhere(item) {
    const first = item.chart.tooltip.dataPoints ? item.chart.tooltip.dataPoints[0] : item;
    const text = item.chart.scales.x.options.ticks.callback;
    return text(first.parsed.x) === text(item.parsed.x) ? "" : " (at " + text(item.parsed.x) + ")";
  }

  function tooltip(options) {
    const isBar = options.indexAxis === "y";
    return {
      callbacks: {
        title: (items) => (items.length === 0 ? "" : isBar ? items[0].label : items[0].chart.scales.x.options.ticks.callback(items[0].parsed.x)),
        label: (item) => item.dataset.label + ": " +
          unitOf(options, item.chart.scales[isBar ? "x" : "y"])(isBar ? item.parsed.x : item.parsed.y) + (isBar ? "" : elsewhere(item)),
      },
    };
  }

  // The chart of a plot on the page; its legend is of elements there. In a picture, it is drawn.
  function configured(plot, picture) {
    const config = plot.chart();
    const options = config.options;
    const isBar = options.indexAxis === "y";
    config.options = Object.assign({
      animation: false,
      responsive: !picture,
      maintainAspectRatio: false,
      parsing: false,
      normalized: true,
      color: colour("ink"),
      interaction: { mode: isBar ? "index" : "each", axis: isBar ? "y" : "x", intersect: false },
    }, options, picture);
    config.options.plugins = {
      legend: {
        display: Boolean(picture) && config.data.datasets.length > 1,
        position: "bottom",
        labels: Object.assign({ color: colour("ink"), boxWidth: 30, filter: (item) => !item.hidden }, isBar || options.areas ? {} : { boxHeight: 0 }),
      },
      tooltip: tooltip(options),
    };
    for (const scale of Object.values(config.options.scales)) {
      scale.grid = { color: colour("line"), borderColor: colour("faint") };
      scale.ticks = Object.assign({ color: colour("ink") }, scale.ticks);
      if (scale.title) scale.title = Object.assign({ color: colour("ink") }, scale.title);
    }
    return config;
  }

  function tsvField(value) {
    return value === null ? "" : String(value).replace(/[\t\r\n]/g, " ");
  }

  function tsv(plot) {
    return [plot.columns, ...plot.rows()].map((row) => row.map(tsvField).join("\t") + "\n").join("");
  }

  // Does something in the colours of paper.
  function onPaper(work) {
    const classes = document.documentElement.classList;
    classes.add("paper");
    try {
      return work();
    } finally {
      classes.remove("paper");
    }
  }

  // The chart of a plot without the series that are `hidden`, for a picture: what `make` makes of it.
  function drawnPicture(plot, hidden, make) {
    return onPaper(() => {
      const canvas = element("canvas", { width: 800, height: 480 });
      const config = configured(plot, { devicePixelRatio: 2 });
      config.data.datasets.forEach((dataset, i) => {
        dataset.hidden = hidden.has(i);
      });
      config.plugins = [{
        id: "ground",
        beforeDraw(chart) {
          chart.ctx.fillStyle = colour("ground");
          chart.ctx.fillRect(0, 0, chart.width, chart.height);
        },
      }];
      const chart = new Chart(canvas, config);
      try {
        return make(chart);
      } finally {
        chart.destroy();
      }
    });
  }

  function png(chart) {
    return chart.canvas.toDataURL("image/png");
  }

  function svg(chart) {
    return "data:image/svg+xml;charset=utf-8," + encodeURIComponent(vectors.picture(chart, colour("ground")));
  }

  // The trace's name without its folders and endings, for names of files.
  function stem() {
    const name = stats.trace.replace(/^.*\//, "").replace(/\.(zst|gz|xz|bz2)$/, "").replace(/\.(trace|txt|log|et)$/, "");
    return name.replace(/[^\p{L}\p{N}._-]/gu, "_").replace(/^[.-]+/, "") || "trace";
  }

  // A link whose target is made when it is followed.
  function offer(text, file, make) {
    const link = element("a", { href: "#", download: stem() + "." + file }, [text]);
    link.addEventListener("click", () => {
      link.href = make();
    });
    return link;
  }

  // A button for each series of a chart, which shows or hides it.
  function fillLegend(legend, chart) {
    const datasets = chart.data.datasets.length > 1 ? chart.data.datasets : [];
    const isLine = chart.config.type === "line" && !chart.config.options.areas;
    legend.hidden = datasets.length === 0;
    legend.replaceChildren(...datasets.map((dataset, i) => {
      const button = element("button", { type: "button", "aria-pressed": "true" }, [vectors.sample(dataset, isLine), element("bdi", {}, [dataset.label])]);
      button.addEventListener("click", () => {
        chart.setDatasetVisibility(i, !chart.isDatasetVisible(i));
        chart.update("none");
        button.setAttribute("aria-pressed", String(chart.isDatasetVisible(i)));
      });
      return element("li", {}, [button]);
    }));
  }

  // What the tooltip has at the `place`-th point of the first visible series, as text.
  function showPoint(chart, place) {
    const metas = chart.getSortedVisibleDatasetMetas();
    const isBar = chart.config.options.indexAxis === "y";
    const point = metas[0].data[place];
    const active = isBar
      ? metas.map((meta) => ({ element: meta.data[place], datasetIndex: meta.index, index: place }))
      : nearest(chart, point.x);
    chart.setActiveElements(active);
    chart.tooltip.setActiveElements(active, { x: point.x, y: point.y });
    chart.update("none");
    return [...chart.tooltip.title, ...chart.tooltip.body.map((part) => part.lines.join(" "))].join("; ");
  }

  function hidePoint(chart) {
    chart.setActiveElements([]);
    chart.tooltip.setActiveElements([], { x: 0, y: 0 });
    chart.update("none");
  }

  // Arrow keys move the tooltip: along lines by a fiftieth of their points, with Shift by one.
  function moveByKeys(canvas, chartOf, say) {
    let place = -Infinity;
    canvas.addEventListener("keydown", (event) => {
      const chart = chartOf();
      const metas = chart.getSortedVisibleDatasetMetas();
      const last = metas.length === 0 ? -1 : metas[0].data.length - 1;
      const step = event.shiftKey ? 1 : Math.max(1, Math.round(last / 50));
      const moves = { ArrowRight: step, ArrowDown: step, ArrowLeft: -step, ArrowUp: -step, Home: -Infinity, End: Infinity };
      if (event.key === "Escape") hidePoint(chart);
      if (!(event.key in moves) || last < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      place = Math.min(last, Math.max(0, place + moves[event.key]));
      say(showPoint(chart, place));
    });
    canvas.addEventListener("blur", () => hidePoint(chartOf()));
  }

  const drawn = [];

  // The plots that show no more than what is alive: of the trace and, unless its allocations are missing, of a share or
  // an age, which are by what is allocated.
  const LOWER_BOUNDS = lacksAllocations ? ["live", "runs"] : ["live", "runs", "survival", "ages", "nursery"];

  // Those that are not made of lifetimes.
  const OF_LIVE_HEAPS = ["live", "runs"];

  // What is wrong with lifetimes at the level of the trace.
  const tooShort = data.early_deaths === null ? "" : data.early_deaths + ", so lifetimes are too short.";

  // The paragraph with these sentences, some of which may be empty; none if all are.
  function cautions(sentences) {
    const text = sentences.filter((sentence) => sentence !== "").join(" ");
    return text === "" ? [] : [element("p", { className: "bound" }, [text])];
  }

  function addPlot(plot) {
    const section = element("section", { className: "plot", id: plot.id, "aria-labelledby": plot.id + "-title" }, [
      element("h2", { id: plot.id + "-title" }, [plot.title]),
      element("p", { className: "how" }, [plot.how]),
    ]);
    section.append(...cautions([
      isLowerBound && LOWER_BOUNDS.includes(plot.id) ? "A lower bound: the tracer leaves out records." : "",
      OF_LIVE_HEAPS.includes(plot.id) ? "" : tooShort,
    ]));
    document.getElementById("plots").append(section);
    document.getElementById("parts").append(element("li", {}, [element("a", { href: "#" + plot.id }, [plot.title])]));
    const lack = plot.lack();
    if (lack) {
      section.append(element("p", { className: "lack" }, [lack]));
      return;
    }
    const canvas = element("canvas", { role: "img", tabIndex: 0 });
    const legend = element("ul", { className: "legend", "aria-label": "Series" });
    const caption = element("bdi");
    const said = element("p", { className: "unseen", role: "status" });
    let chart = null;
    const redraw = () => {
      if (chart) chart.destroy();
      chart = new Chart(canvas, configured(plot));
      fillLegend(legend, chart);
      caption.textContent = plot.summary();
      canvas.setAttribute("aria-label", plot.title + ". " + plot.summary() + " Arrow keys read its values.");
    };
    const hidden = () => new Set(chart.data.datasets.map((dataset, i) => i).filter((i) => !chart.isDatasetVisible(i)));
    if (plot.controls) section.append(element("div", { className: "controls" }, plot.controls(redraw)));
    section.append(
      element("div", { className: "canvas" }, [canvas]),
      legend,
      element("p", { className: "summary" }, [caption]),
      said,
      element("div", { className: "offers" }, [
        offer("Data (TSV)", plot.id + ".tsv", () => "data:text/tab-separated-values;charset=utf-8," + encodeURIComponent(tsv(plot))),
        offer("Picture (PNG)", plot.id + ".png", () => drawnPicture(plot, hidden(), png)),
        offer("Picture (SVG)", plot.id + ".svg", () => drawnPicture(plot, hidden(), svg)),
      ]),
    );
    redraw();
    moveByKeys(canvas, () => chart, (text) => {
      said.textContent = text;
    });
    drawn.push(redraw);
  }

  // Tables.

  // The columns that show the figures of a row: which figure, how it is shown.
  function columnsOf(table) {
    const place = (key) => table.columns.indexOf(key);
    const area = areaOf(Math.max(0, ...table.rows.map((row) => row[place("drag")] || 0)));
    const inArea = (number) => decimal(number / area.size);
    return [
      ["objects", "objects", count], ["bytes", "bytes", bytes], ["died", "died", count], ["mean lifetime", "mean_lifetime", bytes],
      ["median lifetime", "median_lifetime", bytes],
      ["drag (% of all bytes \u00d7 time)", "drag", (number) => decimal(100 * share(number, data.space_time))],
      ["drag (" + area.name + ")", "drag", inArea],
      ["drag of what is alive at the end (" + area.name + ")", "immortal_drag", inArea],
      ["live at the peak", "live_at_peak", bytes], ["alive at the end", "immortal_bytes", bytes],
      ["dies young (below 64 KiB)", "young_bytes", bytes],
      ["Gini", "gini_bytes", (number) => number.toFixed(2)],
    ].map(([title, key, text]) => [title, place(key), text]);
  }

  const FIRST_ROWS = 50;

  function cells(row, names, columns) {
    return row.slice(0, names).map((name) => element("td", { className: "name" }, [element("bdi", {}, [name])]))
      .concat(columns.map(([, figure, text]) => {
        const value = row[figure];
        return element("td", { title: value === null ? "" : String(value) }, [value === null ? "\u2013" : text(value)]);
      }));
  }

  function compareBy(column, descending) {
    return (a, b) => {
      if (a[column] === b[column]) return 0;
      if (a[column] === null) return 1;
      if (b[column] === null) return -1;
      return (a[column] < b[column] ? -1 : 1) * (descending ? -1 : 1);
    };
  }

  function addTable(key, title, names) {
    const { count: rowsInAll, rows: table } = data.tables[key];
    const columns = columnsOf(table);
    const titles = [...names, ...columns.map((column) => column[0])];
    const places = [...names.map((name, i) => i), ...columns.map((column) => column[1])];
    const state = { column: names.length + 1, descending: true, search: "", all: false };
    const body = element("tbody");
    const note = element("p", { className: "summary", role: "status" });
    const more = element("button", { type: "button" }, ["Show all"]);
    const heads = titles.map((text, column) => {
      const button = element("button", { type: "button" }, [text]);
      const head = element("th", { scope: "col", className: column < names.length ? "name" : "" }, [button]);
      button.addEventListener("click", () => {
        state.descending = state.column === column ? !state.descending : column >= names.length;
        state.column = column;
        fill();
      });
      return head;
    });

    function fill() {
      const found = table.rows
        .filter((row) => row.slice(0, names.length).some((name) => name.toLowerCase().includes(state.search)))
        .sort(compareBy(places[state.column], state.descending));
      const shown = state.all ? found : found.slice(0, FIRST_ROWS);
      body.replaceChildren(...shown.map((row) => element("tr", {}, cells(row, names.length, columns))));
      heads.forEach((head, column) => {
        head.setAttribute("aria-sort", column !== state.column ? "none" : state.descending ? "descending" : "ascending");
        head.firstChild.textContent = titles[column] + (column !== state.column ? "" : state.descending ? " \u25be" : " \u25b4");
      });
      more.hidden = shown.length === found.length;
      note.textContent = count(shown.length) + " of " + count(found.length) + " rows found" +
        (rowsInAll > table.rows.length ? "; of " + count(rowsInAll) + " in the trace, those with the most " + (allocated.bytes > 0 ? "bytes" : "objects") + " are in this page" : "") + ".";
    }

    const search = element("input", { type: "search" });
    search.addEventListener("input", () => {
      state.search = search.value.toLowerCase();
      fill();
    });
    more.addEventListener("click", () => {
      state.all = true;
      fill();
    });
    document.getElementById("tables").append(element("section", { className: "table", id: key, "aria-labelledby": key + "-title" }, [
      element("h2", { id: key + "-title" }, [title]),
      element("div", { className: "search" }, [labelled("Search", search), offer("Data (TSV)", key + ".tsv", () =>
        "data:text/tab-separated-values;charset=utf-8," + encodeURIComponent(tsv({ columns: table.columns, rows: () => table.rows }))), more]),
      ...cautions([tooShort]),
      note,
      element("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": title }, [
        element("table", {}, [element("thead", {}, [element("tr", {}, heads)]), body]),
      ]),
    ]));
    document.getElementById("parts").append(element("li", {}, [element("a", { href: "#" + key }, [title])]));
    fill();
  }

  // Who holds the heap at the end: the first rows of --held.

  function holderName(row) {
    if (row.root === "(several)") return "several of these together";
    if (row.root === "immortal") return "objects without an allocation";
    return row.root + " " + (row.name === null ? row.id : row.name);
  }

  function addHeld() {
    if (!data.held) return;
    const rows = rowsOf(data.held.holders);
    const lines = rows.map((row) => element("tr", {}, [
      element("td", { className: "name" }, [element("bdi", {}, [holderName(row)])]),
      element("td", {}, [count(row.objects)]),
      element("td", { title: String(row.bytes) }, [bytes(row.bytes)]),
      element("td", {}, [data.held.bytes > 0 ? percent(row.bytes / data.held.bytes) : "\u2013"]),
      element("td", { title: row.largest === null ? "" : String(row.largest) }, [row.largest === null ? "\u2013" : bytes(row.largest)]),
      element("td", { className: "name" }, [element("bdi", {}, [row.path === null ? "" : row.path])]),
    ]));
    const heads = ["held by", "objects", "bytes", "of what is alive at the end", "largest object", "path to it"];
    const section = element("section", { className: "table", id: "held", "aria-labelledby": "held-title" }, [
      element("h2", { id: "held-title" }, ["Who holds the heap at the end"]),
      element("p", { className: "how" }, ["The objects that each static field or method alone keeps alive at the end: without it, they would be dead. A leak is in the first rows."]),
    ]);
    if (rows.length === 0) {
      section.append(element("p", { className: "lack" }, ["Nothing holds an object at the end."]));
    } else {
      const shown = rows.filter((row) => row.root !== "(several)").length;
      const all = data.held.count - (rows.length - shown);
      section.append(
        element("p", { className: "summary" }, ["The first " + count(shown) + " of " + count(all) + (all === 1 ? " root" : " roots") + "; --held writes all of them, --at those of other moments."]),
        element("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "Who holds the heap at the end" }, [
          element("table", {}, [
            element("thead", {}, [element("tr", {}, heads.map((text, i) => element("th", { scope: "col", className: i === 0 || i === 5 ? "name" : "" }, [text])))]),
            element("tbody", {}, lines),
          ]),
        ]));
    }
    document.getElementById("tables").append(section);
    document.getElementById("parts").append(element("li", {}, [element("a", { href: "#held" }, ["Who holds the heap"])]));
  }

  // The head of the page.

  // `bound`: words before a value that is a bound; empty: it is exact.
  function addFigure(name, value, exact, bound) {
    const shown = element("dd", { className: bound ? "bound" : "" }, [(bound ? bound + " " : "") + value]);
    document.getElementById("figures").append(element("div", { title: exact || "" }, [element("dt", {}, [name]), shown]));
  }

  function addHead() {
    document.title = stats.trace + " \u2013 etmerlin";
    document.getElementById("trace").textContent = stats.trace;
    document.getElementById("version").textContent = stats.etmerlin;
    addFigure("events", count(stats.events.all));
    const least = isLowerBound ? "at least" : "";
    const named = lacksAllocations ? "at least" : "";
    addFigure("objects", count(allocated.objects), "", named);
    addFigure("allocated", bytes(allocated.bytes), count(allocated.bytes) + " bytes", named);
    if (stats.before.objects > 0) addFigure("before the trace", bytes(stats.before.bytes), count(stats.before.objects) + " objects, which are counted in live heaps, in the heaps of collectors and among what is held at the end only");
    addFigure("deaths", count(stats.died.objects));
    addFigure("peak of live bytes", bytes(stats.most_bytes.bytes), count(stats.most_bytes.bytes) + " bytes", least);
    addFigure("peak of live objects", count(stats.most_objects.objects), "", least);
    addFigure("threads", stats.threads === null ? "unknown" : count(stats.threads));
    addFigure("boundaries (ticks)", count(data.ticks));
    if (data.match) addFigure("compared with (A)", data.match.name);
    document.getElementById("assumptions").textContent = stats.assumptions
      ? "Deaths are computed, with " + Object.entries(stats.assumptions).map(([key, value]) => "--" + key.replace(/_/g, "-") + "=" + value).join(", ") +
        " and --context-depth=" + data.context_depth + "."
      : "The deaths are recorded in the trace, not computed. --context-depth=" + data.context_depth + ".";
  }

  function addSource() {
    const options = data.type_sizes === null ? data.reading : [...data.reading, "--type-sizes=" + data.type_sizes];
    document.getElementById("source").textContent =
      (data.tracer === null ? "The tracer of the trace is unknown." : "The trace is of " + data.tracer + ".") +
      " Its digest (XXH3) is " + data.digest + "; etmerlin " + stats.etmerlin + " read it " +
      (options.length === 0 ? "without options." : "with " + options.join(" ") + ".");
  }

  // The sentences of the advice; those about bounds are marked.
  function addAdvice() {
    const place = document.getElementById("advice");
    const titles = (rows) => rows.map((row) => row.records).join("; ");
    const unclear = advice.filter((row) => row.verdict === "unclear");
    const recorded = advice.filter((row) => row.verdict === "recorded");
    const say = (text, mark) => place.append(element("p", {}, [...(mark ? [element("strong", { className: "bound" }, [mark])] : []), text]));
    if (advice.length === 0) return;
    if (missing.length === 0 && unclear.length === 0) {
      say("The tracer leaves out none of the records that deaths depend on.");
      return;
    }
    if (isLowerBound) {
      say(" The tracer leaves out records that keep objects alive, so objects die too early here: " + (lacksAllocations ? "what is alive and its peaks are" : "what is alive, its peaks, and what survives are") +
        " at least what this page shows.", "Lower bounds.");
    } else if (missing.some(shortens)) {
      say(" The tracer leaves out records, so some objects die too early here, or are missing; under the assumptions, others die too late.", "No bounds.");
    } else if (missing.length > 0 && holdsLong) {
      say(" The tracer leaves out records, so some objects die too late here: what is alive is at most what this page shows.", "Upper bounds.");
    }
    if (missing.length > 0) {
      place.append(element("p", {}, ["The trace lacks:"]), element("ul", {}, missing.map((row) =>
        element("li", {}, [element("strong", {}, [row.records]), ". " + row.effect]))));
    }
    if (unclear.length > 0) say("It does not show whether it has: " + titles(unclear) + ". If these are missing, more deaths are wrong.");
    if (recorded.length > 0) say("It has: " + titles(recorded) + ".");
    say("This is what etmerlin --advise says; ASSUMPTIONS in man etmerlin-deaths explains it.");
  }

  function addRemarks() {
    const remarks = [
      [stats.unfinished !== null, "The trace is unfinished: " + stats.unfinished + "."],
      [data.match && data.match.unfinished !== null, "The trace A is unfinished: " + (data.match || {}).unfinished + "."],
      [allocated.objects > 0 && stats.died.objects === 0, "Nothing dies in this trace."],
      [allocated.objects > 0 && data.ticks === 0, "The trace has no method boundary, so nothing can die before its end."],
      [allocated.objects > 0 && allocated.bytes === 0, "The trace has no sizes."],
      [allocated.objects > 0 && !data.has_methods, "The trace has no open methods at allocations."],
      [allocated.objects > 0 && !data.has_uses, "The trace has no uses of objects."],
      [allocated.objects > 0 && !data.has_names, "There are no name lists: types and methods are numbers."],
    ];
    document.getElementById("remarks").append(...remarks.filter(([applies]) => applies).map(([, text]) => element("li", {}, [text])));
  }

  addHead();
  addAdvice();
  addSource();
  addRemarks();
  const matchPlots = data.match ? [runsPlot(), changedPlot()] : [];
  for (const plot of [...matchPlots, livePlot(), survivalPlot(), agesPlot(), dragPlot(), nurseryPlot(), collectorsPlot(), promotionPlot(), sitesPlot(), causesPlot(), deathsPlot(), dispersionPlot()]) addPlot(plot);
  addHeld();
  addTable("types", "Types", ["type"]);
  addTable("methods", "Methods and types", ["method", "type"]);
  addTable("contexts", "Contexts and types", ["context", "type"]);
  const redrawAll = () => drawn.forEach((redraw) => redraw());
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
  window.addEventListener("beforeprint", () => onPaper(redrawAll));
  window.addEventListener("afterprint", redrawAll);
})();
