# SPDX-License-Identifier: MIT
"""Writes one page of many traces from a table of etmerlin --stats, of which each row is a trace.

The page is one file, which any browser shows without a network. Each trace has a row: its live heap (all at the same
scale, or each at its own), the smallest heap, how much survives 1 MiB of allocation, how much could have been on the
stack, and what objects died of. The rows can be sorted and searched; where scripts are off, the page is a plain table.

The figures are those of the files; only shares of sums are computed here. The exit status is 0, or 2 after a message
if a file cannot be read or written."""

import argparse
import base64
import collections
import csv
import hashlib
import html
import os
import re
import sys
import urllib.parse

CAUSES = ["use", "update", "frame", "container", "static", "alive"]
NUMBERS = [  # the columns with figures that a row of the page shows
    "allocated_bytes",
    "most_bytes_bytes",
    "population_smallest_heap_bytes",
    "survival_1m_bytes_percent",
    "frames_outlived_0_bytes_percent",
    *(f"causes_{name}_bytes" for name in CAUSES[:-1]),
    *(f"causes_alive_{how}_bytes" for how in ("static", "frame", "held", "used")),
]
TOO_SHORT = ("stores", "et3")  # the levels of ettrace at which lifetimes are too short (etmerlin-reports(5))
SIZE = 1000  # width and height of a drawing of a live heap


class Failure(Exception):
    pass


def read_table(path):
    try:
        with open(path, newline="", encoding="utf-8", errors="replace") as file:
            rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from error
    except csv.Error as error:
        raise Failure(f"{path}: {error}") from error
    names = rows[0] if rows else []
    for needed in ["trace", "status", "unfinished", "level", "assumptions_held_by", *NUMBERS]:
        if needed not in names:
            raise Failure(f"{path}:1: There is no column {needed}: this is no table of etmerlin --stats of this version")
    for line, row in enumerate(rows[1:], 2):
        if len(row) != len(names):
            raise Failure(f"{path}:{line}: This row has {len(row)} fields, but there are {len(names)} columns")
    table = [dict(zip(names, row)) for row in rows[1:]]
    for line, row in enumerate(table, 2):
        for column in NUMBERS:
            try:
                number(row[column])
            except ValueError as error:
                raise Failure(f'{path}:{line}: This is no number: "{row[column]}" in the column {column}') from error
    return table


def file_of(trace):
    """The name of the file: the table has its backslashes as \\\\, and bytes that are not shown as \\t or \\x1b."""

    def byte(found):
        code = found[1]
        return {b"t": b"\t", b"r": b"\r", b"n": b"\n", b"\\": b"\\"}.get(code) or bytes([int(code[1:], 16)])

    return os.fsdecode(re.sub(rb"\\([trn\\]|x[0-9a-f]{2})", byte, trace.encode()))


def base_name(trace):
    """What the workflow calls the results of a trace: its name without folder, .trace and compression."""
    return re.sub(r"(\.trace)?(\.(zst|gz|xz|bz2))?$", "", os.path.basename(trace.rstrip("/")))


def stem(trace):
    """What etmerlin puts in place of % in names of reports: the name without folder, compression and last suffix."""
    name = os.path.basename(re.sub(r"(?<=.)\.(zst|gz|xz|bz2)$", "", trace).rstrip("/"))
    return re.sub(r"(?<=.)\.[^.]*$", "", name)


def files_for(pattern, traces):
    """The file of each trace, called as the workflow does, or as etmerlin does if no other trace can be called so."""

    def named(name):
        return re.sub("%%|%", lambda found: "%" if found[0] == "%%" else name, pattern)

    names = collections.Counter(name for trace in traces for name in {base_name(trace), stem(trace)})
    files = []
    for trace in traces:
        file = named(base_name(trace))
        if not os.path.exists(file) and names[stem(trace)] == 1:
            file = named(stem(trace))
        files.append(file)
    return files


