// SPDX-License-Identifier: MIT
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Reads a page of HTML with jsoup, and changes what selectors find. */
public final class Html {
    private Html() {}

    public static void main(String[] arguments) {
        StringBuilder text = new StringBuilder("<title>list</title><ul>");
        for (int i = 0; i < 300; i++) {
            text.append("<li class=c").append(i % 3).append("><b>item ").append(i).append("</b> and more");
        }
        int sum = 0;
        for (int round = 0; round < 10; round++) {
            Document page = Jsoup.parse(text.toString());
            for (Element item : page.select("li.c1 > b")) {
                item.parent().append("<i>" + item.text() + "</i>");
            }
            sum += page.outerHtml().length();
        }
        System.out.println(sum);
    }
}
