# SPDX-License-Identifier: MIT
# For all plots: checks that the table `input` has the columns `needs`; chooses the terminal by the name of the output
# (NAME.pdf, NAME.svg or NAME.png); and sets colours that the colour-blind can distinguish, with dashes for print. If
# the command `draws` is set, what it prints is set as `points`; where that is nothing, the message is `none`.
wrong = system("awk -F '\t' -v needs='" . needs . "' -f '" . folder . "/check.awk' '" . input . "' 2>&1")
if (strlen(wrong) > 0) {
    print input . ": " . wrong
    exit status 1
}
ending = output[strlen(output) - 3:*]
if (ending eq ".svg") {
    set terminal svg size 480,300 font "Helvetica,11" dashed background "white"
} else { if (ending eq ".png") {
    set terminal pngcairo size 1440,900 fontscale 2 linewidth 2 dashed background "white"
} else { if (ending eq ".pdf") {
    set terminal pdfcairo size 12cm,7.5cm font "Helvetica,9" dashed
} else {
    print output . ": The name must end with .pdf, .svg or .png."
    exit status 1
} } }
if (exists("draws")) {
    points = system(draws)
    if (strlen(points) == 0) {
        print input . ": " . none
        exit status 1
    }
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
