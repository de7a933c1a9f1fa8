/* SPDX-License-Identifier: MIT */
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Texts that are split, joined, matched, formatted and put together in one expression. */
public class Texts {
    private static final String POEM = "roses are red and violets are blue";
    private static List<String> kept = new ArrayList<>();

    static String turned(String text) {
        return new StringBuilder(text).reverse().toString();
    }

    static void split() {
        StringJoiner joiner = new StringJoiner("-", "<", ">");
        for (String word : POEM.split(" ")) {
            joiner.add(turned(word));
            kept.add(word.toUpperCase(Locale.ROOT));
        }
        System.out.println(joiner);
    }

    static void match() {
        Matcher matcher = Pattern.compile("(\\w)(\\w+)").matcher(POEM);
        while (matcher.find()) {
            kept.add(matcher.group(2) + matcher.group(1) + kept.size());
        }
        System.out.println(POEM.replaceAll("r.", "x"));
    }

    static void format() {
        for (int i = 0; i < 3; i++) {
            kept.add(String.format("%5d|%-5s|%x", i, kept.get(i), i * 77));
        }
        System.out.println(kept.get(kept.size() - 1));
    }

    public static void main(String[] arguments) {
        split();
        match();
        format();
        kept = null;
        System.out.println(turned(POEM).strip().length());
    }
}
