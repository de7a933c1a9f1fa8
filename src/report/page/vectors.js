// SPDX-License-Identifier: MIT
// Pictures of charts in SVG: what Chart.js has laid out on a canvas, drawn again as vectors. It knows what
// the page draws (lines, areas, points, bars that lie) and no more.
const vectors = (function () {
  "use strict";

  const SPACE = "http://www.w3.org/2000/svg";

  function node(name, attributes, children) {
    const made = document.createElementNS(SPACE, name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== undefined) made.setAttribute(key, typeof value === "number" ? String(Math.round(value * 100) / 100) : value);
    }
    made.append(...(children || []));
    return made;
  }

  function stroke(dataset) {
    const dash = (dataset.borderDash || []).join(" ");
    return { stroke: dataset.showLine === false ? "none" : dataset.borderColor, "stroke-width": dataset.borderWidth, "stroke-dasharray": dash || undefined };
  }

  function diamond(point, dataset) {
    return node("rect", { x: point.x - 3, y: point.y - 3, width: 6, height: 6, fill: dataset.borderColor, transform: "rotate(45 " + point.x + " " + point.y + ")" });
  }

  // A series as the legend shows it, `width` wide around the height 0.
  function key(dataset, isLine, width) {
    if (dataset.showLine === false) return diamond({ x: width / 2, y: 0 }, dataset);
    if (isLine) return node("line", Object.assign({ x1: 0, y1: 0, x2: width, y2: 0 }, stroke(dataset)));
    return node("rect", Object.assign({ x: 0.5, y: -5.5, width: width - 1, height: 11, fill: dataset.backgroundColor }, stroke(dataset)));
  }

  function text(said, x, y, more) {
    return node("text", Object.assign({ x, y }, more), [said]);
  }

  function drawAxis(scale, area, style) {
    const across = scale.isHorizontal();
    const drawn = [];
    scale.ticks.forEach((tick, i) => {
      const at = scale.getPixelForTick(i);
      const label = Array.isArray(tick.label) ? tick.label.join(" ") : String(tick.label);
      drawn.push(node("line", across
        ? { x1: at, y1: area.top, x2: at, y2: area.bottom, stroke: style.grid }
        : { x1: area.left, y1: at, x2: area.right, y2: at, stroke: style.grid }));
      drawn.push(across
        ? text(label, at, area.bottom + 16, { "text-anchor": "middle" })
        : text(label, area.left - 8, at + 4, { "text-anchor": "end", "font-size": (scale.options.ticks.font || {}).size }));
    });
    const title = scale.options.title;
    if (title && title.display) {
      const middle = across ? (area.left + area.right) / 2 : (area.top + area.bottom) / 2;
      drawn.push(across
        ? text(title.text, middle, scale.bottom - 6, { "text-anchor": "middle" })
        : text(title.text, 0, 0, { "text-anchor": "middle", transform: "translate(" + (scale.left + 14) + " " + middle + ") rotate(-90)" }));
    }
    return drawn;
  }

  function drawPoints(meta, dataset) {
    if (!(dataset.pointRadius > 0)) return [];
    return meta.data.map((point) => (dataset.pointStyle === "rectRot"
      ? diamond(point, dataset)
      : node("circle", { cx: point.x, cy: point.y, r: dataset.pointRadius, fill: dataset.borderColor })));
  }

  function drawLine(meta, dataset, base) {
    const path = meta.data.map((point, i) => (i === 0 ? "M" : "L") + point.x.toFixed(2) + " " + point.y.toFixed(2)).join("");
    const drawn = [];
    if (meta.data.length === 0) return drawn;
    if (dataset.fill) {
      const [first, last] = [meta.data[0], meta.data[meta.data.length - 1]];
      drawn.push(node("path", { d: path + "L" + last.x.toFixed(2) + " " + base.toFixed(2) + "L" + first.x.toFixed(2) + " " + base.toFixed(2) + "Z", fill: dataset.backgroundColor }));
    }
    drawn.push(node("path", Object.assign({ d: path, fill: "none", "stroke-linejoin": "round" }, stroke(dataset))));
    return drawn.concat(drawPoints(meta, dataset));
  }

  function drawBars(meta, dataset) {
    return meta.data.map((bar, i) => node("rect", {
      x: Math.min(bar.base, bar.x), y: bar.y - bar.height / 2, width: Math.abs(bar.x - bar.base), height: bar.height,
      fill: Array.isArray(dataset.backgroundColor) ? dataset.backgroundColor[i] : dataset.backgroundColor,
    }));
  }

  function drawLegend(chart, isLine) {
    const boxes = chart.legend.legendHitBoxes || [];
    if (!chart.legend.options.display) return [];
    return chart.legend.legendItems.map((item, i) => node("g", { transform: "translate(" + boxes[i].left + " " + (boxes[i].top + boxes[i].height / 2) + ")" }, [
      key(chart.data.datasets[item.datasetIndex], isLine, 30), text(item.text, 36, 4, {}),
    ]));
  }

  // The text of an SVG file of `chart`, on `ground`.
  function picture(chart, ground) {
    const { width, height, chartArea: area, scales } = chart;
    const options = chart.config.options;
    const isLine = chart.config.type === "line";
    const style = { grid: scales.x.options.grid.color };
    const base = scales.y.type === "logarithmic" ? area.bottom : scales.y.getPixelForValue(0);
    const drawn = [];
    // The first series is on top.
    for (const meta of chart.getSortedVisibleDatasetMetas().reverse()) {
      const dataset = chart.data.datasets[meta.index];
      drawn.push(...(isLine ? drawLine(meta, dataset, base) : drawBars(meta, dataset)));
    }
    const made = node("svg", { xmlns: SPACE, width, height, viewBox: "0 0 " + width + " " + height, "font-family": "Helvetica, Arial, sans-serif", "font-size": 12, fill: options.color }, [
      node("rect", { width, height, fill: ground }),
      node("clipPath", { id: "area" }, [node("rect", { x: area.left, y: area.top - 2, width: area.right - area.left, height: area.bottom - area.top + 4 })]),
      ...drawAxis(scales.x, area, style), ...drawAxis(scales.y, area, style),
      node("g", { "clip-path": "url(#area)" }, drawn),
      ...drawLegend(chart, isLine && !options.areas),
    ]);
    return new XMLSerializer().serializeToString(made) + "\n";
  }

  // How a series is drawn, as an element for a legend.
  function sample(dataset, isLine) {
    return node("svg", { width: 30, height: 14, viewBox: "0 -7 30 14", "aria-hidden": "true" }, [key(dataset, isLine, 30)]);
  }

  return { picture, sample };
})();
