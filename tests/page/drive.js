// SPDX-License-Identifier: MIT
// Uses the page as a reader does, and writes what is wrong: blank canvases, data that do not add up
// to the statistics, tables that do not sort, links without a target.
"use strict";

const frame = document.getElementById("frame");
const [pageFile, what, ...wanted] = location.hash.slice(1).split(",");

function fault(what) {
  document.getElementById("faults").append(what + "\n");
}

function expect(isTrue, what) {
  if (!isTrue) fault(what);
}

function equal(said, wanted, what) {
  expect(Math.abs(said - wanted) <= 1e-9 * Math.abs(wanted), what + ": " + said + ", and not " + wanted);
}

// Whether something is drawn on the canvas, and not everywhere.
function isDrawn(canvas) {
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const pixels = context.getImageData(0, 0, copy.width, copy.height).data;
  let drawn = 0;
  for (let i = 3; i < pixels.length; i += 4) if (pixels[i] > 0) drawn++;
  return drawn > 500 && drawn < pixels.length / 4;
}

function picture(canvas) {
  return canvas.toDataURL();
}

function change(control, value) {
  control.value = value;
  control.dispatchEvent(new Event(control.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
}

// The URL that a link offers for download, without following it.
function offered(page, link) {
  const stop = (event) => event.preventDefault();
  page.addEventListener("click", stop);
  link.click();
  page.removeEventListener("click", stop);
  return link.href;
}

function rowsOf(href) {
  const rows = decodeURIComponent(href.slice(href.indexOf(",") + 1)).split("\n");
  expect(rows.pop() === "", "the last line has no end");
  return rows.map((row) => row.split("\t"));
}

function sum(rows, column) {
  return rows.reduce((all, row) => all + Number(row[column]), 0);
}

// The SVG has all series, and the words of the axes and the legend.
function checkSvg(href, section, id) {
  const text = decodeURIComponent(href.slice(href.indexOf(",") + 1));
  const made = new DOMParser().parseFromString(text, "image/svg+xml");
  expect(href.startsWith("data:image/svg+xml") && !made.querySelector("parsererror"), id + ": no SVG: " + text.slice(0, 200));
  expect(!/NaN|undefined|Infinity/.test(text), id + ": SVG has no number somewhere");
  const series = section.querySelectorAll(".legend button").length;
  const drawn = made.querySelectorAll("g[clip-path] > path[fill=none], g[clip-path] > rect").length;
  expect(drawn >= series && drawn > 0, id + ": SVG has " + drawn + " of " + series + " series");
  const words = [...made.querySelectorAll("text")].map((word) => word.textContent);
  expect(words.length > 5, id + ": SVG has no words");
  if (series > 1) {
    for (const button of section.querySelectorAll(".legend button")) expect(words.includes(button.textContent), id + ": SVG has no " + button.textContent);
  }
}

// Each button of the legend shows and hides its series.
function checkLegend(section, canvas, id) {
  if (section.querySelector(".legend").hidden) return;
  const first = section.querySelector(".legend button");
  first.click();
  first.click(); // so that the layout has its final form
  const before = picture(canvas);
  let changes = 0;
  for (const button of section.querySelectorAll(".legend button")) {
    button.click();
    changes += picture(canvas) !== before;
    expect(button.getAttribute("aria-pressed") === "false", id + ": the legend does not hide " + button.textContent);
    button.click();
    expect(picture(canvas) === before && button.getAttribute("aria-pressed") === "true", id + ": the legend does not show " + button.textContent);
  }
  expect(changes >= 1, id + ": the legend changes nothing");
}

// Arrow keys show the value of each series.
function checkKeys(section, canvas, id) {
  const said = section.querySelector("[role=status]");
  const before = picture(canvas);
  canvas.focus();
  const heard = ["ArrowRight", "ArrowRight", "End", "ArrowLeft", "Home"].map((key) => {
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    for (const button of section.querySelectorAll(".legend button")) {
      expect(said.textContent.includes(button.textContent + ": "), id + ": " + key + " says nothing of " + button.textContent + ": " + said.textContent);
    }
    return said.textContent;
  });
  expect(new Set(heard).size >= 2 && heard[0] === heard[4], id + ": keys say " + heard.join(" | "));
  expect(picture(canvas) !== before, id + ": no tooltip");
  canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  expect(picture(canvas) === before, id + ": the tooltip stays");
}

const PLOTS = ["live", "survival", "ages", "drag", "nursery", "collectors", "promotion", "sites", "causes", "deaths", "dispersion"];

// The names of the plots; a page of two runs has other ones.
function plotsOf(data) {
  return data.match ? ["runs", "changed", ...PLOTS] : PLOTS;
}

function checkPlots(page, data, stats) {
  for (const id of plotsOf(data)) {
    const section = page.getElementById(id);
    const canvas = section.querySelector("canvas");
    expect(section.querySelector(".how").textContent.length > 40, id + ": no sentence");
    if (!canvas) {
      fault(id + ": no canvas: " + section.textContent);
      continue;
    }
    expect(isDrawn(canvas), id + ": blank");
    expect(canvas.getAttribute("role") === "img" && canvas.getAttribute("aria-label").length > 30, id + ": no text for it");
    const [tsv, png, svg] = section.querySelectorAll(".offers a");
    const rows = rowsOf(offered(page, tsv));
    expect(rows.length > 2 && rows.length <= 2001 && rows.every((row) => row.length === rows[0].length), id + ": TSV of " + rows.length + " rows");
    expect(offered(page, png).startsWith("data:image/png;base64,iVBOR"), id + ": no PNG");
    checkSvg(offered(page, svg), section, id);
    for (const link of [tsv, png, svg]) {
      expect(stats.trace.includes("/" + link.download.split("." + id + ".")[0] + ".trace"), id + ": the file is called " + link.download);
    }
    checkLegend(section, canvas, id);
    checkKeys(section, canvas, id);
  }
  const causes = rowsOf(offered(page, page.querySelector("#causes .offers a"))).filter((row) => row[0] === "cause");
  equal(sum(causes, 2), stats.allocated.bytes, "bytes by cause");
  equal(sum(causes, 3), stats.allocated.objects, "objects by cause");
  const groups = rowsOf(offered(page, page.querySelector("#causes .offers a"))).filter((row) => row[0] === "group");
  equal(sum(groups, 3), stats.died.objects, "objects by group");
  const outlived = rowsOf(offered(page, page.querySelector("#deaths .offers a"))).filter((row) => row[0] === "outlived");
  equal(sum(outlived, 3), stats.allocated.bytes, "bytes by frames outlived");
  equal(sum(outlived, 4), stats.allocated.objects, "objects by frames outlived");
  const live = rowsOf(offered(page, page.querySelector("#live .offers a"))).slice(1);
  equal(Math.max(...live.map((row) => Number(row[1]))), stats.most_bytes.bytes, "peak");
}

function checkControls(page) {
  for (const select of page.querySelectorAll(".controls select")) {
    const canvas = select.closest("section").querySelector("canvas");
    const caption = select.closest("section").querySelector(".summary");
    let before = picture(canvas);
    let captioned = caption.textContent;
    for (const option of [...select.options].slice(1).concat(select.options[0])) {
      change(select, option.value);
      // Collectors may cost the same with another nursery or tenure; then the caption alone changes.
      const mayStay = Boolean(select.closest("#collectors, #promotion"));
      expect((mayStay || picture(canvas) !== before) && isDrawn(canvas), "nothing changes with " + option.value);
      expect(caption.textContent !== captioned, "the caption is the same with " + option.value);
      before = picture(canvas);
      captioned = caption.textContent;
    }
  }
  const slider = page.querySelector("#live input[type=range]");
  const canvas = page.querySelector("#live canvas");
  const seen = new Set();
  for (let size = 0; size <= Number(slider.max); size++) {
    change(slider, String(size));
    seen.add(picture(canvas) + page.querySelector("#live output").textContent);
  }
  expect(seen.size === Number(slider.max) + 1, "the nursery: " + seen.size + " pictures of " + slider.max + " + 1");
}

function checkTable(page, key, names) {
  const section = page.getElementById(key);
  const rows = () => [...section.querySelectorAll("tbody tr")].map((row) =>
    [...row.cells].map((cell, i) => (i < names ? cell.textContent : cell.title === "" ? null : Number(cell.title))));
  const heads = section.querySelectorAll("th button");
  const more = [...section.querySelectorAll("button")].find((button) => button.textContent === "Show all");
  if (!more.hidden) more.click();
  const all = rows().length;
  expect(all > 0 && more.hidden, key + ": " + all + " rows");
  for (let column = 0; column < heads.length; column++) {
    for (let turn = 0; turn < 2; turn++) {
      heads[column].click();
      const down = heads[column].parentElement.getAttribute("aria-sort") === "descending";
      const values = rows().map((row) => row[column]).filter((value) => value !== null);
      expect(values.every((value, i) => i === 0 || values[i - 1] === value || (values[i - 1] > value) === down), key + ": column " + column + " is not sorted");
      expect(rows().length === all, key + ": rows are lost");
    }
  }
  const search = section.querySelector("input[type=search]");
  const wanted = rows()[0][0];
  change(search, wanted.toUpperCase());
  expect(rows().length > 0 && rows().every((row) => row.slice(0, names).some((name) => name.toLowerCase().includes(wanted.toLowerCase()))), key + ": search");
  change(search, "no such name \u2620");
  expect(rows().length === 0, key + ": search for nothing");
  change(search, "");
  expect(rows().length === all, key + ": search is over");
  expect(rowsOf(offered(page, section.querySelector(".search a"))).length === all + 1, key + ": TSV");
}

function checkKeyboard(page) {
  for (const control of page.querySelectorAll("a, button, select, input, canvas")) {
    if (control.closest("[hidden]")) continue;
    control.focus();
    expect(page.activeElement === control, "no focus on " + control.outerHTML);
  }
}

// Names are shown as text, and make no elements.
function checkMarkup(page) {
  const allowed = /^(HTML|HEAD|META|TITLE|LINK|STYLE|BODY|HEADER|P|SPAN|H1|H2|BDI|DL|DT|DD|DIV|UL|LI|STRONG|NAV|A|MAIN|SECTION|CANVAS|LABEL|SELECT|OPTION|INPUT|OUTPUT|BUTTON|TABLE|THEAD|TBODY|TR|TH|TD|FOOTER|CODE|DETAILS|SUMMARY|SCRIPT|NOSCRIPT|svg|line|rect)$/;
  for (const found of page.querySelectorAll("*")) expect(allowed.test(found.tagName), "an element " + found.outerHTML);
  expect(page.scripts.length === 5, page.scripts.length + " scripts");
}

// Waits until the browser has drawn.
function pause() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)));
}