def read_curve(path):
    """The pairs of bytes allocated and most bytes live in a table of etmerlin --live; [] if the file does not exist.
    Without --live-points, each row is a boundary, and has what is live there."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            return [
                (int(row["alloc_bytes"]), int(row.get("max_bytes") or row["live_bytes"]))
                for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            ]
    except FileNotFoundError:
        return []
    except (OSError, KeyError, TypeError, ValueError, csv.Error) as error:
        raise Failure(f"{path}: This is no table of etmerlin --live: {error}") from error


def number(text):
    if text and not re.fullmatch(r"[0-9]{1,20}(\.[0-9]+)?", text):
        raise ValueError(text)
    return float(text) if text else None


def shown_bytes(value):
    if value is None:
        return ""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024:
            break
        value /= 1024
    else:
        unit = "TiB"
    return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"


def cell(value, text, title=""):
    key = "" if value is None else f' data-v="{value:.0f}"' if value == int(value) else f' data-v="{value}"'
    return f"<td{key}{title}>{html.escape(text)}</td>"


def bytes_cell(row, column):
    value = number(row[column])
    return cell(value, shown_bytes(value), f' title="{row[column]} bytes"' if value is not None else "")


def percent_cell(row, column):
    """The percentage as etmerlin rounds it: 0.00 means none, and 100.00 all."""
    return cell(number(row[column]), row[column] and f"{row[column]} %")


def shown_share(share):
    """A percentage that was computed here, and is more than 0; as above, 100.0 means all."""
    return "less than 0.1 %" if share < 0.05 else "more than 99.9 %" if 99.95 <= share < 100 else f"{share:.1f} %"


def cause_shares(row):
    """The percentage of the allocated bytes of each cause; None if causes are not known or nothing was allocated."""
    total = number(row["allocated_bytes"])
    if not total or not all(row[column] for column in NUMBERS if column.startswith("causes_")):
        return None
    sums = {name: number(row[f"causes_{name}_bytes"]) for name in CAUSES[:-1]}
    sums["alive"] = sum(number(row[f"causes_alive_{how}_bytes"]) for how in ("static", "frame", "held", "used"))
    return {name: 100 * value / total for name, value in sums.items()}


def causes_cell(row):
    shares = cause_shares(row)
    if shares is None:
        return "<td></td>"
    text = ", ".join(f"{name} {shown_share(share)}" for name, share in shares.items() if share > 0)
    bars, x = "", 0.0
    for name, share in shares.items():
        if share > 0:
            bars += f'<rect class="{name}" x="{x:.2f}" width="{share:.2f}" height="10"/>'
        x += share
    return (
        f'<td class="causes" data-v="{shares["alive"]:.2f}"><svg viewBox="0 0 100 10" preserveAspectRatio="none" '
        f'role="img" aria-label="{text}"><title>{text}</title>{bars}</svg></td>'
    )


def curve_cell(curve, most_allocated, most_live):
    """Draws a live heap. Its path reaches from 0 to SIZE both ways; `scale` shrinks it to the scale of all live heaps."""
    if not curve:
        return "<td></td>"
    allocated = max(x for x, _ in curve)
    live = max(y for _, y in curve)
    points = "L".join(f"{x * SIZE // (allocated or 1)} {y * SIZE // (live or 1)}" for x, y in curve)
    scale = f"{allocated / most_allocated:.4g} -{max(live / most_live, 0.001):.4g}"
    text = f"up to {shown_bytes(live)} live of {shown_bytes(allocated)} allocated"
    return (
        f'<td class="live" data-v="{live}"><svg viewBox="0 0 {SIZE} {SIZE}" preserveAspectRatio="none" role="img" '
        f'aria-label="{text}"><title>{text}</title><path vector-effect="non-scaling-stroke" data-scale="{scale}" '
        f'transform="translate(0 {SIZE}) scale({scale})" d="M{points}"/></svg></td>'
    )


def trace_cell(row, page):
    name = html.escape(row["trace"])
    if page and os.path.exists(page[0]):
        name = f'<a href="{html.escape(urllib.parse.quote(os.fsencode(page[1])))}">{name}</a>'
    return f'<th scope="row">{name}</th>'


def is_too_short(row):
    return row["level"] in TOO_SHORT and row["assumptions_held_by"] != "frame"


def status_cell(row):
    level = f'level {row["level"]}' if is_too_short(row) else ""
    return "<td>" + html.escape(", ".join(text for text in (row["status"], row["unfinished"], level) if text)) + "</td>"


HEADS = [
    ("trace", "the file; a link to its page, if there is one"),
    ("status", "ok, failed, or why the trace is not whole; and its level, if its lifetimes are too short"),
    ("live heap", "bytes live over bytes allocated"),
    ("allocated", "bytes"),
    ("peak", "the most bytes live at once"),
    ("smallest heap", "in which the program could have run"),
    ("survives 1 MiB", "bytes that are alive when 1 MiB has been allocated after them"),
    ("on the stack", "bytes that outlived no frame that was open at their allocation: these could have been there"),
    ("died of", "share of the bytes by cause; sorted by what is alive at the end"),
]

STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 1rem; }
table { border-collapse: collapse; width: 100%; }
thead th { position: sticky; top: 0; background: Canvas; text-align: left; vertical-align: bottom; }
th button { font: inherit; border: 0; background: none; color: inherit; padding: 0; cursor: pointer; text-align: left; }
th[aria-sort=ascending] button::after { content: " \\2191"; }
th[aria-sort=descending] button::after { content: " \\2193"; }
td, th { padding: .15rem .6rem; border-bottom: 1px solid GrayText; text-align: right; white-space: nowrap; }
tbody th { font-weight: normal; text-align: left; white-space: normal; overflow-wrap: anywhere; }
td svg { width: 12rem; height: 3rem; display: block; }
td.causes svg { height: 1rem; }
td.live path { fill: none; stroke: #1f6fb4; stroke-width: 1.5; }
tr.failed { color: #b3261e; }
.use { fill: #4477aa; } .update { fill: #66ccee; } .frame { fill: #228833; } .container { fill: #ccbb44; }
.static { fill: #ee6677; } .alive { fill: #888888; }
.legend svg { width: .8rem; height: .8rem; } .legend { margin-right: 1rem; }
@media (prefers-color-scheme: dark) { td.live path { stroke: #6db3f2; } tr.failed { color: #ff8a80; } }
"""

