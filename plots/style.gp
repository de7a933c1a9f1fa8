# SPDX-License-Identifier: MIT
# What the plots share: a terminal by the name of the output (NAME.pdf or NAME.svg), and colours that
# the colour-blind can tell apart, with dashes for print.
if (output[strlen(output) - 3:*] eq ".svg") {
    set terminal svg size 480,300 font "Helvetica,11" dashed background "white"
} else {
    set terminal pdfcairo size 12cm,7.5cm font "Helvetica,9" dashed
}
set output output
set style line 1 linecolor rgb "#0072b2" linewidth 2 dashtype 1
set style line 2 linecolor rgb "#d55e00" linewidth 2 dashtype 2
set style line 3 linecolor rgb "#e69f00" linewidth 2 dashtype 3
set style line 4 linecolor rgb "#cc79a7" linewidth 2 dashtype 4
set border 3
set tics nomirror
set grid linecolor rgb "#c9ced6"
set key above
KIB = 1024.0
MIB = KIB * KIB
