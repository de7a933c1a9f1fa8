/* SPDX-License-Identifier: MIT */
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.velocity.VelocityContext;
import org.apache.velocity.app.VelocityEngine;

/** A template is rendered again and again; the argument is how often. */
public class Templates {
    public static class Item {
        private final int number;

        Item(int number) {
            this.number = number;
        }

        public String getName() {
            return "item " + number;
        }

        public int getPrice() {
            return number * 3;
        }
    }

    private static final String TEMPLATE = "#macro(row $i)<tr><td>$i.name</td><td>$i.price</td></tr>#end"
            + "#set($sum = 0)#foreach($i in $items)#row($i)#set($sum = $sum + $i.price)"
            + "#if($i.price > 60)<b>$i.name</b>#else<i>$map.get(\"k$foreach.count\")</i>#end#end sum $sum";

    public static void main(String[] arguments) {
        VelocityEngine engine = new VelocityEngine();
        engine.setProperty("runtime.log.logsystem.class", "org.apache.velocity.runtime.log.NullLogChute");
        engine.init();
        int length = 0;
        for (int round = 0; round < Integer.parseInt(arguments[0]); round++) {
            List<Item> items = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                items.add(new Item(i));
            }
            VelocityContext context = new VelocityContext();
            context.put("items", items);
            context.put("map", Map.of("k1", "one", "k2", "two", "k3", round));
            StringWriter writer = new StringWriter();
            engine.evaluate(context, writer, "test", TEMPLATE);
            length += writer.toString().length();
        }
        System.out.println(length);
    }
}
