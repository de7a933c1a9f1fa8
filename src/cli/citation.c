/* SPDX-License-Identifier: MIT */
/* What a paper cites: the program in this version, since deaths follow from the rules that it
 * keeps, and the work that records and algorithm come from. CITATION.cff says the same. */
#include "cli/citation.h"

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
