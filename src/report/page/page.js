// SPDX-License-Identifier: MIT
// Draws the page from its data. All text of the trace goes in as text, never as markup.
(function () {
  "use strict";

  const data = JSON.parse(document.getElementById("data").textContent);
  const stats = data.stats; // what --stats has, in JSON
  const allocated = stats.allocated;
  const KIB = 1024;

  // Steps of one scale, from dark to light, for what is in order; lines between them keep them apart.
  // Other series have colours of the style: --series-1 and so on.
  const STEPS = ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725"];
  const SERIES = 8;
  const DASHES = [[], [6, 3], [2, 3]];

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

  function percent(share) {
    return significant(share * 100) + "%";
  }

  function share(part, whole) {
    return whole > 0 ? part / whole : 0;
  }

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

  // Moments of the clock.

  const moments = [];
  for (let i = 0; i < data.moments; i++) {
    moments.push(i + 1 < data.moments ? i * data.step : allocated.bytes);
  }

  function overTime(series) {
    return moments.map((x, i) => ({ x, y: series[i] }));
  }

  const CLOCK = "bytes allocated";

  // What a collector leaves that frees all that is dead each time `size` bytes are allocated.
  function sawTooth(size) {
    const points = [];
    let moment = 0;
    for (let start = 0; start < allocated.bytes; start += size) {
      while (moment + 1 < moments.length && moments[moment] < start) moment++;
      const live = data.live[moment][1];
      const end = Math.min(start + size, allocated.bytes);
      points.push({ x: start, y: live }, { x: end, y: live + end - start });
    }
    return points;
  }

  // Each plot: how it is read, why it may be empty, its columns for TSV, its summary, its chart.

  function noBytes() {
    if (allocated.objects === 0) return "The trace allocates no object, so there is nothing to draw.";
    return allocated.bytes === 0 ? "The trace has no sizes, so its clock of bytes stands still." : "";
  }

  function livePlot() {
    const sizes = [];
    let least = 4 * KIB;
    while (allocated.bytes / least > 900) least *= 2;
    for (let size = least; sizes.length < 2 || size <= allocated.bytes; size *= 2) sizes.push(size);
    const state = { size: sizes.find((size) => allocated.bytes / size < 24) || sizes[0], what: "bytes" };
    const column = { bytes: 0, objects: 2 };

    function datasets() {
      const most = data.live.map((row) => row[column[state.what]]);
      const made = [line("live, the most since the point before", overTime(most), 0, { fill: "origin", backgroundColor: seriesColour(0) + "40" })];
      if (state.what === "bytes") {
        made.push(line("with a nursery of " + bytes(state.size), sawTooth(state.size), 1, { borderWidth: 1, borderDash: [4, 2] }));
      }
      return made;
    }

    return {
      id: "live",
      title: "Live heap",
      how: "The memory that is alive, which not even a perfect collector could free. The dashed line is the heap of a collector that frees all dead objects whenever a nursery of the chosen size is full.",
      lack: noBytes,
      summary: () => (state.what === "objects"
        ? "At most " + count(stats.most_objects.objects) + " objects are live, when " + bytes(stats.most_objects.bytes_allocated) +
          " are allocated. " + count(stats.alive.objects) + " are alive at the end."
        : "At most " + bytes(stats.most_bytes.bytes) + " are live, when " + bytes(stats.most_bytes.bytes_allocated) +
          " are allocated. " + bytes(stats.alive.bytes) + " are alive at the end."),
      columns: ["bytes_allocated", "most_live_bytes", "least_live_bytes", "most_live_objects"],
      rows: () => moments.map((x, i) => [x, ...data.live[i]]),
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
    const runs = [["A", data.match], ["B", Object.assign({ bytes: allocated.bytes }, data)]];
    const column = { bytes: 0, objects: 2 };
    let what = "bytes";
    const x = (run, i) => (i + 1 < run.moments ? i * run.step : run.bytes);
    return {
      id: "runs",
      title: "Two runs",
      how: "The live heaps of this trace (B) and of the other run (A) over bytes allocated. Where the lines part, the runs begin to differ.",
      lack: noBytes,
      summary: () => runs.map(([name, run]) => {
        const most = Math.max(...run.live.map((row) => row[column[what]]));
        return "In " + name + ", " + (name === "A" ? data.match.name : stats.trace) + ", at most " +
          (what === "bytes" ? bytes(most) : count(most) + " objects") + " are live, and " + bytes(run.bytes) + " are allocated.";
      }).join(" "),
      columns: ["run", "bytes_allocated", "most_live_bytes", "least_live_bytes", "most_live_objects"],
      rows: () => [].concat(...runs.map(([name, run]) => run.live.map((row, i) => [name, x(run, i), ...row]))),
      controls: (redraw) => [choice("Show", [["bytes", "bytes"], ["objects", "objects"]], (value) => {
        what = value;
        redraw();
      })],
      chart: () => ({
        type: "line",
        data: {
          datasets: runs.map(([name, run], i) => line("live in " + name, run.live.map((row, at) => ({ x: x(run, at), y: row[column[what]] })), 1 - i,
            i === 0 ? { borderDash: [6, 3] } : {})),
        },
        options: {
          scales: {
            x: axis(CLOCK, "bytes", { max: Math.max(allocated.bytes, data.match.bytes) }),
            y: axis(what === "bytes" ? "live bytes" : "live objects", what === "bytes" ? "bytes" : "count", { min: 0 }),
          },
        },
      }),
    };
  }

  function changedPlot() {
    const sites = data.match ? data.match.sites : [];
    let what = "distance";
    const series = {
      distance: [["distance of lifetimes", (row) => row[2], 4]],
      bytes: [["bytes in A", (row) => row[4], 1], ["bytes in B", (row) => row[6], 0]],
    };
    return {
      id: "changed",
      title: "Sites that changed most",
      how: "The sites (context and type) whose lifetimes differ most from those in A, by the distance of Kolmogorov and Smirnov times their bytes in B. The distance is 0 for equal distributions, and 1 if all lifetimes of one run are shorter than those of the other.",
      lack: () => (sites.length === 0 ? "No site with 30 objects or more in both runs has lifetimes that differ." : ""),
      summary() {
        const [context, type, distance, , inA, , inB] = sites[0];
        return "The site that changed most is " + type + " in " + context + ": " +
          (what === "bytes" ? "A allocates " + bytes(inA) + " there, and B " + bytes(inB) : "its distance is " + distance.toFixed(4)) + ". " +
          count(data.match.changed) + (data.match.changed === 1 ? " site differs." : " sites differ.");
      },
      columns: ["context", "type", "distance", "a_objects", "a_bytes", "b_objects", "b_bytes"],
      rows: () => sites,
      controls: (redraw) => [choice("Show", [["distance", "distance of lifetimes"], ["bytes", "bytes allocated"]], (value) => {
        what = value;
        redraw();
      })],
      chart: () => ({
        type: "bar",
        data: {
          labels: sites.map((row) => shortened(row[1], 16) + " in " + shortened(row[0].replace(/;.*/, ""), 24)),
          datasets: series[what].map(([label, of, index]) => ({ label, data: sites.map(of), backgroundColor: seriesColour(index) })),
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
    const points = (part, whole) => data.survival
      .filter((row) => row[whole] > 0)
      .map((row) => ({ x: row[0], y: row[part] / row[whole] }));
    const at = (limit) => data.survival.find((row) => row[0] === limit);
    return {
      id: "survival",
      title: "Survival",
      how: "The share that is still alive after an amount of allocation, of the objects after which the trace allocates as much. A curve that falls early supports the weak generational hypothesis: most objects die young.",
      lack: () => noBytes() || (data.survival.length === 0 ? "Too little is allocated." : ""),
      summary() {
        const row = at(64 * KIB) || data.survival[data.survival.length - 1];
        return (stats.died.objects === 0 ? "Nothing dies in this trace. " : "") + "After " + bytes(row[0]) + " of allocation " +
          percent(share(row[2], row[1])) + " of the bytes and " + percent(share(row[4], row[3])) + " of the objects are alive.";
      },
      columns: ["bytes_allocated", "eligible_bytes", "survived_bytes", "eligible_objects", "survived_objects"],
      rows: () => data.survival,
      chart: () => ({
        type: "line",
        data: { datasets: [line("of bytes", points(2, 1), 0), line("of objects", points(4, 3), 1, { borderDash: [6, 3] })] },
        options: { scales: { x: axis("age in bytes allocated", "bytes", { type: "logarithmic" }), y: shareAxis("still alive") } },
      }),
    };
  }

  function bandName(band) {
    const from = data.ageFrom[band];
    const to = data.ageFrom[band + 1];
    return to === undefined ? (from === 0 ? "any age" : "from " + bytes(from)) : bytes(from) + " to " + bytes(to);
  }

  function stacked(yTitle) {
    return { x: axis(CLOCK, "bytes", { max: allocated.bytes }), y: axis(yTitle, "bytes", { min: 0, stacked: true }) };
  }

  function agesPlot() {
    return {
      id: "ages",
      title: "Age bands",
      how: "The ages of the heap: live bytes by the number of bytes allocated since, stacked with the oldest on top. Bands that stay wide are structures that the program keeps.",
      lack: noBytes,
      summary() {
        const last = data.ages.map((series) => series[data.moments - 1]);
        const most = last.indexOf(Math.max(...last));
        return "At the end " + bytes(last.reduce((sum, size) => sum + size, 0)) + " are live; most of them, " +
          bytes(last[most]) + ", are of age " + bandName(most) + ".";
      },
      columns: ["bytes_allocated", ...data.ageFrom.map((from) => "from_" + from)],
      rows: () => moments.map((x, i) => [x, ...data.ages.map((series) => series[i])]),
      chart: () => ({
        type: "line",
        data: {
          datasets: data.ages.map((series, i) =>
            layer(bandName(i), overTime(series), STEPS[Math.min(STEPS.length - 1, Math.round(i * (STEPS.length - 1) / Math.max(1, data.ages.length - 1)))])),
        },
        options: { areas: true, scales: stacked("live bytes") },
      }),
    };
  }

  const PHASES = ["in use", "dragged", "never used"];

  function dragPlot() {
    return {
      id: "drag",
      title: "Drag",
      how: "Memory that could have been freed earlier: live bytes of objects before their last use, after it (dragged), and of objects that nothing uses after their allocation.",
      lack: () => noBytes() || (data.hasUses ? "" : "The trace has no uses of objects, so drag is unknown."),
      summary() {
        const sums = data.phases.map((series) => series.reduce((sum, size) => sum + size, 0));
        const all = sums.reduce((sum, size) => sum + size, 0);
        return "Of all bytes \u00d7 time " + percent(share(sums[0], all)) + " are in use, " + percent(share(sums[1], all)) +
          " dragged and " + percent(share(sums[2], all)) + " never used.";
      },
      columns: ["bytes_allocated", "in_use", "dragged", "never_used"],
      rows: () => moments.map((x, i) => [x, ...data.phases.map((series) => series[i])]),
      chart: () => ({
        type: "line",
        data: { datasets: data.phases.map((series, i) => layer(PHASES[i], overTime(series), seriesColour([0, 4, 3][i]))) },
        options: { areas: true, scales: stacked("live bytes") },
      }),
    };
  }

  function nurseryPlot() {
    return {
      id: "nursery",
      title: "Nursery",
      how: "The size that a nursery needs: the share of allocated bytes that are alive at their first collection, by size of the nursery. Beyond the knee of the curve, a larger nursery gains little.",
      lack: () => noBytes() || (data.nurseries.length === 0 ? "The trace allocates less than a nursery of 4 KiB holds." : ""),
      summary() {
        const row = data.nurseries.find((nursery) => nursery[0] === KIB * KIB) || data.nurseries[data.nurseries.length - 1];
        return "In a nursery of " + bytes(row[0]) + " " + percent(share(row[2], row[1])) + " of the bytes survive.";
      },
      columns: ["nursery_bytes", "eligible_bytes", "survived_bytes", "eligible_objects", "survived_objects"],
      rows: () => data.nurseries,
      chart: () => ({
        type: "line",
        data: {
          datasets: [line("of bytes", data.nurseries.map((row) => ({ x: row[0], y: share(row[2], row[1]) })), 0, { pointRadius: 3, pointStyle: "circle" })],
        },
        options: { scales: { x: axis("size of the nursery", "bytes", { type: "logarithmic" }), y: shareAxis("survives") } },
      }),
    };
  }

  // What simulated collectors cost: the rows of --simulate, and whether a heap is the smallest that suffices.
  const costTable = data.collectors || { columns: [], rows: [] };
  const COST_COLUMNS = [...costTable.columns, "smallest_heap"];
  const COST = Object.fromEntries(COST_COLUMNS.map((name, i) => [name, i]));
  const COLLECTORS = ["whole", "semispace", "generational", "ideal"];
  const sufficient = new Set();
  const costs = costTable.rows.map((row) => {
    const kind = [row[COST.collector], row[COST.nursery_bytes], row[COST.tenure]].join();
    const isSmallest = row[COST.completed] && !sufficient.has(kind);
    if (isSmallest) sufficient.add(kind);
    return [...row, isSmallest ? 1 : 0];
  });

  function markCons(row) {
    return share(row[COST.copied_bytes] + row[COST.promoted_bytes] + row[COST.marked_bytes], row[COST.allocated_bytes]);
  }

  // The values of a column of generational collectors with which the program gets through, in ascending order.
  function costValues(column) {
    const rows = costs.filter((row) => row[COST.nursery_bytes] > 0 && row[COST.completed]);
    return [...new Set(rows.map((row) => row[column]))].sort((a, b) => a - b);
  }

  function costLack() {
    if (data.collectors === null) return "More collectors were simulated than this page has room for.";
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

  function collectorsPlot() {
    const nurseries = costValues(COST.nursery_bytes);
    const tenures = costValues(COST.tenure);
    const state = { nursery: nurseries[0], tenure: tenures[0] };
    const isShown = (row) => row[COST.completed] && (row[COST.nursery_bytes] === null || (row[COST.nursery_bytes] === state.nursery && row[COST.tenure] === state.tenure));
    const points = (rows) => rows.map((row) => ({ x: row[COST.heap_bytes], y: markCons(row) }));

    function datasets() {
      const shown = costs.filter(isShown);
      const made = COLLECTORS.map((name, i) => line(name, points(shown.filter((row) => row[COST.collector] === name)), i, { pointRadius: 3, pointStyle: "circle" }))
        .filter((series) => series.data.length > 0);
      const smallest = points(shown.filter((row) => row[COST.smallest_heap])).sort((a, b) => a.x - b.x);
      return made.concat([line("the smallest heap", smallest, 4, { showLine: false, pointRadius: 6, pointStyle: "rectRot" })]);
    }

    return {
      id: "collectors",
      title: "Cost of collectors",
      how: "The cost of collectors by size of the heap: bytes copied, promoted and marked for each byte allocated (mark/cons). A diamond is the smallest heap in which the program completes.",
      lack: () => costLack() || (costs.some((row) => row[COST.completed] && row[COST.allocated_bytes] > 0) ? "" : "The program completes with no collector in any of the heaps."),
      summary() {
        const smallest = costs.find((row) => row[COST.smallest_heap] && row[COST.completed]);
        return "The collector " + smallest[COST.collector] + " needs a heap of " + bytes(smallest[COST.heap_bytes]) + " and then marks or copies " +
          decimal(markCons(smallest)) + " bytes for each byte allocated." +
          (nurseries.length === 0 ? " No nursery is smaller than the heaps." : " Nursery: " + bytes(state.nursery) + ", tenure: " + state.tenure + ".");
      },
      columns: COST_COLUMNS,
      rows: () => costs,
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
    const tenures = costValues(COST.tenure);
    const heaps = costs.filter((row) => !row[COST.smallest_heap]).map((row) => row[COST.heap_bytes]);
    const heap = Math.max(...heaps);
    const state = { tenure: tenures[0] };
    const points = (name) => costs
      .filter((row) => row[COST.collector] === name && row[COST.tenure] === state.tenure && row[COST.heap_bytes] === heap && row[COST.completed])
      .map((row) => ({ x: row[COST.nursery_bytes], y: row[COST.promoted_bytes] }));

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
      rows: () => costs,
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

  const LIVES = ["short-lived (below 1 MiB)", "long-lived", "immortal (alive at the end)"];

  function sitesPlot() {
    const words = [["sitesByBytes", "bytes allocated"], ["sitesByDrag", "drag"], ["sitesByLive", "bytes live at the peak"]];
    let by = "sitesByBytes";
    return {
      id: "sites",
      title: "Sites",
      how: "The allocating methods with the most bytes, the most drag (bytes times the bytes allocated since the last use) or the most bytes live at the peak, divided by the lifetimes of their objects. Sites of immortal objects are candidates for pretenuring.",
      lack: () => noBytes() || (data.hasMethods ? "" : "No method is open at any allocation of this trace."),
      summary() {
        if (data[by].length === 0) return "";
        const [site, ...parts] = data[by][0];
        const sum = parts.reduce((all, part) => all + part, 0);
        if (by === "sitesByDrag") {
          const area = areaOf(sum);
          return "The objects allocated in " + site + " have the most drag: " + decimal(100 * share(sum, data.spaceTime)) +
            "% of all bytes \u00d7 time, " + decimal(sum / area.size) + " " + area.name + ".";
        }
        return (by === "sitesByLive" ? "Most bytes that live at the peak are allocated in " : "Most bytes are allocated in ") +
          site + ": " + bytes(sum) + ", " + percent(share(sum, by === "sitesByLive" ? stats.most_bytes.bytes : allocated.bytes)) + ".";
      },
      columns: ["by", "method", "short_lived", "long_lived", "immortal"],
      rows: () => [].concat(...words.map(([key, text]) => data[key].map((row) => [text, ...row]))),
      controls: (redraw) => [choice("By", words, (value) => {
        by = value;
        redraw();
      })],
      chart() {
        const area = areaOf(Math.max(0, ...data[by].map((row) => row[1] + row[2] + row[3])));
        const isArea = by === "sitesByDrag";
        const unit = isArea ? "number" : "bytes";
        const title = words.find(([key]) => key === by)[1] + (isArea ? " (" + area.name + ")" : "");
        return {
          type: "bar",
          data: {
            labels: data[by].map((row) => shortened(row[0], 34)),
            datasets: LIVES.map((label, i) => ({
              label,
              data: data[by].map((row) => row[i + 1] / (isArea ? area.size : 1)),
              backgroundColor: seriesColour([5, 0, 1][i]),
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

  const causes = Object.entries(stats.causes || {}).map(([name, amount]) => [name, amount.bytes, amount.objects]);
  const groups = (stats.groups || []).map((row) => [row.to, row.groups, row.cyclic || 0, row.objects, row.bytes]);

  function causesPlot() {
    let what = "causes";
    return {
      id: "causes",
      title: "Causes and groups",
      how: "The causes of death, by bytes; and the sizes of groups of objects that die together, which show whether connectivity predicts death.",
      lack: () => (allocated.objects === 0 ? noBytes() : stats.assumptions ? "" : "The deaths are recorded in the trace: their causes and groups are unknown."),
      summary() {
        const most = causes.reduce((best, row) => (row[1] > best[1] ? row : best));
        if (what === "causes") return "Most bytes, " + bytes(most[1]) + ", by cause: " + CAUSES[most[0]] + ".";
        const sum = (column) => groups.reduce((all, row) => all + row[column], 0);
        return count(sum(1)) + " groups died, " + count(sum(2)) + " of them with a cycle.";
      },
      columns: ["table", "cause_or_most_objects", "bytes", "objects", "groups", "groups_with_a_cycle"],
      rows: () => causes.map((row) => ["cause", row[0], row[1], row[2], "", ""])
        .concat(groups.map((row) => ["group", row[0], row[4], row[3], row[1], row[2]])),
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
                line("groups", groups.map((row) => ({ x: row[0], y: row[1] })), 0, { pointRadius: 4, pointStyle: "circle" }),
                line("with a cycle", groups.filter((row) => row[2] > 0).map((row) => ({ x: row[0], y: row[2] })), 1, { pointRadius: 4, pointStyle: "rectRot", borderDash: [6, 3] }),
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
            labels: causes.map((row) => CAUSES[row[0]]),
            datasets: [{ label: "bytes", data: causes.map((row) => row[1]), backgroundColor: causes.map((row) => seriesColour(row[0].startsWith("alive") ? 1 : 0)) }],
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
    .map(([key, amount]) => [OUTLIVED[key] || key.replace(/_/g, " "), amount.bytes, amount.objects]);
  const naming = stats.threads_naming;
  const sharing = naming && [naming.one, naming.several].map((amount) => [amount.bytes, amount.objects]);

  function deathsPlot() {
    let what = "outlived";
    const pair = ([from, to]) => shortened(from, 18) + " \u2192 " + shortened(to, 18);
    const shown = () => (what === "outlived" ? outlived.filter((row) => row[2] > 0 || row[0] === outlived[0][0]) : data.deathPairs);
    return {
      id: "deaths",
      title: "Where objects die",
      how: "The number of frames open at the allocation that an object outlives: with 0 it could be on the stack. Or pairs of the allocating method and the method in which the objects die, where a free or the end of a region could stand.",
      lack: () => noBytes() || (data.hasMethods ? "" : "No method is open at any allocation of this trace."),
      summary() {
        const alone = sharing === null ? "" : " One thread alone names " + percent(share(sharing[0][0], allocated.bytes)) + " of the bytes.";
        if (what === "outlived") return bytes(outlived[0][1]) + ", " + percent(share(outlived[0][1], allocated.bytes)) + ", could be on the stack." + alone;
        if (data.deathPairs.length === 0) return stats.assumptions ? "Nothing dies." : "The deaths are recorded in the trace: where they happen is unknown.";
        const [from, to, most] = data.deathPairs[0];
        return "Most bytes, " + bytes(most) + ", are allocated in " + from + " and die in " + to + "." + alone;
      },
      columns: ["table", "frames_outlived_or_method", "death_method", "bytes", "objects"],
      rows: () => outlived.map(([label, size, objects]) => ["outlived", label, "", size, objects])
        .concat(data.deathPairs.map((row) => ["pair", ...row]))
        .concat((sharing || []).map((row, i) => ["named by", ["one thread", "several threads"][i], "", ...row])),
      controls: (redraw) => [choice("Show", [["outlived", "frames outlived"], ["pairs", "sites of allocation and death"]], (value) => {
        what = value;
        redraw();
      })],
      chart() {
        return {
          type: "bar",
          data: {
            labels: shown().map((row) => (what === "outlived" ? row[0] : pair(row))),
            datasets: [{ label: "bytes", data: shown().map((row) => row[what === "outlived" ? 1 : 2]), backgroundColor: seriesColour(0) }],
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
    return (curve.name ? shortened(curve.name, 40) : "all objects") + " (" + curve.gini.toFixed(2) + ")";
  }

  function dispersionPlot() {
    return {
      id: "dispersion",
      title: "Dispersion of lifetimes",
      how: "The inequality of lifetimes: with objects in ascending order of lifetime, the share of all lifetime (times bytes) that a share of the bytes has. The further a curve is below the diagonal, the more unequal are the lifetimes, and the nearer is the Gini coefficient (in brackets) to 1.",
      lack: noBytes,
      summary: () => "The Gini coefficient of lifetimes, weighted by bytes, is " + data.curves[0].gini.toFixed(4) +
        (data.curves.length > 1 ? "; of the largest type, " + data.curves[1].name + ", " + data.curves[1].gini.toFixed(4) : "") +
        ". Lifetimes of survivors last to the end.",
      columns: ["type", "gini", "share_of_bytes", "share_of_lifetime"],
      rows: () => [].concat(...data.curves.map((curve) =>
        curve.points.map((point) => [curve.name || "(all)", curve.gini, point[0] / 1e6, point[1] / 1e6]))),
      chart: () => ({
        type: "line",
        data: {
          datasets: data.curves.map((curve, i) =>
            line(curveName(curve), curve.points.map((point) => ({ x: point[0] / 1e6, y: point[1] / 1e6 })), i, { borderWidth: i === 0 ? 4 : 1.5 }))
            .concat([line("equal", data.curves[0].points.map((point) => ({ x: point[0] / 1e6, y: point[0] / 1e6 })), 7, { borderWidth: 1, borderDash: [2, 4] })]),
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

  function addPlot(plot) {
    const section = element("section", { className: "plot", id: plot.id, "aria-labelledby": plot.id + "-title" }, [
      element("h2", { id: plot.id + "-title" }, [plot.title]),
      element("p", { className: "how" }, [plot.how]),
    ]);
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
      ["drag (% of all bytes \u00d7 time)", "drag", (number) => decimal(100 * share(number, data.spaceTime))],
      ["drag (" + area.name + ")", "drag", inArea],
      ["drag of what is alive at the end (" + area.name + ")", "immortal_drag", inArea],
      ["live at the peak", "live_at_peak", bytes], ["alive at the end", "immortal_bytes", bytes],
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
    const { count: rowsInAll, table } = data.tables[key];
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
        (rowsInAll > table.rows.length ? "; of " + count(rowsInAll) + " in the trace, those with the most bytes are in this page" : "") + ".";
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
      note,
      element("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": title }, [
        element("table", {}, [element("thead", {}, [element("tr", {}, heads)]), body]),
      ]),
    ]));
    document.getElementById("parts").append(element("li", {}, [element("a", { href: "#" + key }, [title])]));
    fill();
  }

  // The head of the page.

  function addFigure(name, value, exact) {
    document.getElementById("figures").append(element("div", { title: exact || "" }, [element("dt", {}, [name]), element("dd", {}, [value])]));
  }

  function addHead() {
    document.title = stats.trace + " \u2013 etmerlin";
    document.getElementById("trace").textContent = stats.trace;
    document.getElementById("version").textContent = stats.etmerlin;
    addFigure("events", count(stats.events.all));
    addFigure("objects", count(allocated.objects));
    addFigure("allocated", bytes(allocated.bytes), count(allocated.bytes) + " bytes");
    if (stats.before.objects > 0) addFigure("before the trace", bytes(stats.before.bytes), count(stats.before.objects) + " objects, which are counted in the live heap only");
    addFigure("deaths", count(stats.died.objects));
    addFigure("peak of live bytes", bytes(stats.most_bytes.bytes), count(stats.most_bytes.bytes) + " bytes");
    addFigure("peak of live objects", count(stats.most_objects.objects));
    addFigure("threads", stats.threads === null ? "unknown" : count(stats.threads));
    addFigure("boundaries (ticks)", count(data.ticks));
    if (data.match) addFigure("compared with (A)", data.match.name);
    document.getElementById("assumptions").textContent = stats.assumptions
      ? "Deaths are computed, with " + Object.entries(stats.assumptions).map(([key, value]) => "--" + key.replace(/_/g, "-") + "=" + value).join(", ") +
        " and --context-depth=" + data.contextDepth + ". Events that the trace leaves out make them early (ASSUMPTIONS in man etmerlin-deaths)."
      : "The deaths are recorded in the trace, not computed. --context-depth=" + data.contextDepth + ".";
  }

  function addSource() {
    const options = data.typeSizes === null ? data.reading : [...data.reading, "--type-sizes=" + data.typeSizes];
    document.getElementById("source").textContent =
      (data.tracer === null ? "The tracer of the trace is unknown." : "The trace is of " + data.tracer + ".") +
      " Its digest (XXH3) is " + data.digest + "; etmerlin " + stats.etmerlin + " read it " +
      (options.length === 0 ? "without options." : "with " + options.join(" ") + ".");
  }

  function addRemarks() {
    const remarks = [
      [stats.unfinished !== null, "The trace is unfinished: " + stats.unfinished + "."],
      [data.match !== null && data.match.unfinished !== null, "The trace A is unfinished: " + (data.match || {}).unfinished + "."],
      [allocated.objects > 0 && stats.died.objects === 0, "Nothing dies in this trace."],
      [allocated.objects > 0 && data.ticks === 0, "The trace has no method boundary, so nothing can die before its end."],
      [allocated.objects > 0 && allocated.bytes === 0, "The trace has no sizes."],
      [allocated.objects > 0 && !data.hasMethods, "The trace has no open methods at allocations."],
      [allocated.objects > 0 && !data.hasUses, "The trace has no uses of objects."],
      [allocated.objects > 0 && !data.hasNames, "There are no name lists: types and methods are numbers."],
    ];
    document.getElementById("remarks").append(...remarks.filter(([applies]) => applies).map(([, text]) => element("li", {}, [text])));
  }

  addHead();
  addSource();
  addRemarks();
  const matchPlots = data.match ? [runsPlot(), changedPlot()] : [];
  for (const plot of [...matchPlots, livePlot(), survivalPlot(), agesPlot(), dragPlot(), nurseryPlot(), collectorsPlot(), promotionPlot(), sitesPlot(), causesPlot(), deathsPlot(), dispersionPlot()]) addPlot(plot);
  addTable("types", "Types", ["type"]);
  addTable("methods", "Methods and types", ["method", "type"]);
  addTable("contexts", "Contexts and types", ["context", "type"]);
  const redrawAll = () => drawn.forEach((redraw) => redraw());
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
  window.addEventListener("beforeprint", () => onPaper(redrawAll));
  window.addEventListener("afterprint", redrawAll);
})();
