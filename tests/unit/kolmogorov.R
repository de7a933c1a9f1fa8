# SPDX-License-Identifier: MIT
# Writes tests/unit/kolmogorov_expected.h: two-sample Kolmogorov-Smirnov tests by R.
#
#     Rscript tests/unit/kolmogorov.R >tests/unit/kolmogorov_expected.h
set.seed(1)
cat("/* SPDX-License-Identifier: MIT */\n")
cat("/* By R: ks.test(a, b, exact = FALSE). Written by tests/unit/kolmogorov.R. */\n")
cat("static const struct ks_case ks_cases[] = {\n")
for (t in 1:40) {
    n <- sample(c(1:5, 30, 40), 1)
    m <- sample(c(1:5, 30, 50), 1)
    most <- sample(c(3, 20, 1000), 1)
    a <- sample(0:most, n, replace = TRUE)
    b <- if (t %% 3 == 0) sample(a, m, replace = TRUE) else sample(0:most, m, replace = TRUE) + t %% 4
    k <- suppressWarnings(ks.test(a, b, exact = FALSE))
    cat(sprintf("    {%d, %d, {%s}, {%s}, %.9f, %.9f},\n", n, m, paste(a, collapse = ", "),
                paste(b, collapse = ", "), k$statistic, k$p.value))
}
cat("};\n")
