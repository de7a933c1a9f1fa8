// SPDX-License-Identifier: MIT
import freemarker.template.Configuration;
import freemarker.template.Template;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Fills a template of FreeMarker with lists. */
public final class Pages {
    private Pages() {}

    public static void main(String[] arguments) throws Exception {
        Configuration configuration = new Configuration(Configuration.VERSION_2_3_31);
        String text = "<#list rows as row>${row.name?upper_case}: <#list 1..row.count as i>${i * 2} </#list>\n</#list>";
        Template template = new Template("rows", text, configuration);
        int sum = 0;
        for (int round = 1; round <= 40; round++) {
            List<Map<String, Object>> rows = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                rows.add(Map.of("name", "row " + i, "count", i % round + 1));
            }
            StringWriter page = new StringWriter();
            template.process(Map.of("rows", rows), page);
            sum += page.toString().length();
        }
        System.out.println(sum);
    }
}