// Charts follow a new width a little later.
async function checkWidth(page) {
  frame.width = 360;
  for (let turn = 0; turn < 50 && page.documentElement.scrollWidth > 360; turn++) await pause();
  expect(page.documentElement.scrollWidth <= 360, "at 360 px the page is " + page.documentElement.scrollWidth + " px wide: " +
    [...page.querySelectorAll("*")].filter((found) => found.getBoundingClientRect().right > 361 && !found.closest(".scroll")).map((found) => found.tagName + "#" + found.id).join(" "));
}

// Valgrind's viewer, given the file as if opened there, shows its sums.
function checkViewer(viewer) {
  window.text = JSON.stringify(window.dhat);
  viewer.eval("gFilename = 'dhat.json'; gData = JSON.parse(parent.text); buildTree(); displayTree(0, 0, 0)");
  expect(viewer.document.body.textContent.includes("Allocated at {"), "the viewer shows " + viewer.document.body.textContent.slice(0, 300));
  const root = viewer.eval("gRoot");
  const [bytes, objects, peak, alive] = wanted;
  equal(root._totalBytes, Number(bytes), "bytes");
  equal(root._totalBlocks, Number(objects), "objects");
  equal(root._atTGmaxBytes, Number(peak), "peak");
  equal(root._atTEndBytes, Number(alive), "alive");
}

