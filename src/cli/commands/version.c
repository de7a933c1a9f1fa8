/* SPDX-License-Identifier: MIT */
/* The version of the program and of what it reads and writes with: what a report of a defect
 * needs, since the libraries are those of the machine. */
#include "cli/commands/version.h"

#include <archive.h>
#include <bzlib.h>
#include <jansson.h>
#include <lzma.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

void version_print(FILE *stream)
{
    unsigned hash = XXH_versionNumber();
    fprintf(stream, "%s\n", PACKAGE_STRING);
    fprintf(stream, "zlib %s\nzstd %s\nliblzma %s\nbzip2 %s\n", zlibVersion(),
            ZSTD_versionString(), lzma_version_string(), BZ2_bzlibVersion());
    fprintf(stream, "%s\njansson %s\n", archive_version_string(), jansson_version_str());
    fprintf(stream, "xxHash %u.%u.%u\nJudy\n", hash / 10000, hash / 100 % 100, hash % 100);
}

/* What a paper cites: the program in this version, since deaths follow from the rules that it
 * keeps, and the work that records and algorithm come from. CITATION.cff says the same. */

void citation_print(FILE *stream)
{
    fputs("@misc{etmerlin,\n"
          "  author = {{The etmerlin authors}},\n"
          "  title = {etmerlin: Object death times for heap traces},\n"
          "  note = {Version " PACKAGE_VERSION "},\n"
          "  year = {2026}\n"
          "}\n"
          "\n"
          "@inproceedings{elephant-tracks,\n"
          "  author = {Ricci, Nathan P. and Guyer, Samuel Z. and Moss, J. Eliot B.},\n"
          "  title = {Elephant Tracks: Portable Production of Complete and Precise {GC} "
          "Traces},\n"
          "  booktitle = {Proceedings of the 2013 International Symposium on Memory "
          "Management},\n"
          "  series = {ISMM '13},\n"
          "  pages = {109--118},\n"
          "  year = {2013},\n"
          "  doi = {10.1145/2491894.2466484}\n"
          "}\n"
          "\n"
          "@article{merlin,\n"
          "  author = {Hertz, Matthew and Blackburn, Stephen M. and Moss, J. Eliot B. and\n"
          "            McKinley, Kathryn S. and Stefanovi{\\'c}, Darko},\n"
          "  title = {Generating Object Lifetime Traces with {Merlin}},\n"
          "  journal = {ACM Transactions on Programming Languages and Systems},\n"
          "  volume = {28},\n"
          "  number = {3},\n"
          "  pages = {476--516},\n"
          "  year = {2006},\n"
          "  doi = {10.1145/1133651.1133654}\n"
          "}\n",
          stream);
}
