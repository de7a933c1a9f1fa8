#!/bin/sh
#SBATCH --job-name=etmerlin --cpus-per-task=2 --mem=8G --requeue --output=/dev/null
# SPDX-License-Identifier: MIT
# Many traces on Slurm without Snakemake: a job array, whose task N processes the trace in line N of a list, and then a
# job that joins the rows to one table and makes the page. It needs no $TMPDIR. A task that is queued again, or an array
# that is submitted again, keeps finished results and tries again what failed.
# Usage: ls /data/*.trace.zst >list; array.sh "$PWD/list" "$PWD/results" [OPTION_OF_ETMERLIN]...
set -eu
refuse() {
    echo "$1" >&2
    exit 2
}
[ $# -ge 2 ] || refuse 'Usage: array.sh LIST RESULTS [OPTION_OF_ETMERLIN]...'
list=$1 results=$2
shift 2

# The number of lines; `wc -l` would not count a last line without a line end.
count_traces() {
    awk 'END { print NR }' "$list"
}

# The names of the traces, by which their results are called, as in page.py: without folder and suffixes.
names() {
    sed -E 's|/+$||; s|.*/||; s/(\.trace)?(\.(zst|gz|xz|bz2))?$//' "$list"
}

if [ -z "${SLURM_JOB_ID-}" ]; then # on the machine where it is submitted
    [ -s "$list" ] || refuse "array.sh: $list: There is no list of traces, or it is empty"
    twice=$(names | sort | uniq -d | head -n 1)
    [ -z "$twice" ] || refuse "array.sh: $list: Two traces would both be called $twice: rename one"
    folder=$(cd "$(dirname "$0")" && pwd)
    mkdir -p "$results/rows" "$results/logs"
    # What an earlier list left may be of other traces: the row by its line, the other results by their name.
    for task in $(seq "$(count_traces)"); do
        row=$results/rows/$task.tsv name=$(names | sed -n "${task}p")
        if [ ! -e "$row" ] || [ "$(cut -f 1 "$row")" != "$(sed -n "${task}p" "$list")" ]; then
            rm -f "$row" "$results/$name.live.tsv" "$results/$name.html"
        fi
    done
    job=$(sbatch --parsable --array="1-$(count_traces)%50" "$0" "$list" "$results" "$@")
    exec sbatch --parsable --dependency="afterany:${job%%;*}" --export="ALL,WORKFLOW=$folder" "$0" "$list" "$results"
fi

# In the names of results %% stands for a %, and a single one for the name of the trace.
to=$(printf '%s\n' "$results" | sed 's/%/%%/g')
if [ -n "${SLURM_ARRAY_TASK_ID-}" ]; then
    trace=$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$list")
    name=$(names | sed -n "${SLURM_ARRAY_TASK_ID}p" | sed 's/%/%%/g')
    [ -z "${SLURM_MEM_PER_NODE-}" ] || set -- --memory-limit="$((SLURM_MEM_PER_NODE * 9 / 10))M" "$@"
    exec etmerlin --skip-existing --progress=never --stats="$to/rows/$SLURM_ARRAY_TASK_ID.tsv" --no-header \
        --live="$to/$name.live.tsv" --live-points=200 --page="$to/$name.html" "$@" "$trace" \
        >"$results/logs/$SLURM_ARRAY_TASK_ID" 2>&1
fi

# Two jobs may join at once, if an array was submitted again: each has files of its own.
part=$results/.all.$SLURM_JOB_ID
etmerlin -q --stats --format=tsv /dev/null | head -n 1 >"$part.tsv"
# The row of a trace whose task was killed and left none: it has failed.
failed_row() {
    sed -n "$1p" "$list" | awk -F '\t' -v OFS='\t' 'NR == FNR { columns = NF; next }
        { $columns = "failed"; print }' "$part.tsv" -
}
for task in $(seq "$(count_traces)"); do
    if [ -e "$results/rows/$task.tsv" ]; then cat "$results/rows/$task.tsv"; else failed_row "$task"; fi
done >"$part.rows"
cat "$part.rows" >>"$part.tsv"
rm "$part.rows"
mv "$part.tsv" "$results/all.tsv"
python3 "$WORKFLOW/page.py" --live="$to/%.live.tsv" --page="$to/%.html" -o "$part.html" "$results/all.tsv"
mv "$part.html" "$results/all.html"
