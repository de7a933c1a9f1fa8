/* SPDX-License-Identifier: MIT */
/* One table of all suffixes that promise something. Names with other suffixes promise nothing.
 */
#include "io/name_form.h"

#include "io/codec.h"

#include <string.h>

static const char pictures[] =
    "; --page=FILE.html has plots, from which a browser saves SVG and PNG and prints PDF, and "
    "etmerlin-reports(5) has scripts of gnuplot";
static const char sheets[] = "; spreadsheets open .tsv and .csv";
static const char columns[] =
    "; --columns=DIR writes the table of objects for NumPy, pandas, R and DuckDB";

/* Suffixes, the form that each promises, and what to do where that is never written. ".txt"
 * also fits outputs in text of any kind, unless they have a form "text". */
static const struct promise {
    const char *suffix;
    const char *form;
    const char *advice;
} promises[] = {
    {".txt", "text", ""},
    {".json", "json", ""},
    {".tsv", "tsv", ""},
    {".csv", "csv", ""},
    {".html", "html", ""},
    {".htm", "html", ""},
    {".xml", "xml", ""},
    {".yaml", "yaml", ""},
    {".yml", "yaml", ""},
    {".md", "md", ""},
    {".hprof", "hprof", ""},
    {".jfr", "jfr", ""},
    {".trace", "trace", ""},
    {".jar", "jar", ""},
    {".class", "class", ""},
    {".java", "java", ""},
    {".pdf", "pdf", pictures},
    {".svg", "svg", pictures},
    {".png", "png", pictures},
    {".jpg", "jpg", pictures},
    {".jpeg", "jpeg", pictures},
    {".gif", "gif", pictures},
    {".eps", "eps", pictures},
    {".ps", "ps", pictures},
    {".webp", "webp", pictures},
    {".xlsx", "xlsx", sheets},
    {".xls", "xls", sheets},
    {".ods", "ods", sheets},
    {".parquet", "parquet", columns},
    {".feather", "feather", columns},
    {".arrow", "arrow", columns},
    {".npy", "npy", columns},
    {".npz", "npz", columns},
    {".h5", "h5", columns},
    {".rds", "rds", columns},
};

enum { PROMISES = sizeof promises / sizeof *promises };

const char *form_of_name(const char *path)
{
    const struct codec *codec = codec_of_path(path);
    size_t length = strlen(path) - (codec ? strlen(codec->suffix) : 0);
    for (size_t i = 0; i < PROMISES; i++) {
        size_t suffix = strlen(promises[i].suffix);
        if (length >= suffix && memcmp(path + length - suffix, promises[i].suffix, suffix) == 0)
            return promises[i].form;
    }
    return NULL;
}

bool form_find(const char *forms, const char *form, unsigned *index)
{
    size_t length = strlen(form);
    for (*index = 0;; ++*index) {
        size_t there = strcspn(forms, "|");
        if (there == length && memcmp(forms, form, length) == 0)
            return true;
        if (forms[there] == '\0')
            return false;
        forms += there + 1;
    }
}

const char *form_advice(const char *form)
{
    for (size_t i = 0; i < PROMISES; i++)
        if (strcmp(promises[i].form, form) == 0)
            return promises[i].advice;
    return "";
}
