// SPDX-License-Identifier: MIT
// A program with something to see in the page of its trace; quickstart traces it. A shop takes orders for thirty days:
//
//  - the words of each line die in the method that splits it;
//  - the orders of a day die together in the evening: the live heap is a saw;
//  - prices are in a cache of limited size, and live for a while;
//  - the stock is used to the end, but the file that it was read from is kept although nobody reads it again;
//  - receipts are kept for ever, in a list that is only added to: a leak, the slope under the saw.
//
// There is neither a lambda nor a + of strings: what the virtual machine allocates for these would fill the tables.
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class Shop {
    private static final int DAYS = 30, ORDERS = 80, ARTICLES = 200, CACHED = 40;

    /** An order and its items know each other: such a cycle dies as one. */
    private static final class Order {
        final String customer;
        final List<Item> items = new ArrayList<>();

        Order(String customer) {
            this.customer = customer;
        }
    }

    private static final class Item {
        final Order order;
        final int article, count;

        Item(Order order, int article, int count) {
            this.order = order;
            this.article = article;
            this.count = count;
            order.items.add(this);
        }
    }

    private record Price(int article, long cents) {}

    /** Forgets the price that was not asked for longest. */
    private static final class Prices extends LinkedHashMap<Integer, Price> {
        Prices() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Price> eldest) {
            return size() > CACHED;
        }
    }

    private static final class Stock {
        final byte[] file = new byte[65536];
        final int[] left = new int[ARTICLES];

        Stock() {
            for (int i = 0; i < file.length; i++) file[i] = (byte) (i * 31);
            for (int i = 0; i < ARTICLES; i++) left[i] = 1000 + file[i];
        }

        void take(int article, int count) {
            left[article] -= count;
        }
    }

    private static final List<byte[]> receipts = new ArrayList<>();
    private final Prices prices = new Prices();
    private final Stock stock = new Stock();
    private int seed = 1; // the same orders in each run

    private int random(int below) {
        seed = seed * 1103515245 + 12345;
        return (seed >>> 16) % below;
    }

    private String nextLine() {
        StringBuilder line = new StringBuilder("customer-").append(random(50));
        for (int items = 1 + random(4); items > 0; items--)
            line.append(' ').append(random(ARTICLES)).append(' ').append(1 + random(3));
        return line.toString();
    }

    private static Order parse(String line) {
        String[] words = line.split(" ");
        Order order = new Order(words[0]);
        for (int i = 1; i < words.length; i += 2)
            new Item(order, Integer.parseInt(words[i]), Integer.parseInt(words[i + 1]));
        return order;
    }

    private Price price(int article) {
        Price price = prices.get(article);
        if (price == null) {
            price = new Price(article, 100 + article * 7L);
            prices.put(article, price);
        }
        return price;
    }

    private long close(List<Order> day) {
        long sum = 0;
        for (Order order : day) {
            StringBuilder receipt = new StringBuilder(256).append(order.customer);
            for (Item item : order.items) {
                long cents = item.count * price(item.article).cents();
                stock.take(item.article, item.count);
                receipt.append("\n    ").append(item.count).append(" of article ").append(item.article);
                receipt.append(" for ").append(cents);
                sum += cents;
            }
            receipts.add(receipt.toString().getBytes());
        }
        return sum;
    }

    public static void main(String[] arguments) {
        Shop shop = new Shop();
        long sum = 0;
        for (int i = 0; i < DAYS; i++) {
            List<Order> day = new ArrayList<>();
            for (int j = 0; j < ORDERS; j++) day.add(parse(shop.nextLine()));
            sum += shop.close(day);
        }
        System.out.println(new StringBuilder("The shop took ").append(sum / 100).append(" for all orders."));
    }
}
