// SPDX-License-Identifier: MIT
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;

/** Builds a document, writes it as JSON, and reads that again, with Jackson. */
public final class Json {
    private Json() {}

    public static void main(String[] arguments) throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        ArrayNode list = mapper.createArrayNode();
        for (int i = 0; i < 500; i++) {
            list.addObject().put("number", i).put("name", "item " + i).putArray("parts").add(i / 2).add(i / 3.0);
        }
        int sum = 0;
        for (int round = 0; round < 20; round++) {
            String text = mapper.writeValueAsString(list);
            sum += text.length() + mapper.readTree(text).get(round).get("number").asInt();
        }
        System.out.println(sum);
    }
}