// The sentence on drag has the figure of the statistics.
function checkDrag(page, stats) {
  const caption = page.querySelector("#drag .summary");
  if (!caption) return;
  const { lag, use, drag, void: unused } = stats.phases.all;
  const all = lag + use + drag + unused;
  const share = all > 0 ? Number((100 * drag / all).toPrecision(3)) : 0;
  const text = share === 100 && drag < all ? "> 99.9" : String(share);
  expect(caption.textContent.includes(", " + text + "% dragged"), "drag: " + caption.textContent);
}

// The sentence on the live heap has the number of objects that are alive at the end, also of those before the trace.
function checkAlive(page, stats) {
  const select = page.querySelector("#live .controls select");
  if (!select) return;
  change(select, "objects");
  const said = page.querySelector("#live .summary").textContent;
  const alive = stats.alive.objects + stats.before.alive.objects;
  const number = (value) => value.toLocaleString("en");
  const older = stats.before.objects > 0 ? ", " + number(stats.alive.objects) + " of these allocated in the trace" : "";
  const ending = stats.assumptions !== null && stats.assumptions.at_end === "die"
    ? " What is alive at the end dies after the last record (--at-end=die)." : " " + number(alive) + " are alive at the end" + older + ".";
  expect(said.endsWith(ending), "alive: " + said);
  change(select, "bytes");
}

async function checkPage(page) {
  const [stats, data] = ["stats", "data"].map((id) => JSON.parse(page.getElementById(id).textContent));
  checkMarkup(page);
  checkDrag(page, stats);
  checkAlive(page, stats);
  if (what === "all") {
    checkPlots(page, data, stats);
    checkControls(page);
    checkTable(page, "types", 1);
    checkTable(page, "methods", 2);
    checkTable(page, "contexts", 2);
    checkKeyboard(page);
    equal(stats.allocated.bytes, Number(wanted[0]), "bytes");
    equal(stats.allocated.objects, Number(wanted[1]), "objects");
    equal(stats.most_bytes.bytes, Number(wanted[2]), "peak");
    equal(stats.alive.bytes, Number(wanted[3]), "alive");
  } else {
    expect(page.querySelectorAll(".plot").length === plotsOf(data).length, "a plot is left out");
    for (const plot of page.querySelectorAll(".plot")) expect(plot.querySelector("canvas, .lack"), plot.id + " is empty");
  }
  await checkWidth(page);
}

// The browser's virtual clock jumps to the next timer when there is nothing to do, even while a frame is drawn in
// another process. So there always is a timer, or the time could be over before everything was tested.
const clock = setInterval(() => {}, 1);
frame.addEventListener("load", async () => {
  try {
    if (what === "viewer") checkViewer(frame.contentWindow);
    else await checkPage(frame.contentDocument);
  } catch (error) {
    fault(String(error.stack));
  }
  document.getElementById("end").textContent = "all was tried";
  clearInterval(clock);
});
frame.src = pageFile;