SCRIPT = """
"use strict";
const body = document.querySelector("tbody"), rows = Array.from(body.rows), heads = document.querySelectorAll("thead th");
const search = document.getElementById("search"), shown = document.getElementById("shown");
const own = document.getElementById("own");
function key(row, column) {
    const cell = row.cells[column];
    if (cell.dataset.v !== undefined)
        return Number(cell.dataset.v);
    return cell.textContent === "" ? null : cell.textContent;
}
/* Unknown values come last, in ascending and in descending order. */
function compare(a, b, sign) {
    if (a === null || b === null)
        return (a === null) - (b === null);
    if (typeof a === "number" && typeof b === "number")
        return sign * (a - b);
    return sign * String(a).localeCompare(String(b), undefined, {numeric: true});
}
heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") !== "ascending", sign = up ? 1 : -1;
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const keys = new Map(rows.map(row => [row, key(row, column)]));
    rows.sort((a, b) => compare(keys.get(a), keys.get(b), sign));
    body.append(...rows);
}));
function filter() {
    const words = search.value.toLowerCase().split(/\\s+/).filter(word => word);
    let count = 0;
    for (const row of rows) {
        const text = (row.cells[0].textContent + " " + row.cells[1].textContent).toLowerCase();
        row.hidden = !words.every(word => text.includes(word));
        count += !row.hidden;
    }
    shown.textContent = count + " of " + rows.length + " traces";
}
search.addEventListener("input", filter);
own.addEventListener("change", () => {
    for (const path of document.querySelectorAll("td.live path"))
        path.setAttribute("transform", "translate(0 1000) scale(" + (own.checked ? "1 -1" : path.dataset.scale) + ")");
});
filter();
"""


def source_hash(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def page_of(rows, curves, pages):
    most_allocated = max((x for curve in curves for x, _ in curve), default=1) or 1
    most_live = max((y for curve in curves for _, y in curve), default=1) or 1
    lines = []
    for row, curve, page in zip(rows, curves, pages):
        lines.append(
            f'<tr{"" if row["status"] == "ok" else " class=failed"}>'
            + trace_cell(row, page)
            + status_cell(row)
            + curve_cell(curve, most_allocated, most_live)
            + "".join(bytes_cell(row, column) for column in ("allocated_bytes", "most_bytes_bytes", "population_smallest_heap_bytes"))
            + percent_cell(row, "survival_1m_bytes_percent")
            + percent_cell(row, "frames_outlived_0_bytes_percent")
            + causes_cell(row)
            + "</tr>"
        )
    heads = "".join(f'<th scope="col" title="{title}"><button>{name}</button></th>' for name, title in HEADS)
    legend = "".join(
        f'<span class="legend"><svg viewBox="0 0 1 1"><rect class="{name}" width="1" height="1"/></svg> {name}</span>'
        for name in CAUSES
    )
    failed = sum(row["status"] != "ok" for row in rows)
    too_short = sum(map(is_too_short, rows))
    caution = f"\n<p>{too_short} lack local variables, so lifetimes are too short: search for level.</p>" if too_short else ""
    policy = f"default-src 'none'; script-src {source_hash(SCRIPT)}; style-src {source_hash(STYLE)}"
    return f"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width">
<title>{len(rows)} traces</title>
<style>{STYLE}</style>
<h1>{len(rows)} traces</h1>
<p>{failed} failed. The live heaps are at the same scale: {shown_bytes(most_allocated)} allocated by
{shown_bytes(most_live)} live.</p>{caution}
<p><label>Search <input id="search" type="search"></label> <span id="shown"></span>
<label><input id="own" type="checkbox"> each live heap at its own scale</label></p>
<p>{legend}</p>
<table>
<thead><tr>{heads}</tr></thead>
<tbody>
{chr(10).join(lines)}
</tbody>
</table>
<script>{SCRIPT}</script>
</html>
"""


def main():
    parser = argparse.ArgumentParser(description="Writes one page of many traces from a table of etmerlin --stats.")
    parser.add_argument("table", help="rows of etmerlin --stats, with the names of the columns")
    parser.add_argument("-o", "--output", required=True, help="the page")
    parser.add_argument("--live", help="a file of etmerlin --live for each trace; %% is its name, and %%%% a %%")
    parser.add_argument("--page", help="the page of each trace, with a %% for its name, to be linked")
    arguments = parser.parse_args()
    folder = os.path.dirname(os.path.abspath(arguments.output))
    try:
        rows = read_table(arguments.table)
        traces = [file_of(row["trace"]) for row in rows]
        pages = [None] * len(rows)
        if arguments.page:
            pages = [(file, os.path.relpath(file, folder)) for file in files_for(arguments.page, traces)]
        curves = [[] for _ in rows]
        if arguments.live:
            curves = [read_curve(file) for file in files_for(arguments.live, traces)]
        text = page_of(rows, curves, pages)
        with open(arguments.output + ".part", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(arguments.output + ".part", arguments.output)
    except Failure as failure:
        print(f"page.py: {failure}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"page.py: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
