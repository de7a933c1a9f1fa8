/* SPDX-License-Identifier: MIT */
/* Files and files in archives, by the URLs that the JDK has for them. */
#include "../../tracer/native/archives.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

TestSuite(archives, .fini = scratch_remove);

enum { URL_SIZE = PATH_SIZE + 64 };

static void add(zip_t *zip, const char *name, const char *text, size_t length)
{
    zip_source_t *source = zip_source_buffer(zip, text, length, 0);
    must(source && zip_file_add(zip, name, source, ZIP_FL_ENC_UTF_8) >= 0, "not added");
}

/* Makes the archive `name` in the test's folder. */
static void make_archive(const char *name, const char *text, size_t length)
{
    char path[PATH_SIZE];
    zip_t *zip = zip_open(scratch_path(path, name), ZIP_CREATE, NULL);
    must(zip, "no archive");
    add(zip, "a/Long.class", text, length);
    add(zip, "a/\303\244 %.class", "umlaut", strlen("umlaut"));
    add(zip, "Empty.class", "", 0);
    must(zip_close(zip) == 0, "not written");
}

/* Expects these bytes at PREFIX, the test's folder, and SUFFIX; NULL: it cannot be read. */
static void expect_read(const char *prefix, const char *suffix, const char *text, size_t length)
{
    char path[PATH_SIZE], url[URL_SIZE];
    size_t found = 0;
    snprintf(url, sizeof url, "%s%s/%s", prefix, scratch_path(path, ""), suffix);
    unsigned char *bytes = archives_read(url, &found);
    must((bytes != NULL) == (text != NULL), "%s: read or not", url);
    if (text)
        must(found == length && memcmp(bytes, text, length) == 0, "%s: other bytes", url);
    free(bytes);
}

static void expect_text(const char *prefix, const char *suffix, const char *text)
{
    expect_read(prefix, suffix, text, text ? strlen(text) : 0);
}

Test(archives, entries)
{
    enum { LENGTH = 300000 };
    char *text = malloc(LENGTH);
    for (size_t i = 0; i < LENGTH; i++)
        text[i] = (char)(i * i / 7);
    make_archive("of +1%.jar", text, LENGTH);
    make_archive("other.jar", "other", strlen("other"));
    for (int round = 0; round < 2; round++) {
        expect_read("jar:file:", "of%20+1%25.jar!/a/Long.class", text, LENGTH);
        expect_text("jar:file:", "other.jar!/a/Long.class", "other");
        expect_text("jar:file:", "other.jar!/a/%c3%A4%20%25.class", "umlaut");
        expect_text("jar:file:", "other.jar!/Empty.class", "");
        expect_text("jar:file:", "other.jar!/None.class", NULL);
        expect_text("jar:file:", "none.jar!/Empty.class", NULL);
    }
    free(text);
}

static void expect_in(const char *path, const char *name, const char *wanted)
{
    char at[PATH_SIZE];
    size_t length = 0;
    unsigned char *bytes = archives_read_in(scratch_path(at, path), name, &length);
    bool is_right =
        wanted ? bytes && length == strlen(wanted) && !memcmp(bytes, wanted, length) : !bytes;
    must(is_right, "of a path");
    free(bytes);
}

/* A path and a name are taken as they are. The path may be a folder, too. */
Test(archives, in_a_path)
{
    char path[PATH_SIZE];
    make_archive("of 20%20.jar", "text", strlen("text"));
    write_file(scratch_path(path, "plain"), "plain", strlen("plain"));
    expect_in("of 20%20.jar", "a/\303\244 %.class", "umlaut");
    expect_in("of 20%20.jar", "a/Long", NULL);
    expect_in("none.jar", "a/Long.class", NULL);
    expect_in("", "plain", "plain");
    expect_in("", "none", NULL);
}

Test(archives, files)
{
    char path[PATH_SIZE];
    write_file(scratch_path(path, "a b"), "text", strlen("text"));
    write_file(scratch_path(path, "empty"), "", 0);
    expect_text("file:", "a%20b", "text");
    expect_text("file:", "a%2", NULL);
    expect_text("file:", "empty", "");
    expect_text("file:", "", NULL); /* a folder */
    expect_text("jar:file:", "a%20b!/text", NULL);
}

Test(archives, other_urls)
{
    char path[PATH_SIZE];
    write_file(scratch_path(path, "file"), "text", strlen("text"));
    expect_text("jrt:", "file", NULL);
    expect_text("http://host", "file", NULL);
    expect_text("jar:http://host", "a.jar!/file", NULL);
    expect_text("jar:file:", "file", NULL);
}
