/* SPDX-License-Identifier: MIT */
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;

/** Rows are inserted, changed, joined and deleted; the arguments: the database's address, and how often. */
public class Database {
    public static void main(String[] arguments) throws Exception {
        System.setProperty("derby.stream.error.file", "/dev/null"); /* Derby would leave a file where it runs */
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1;
        for (int round = 0; round < rounds; round++) {
            use(arguments[0]);
        }
    }

    private static void use(String address) throws Exception {
        try (Connection connection = DriverManager.getConnection(address, "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute("create table person (id int primary key, name varchar(40), city int)");
            statement.execute("create table city (id int primary key, name varchar(40))");
            try (PreparedStatement insert = connection.prepareStatement("insert into person values (?, ?, ?)")) {
                for (int i = 0; i < 800; i++) {
                    insert.setInt(1, i);
                    insert.setString(2, "person " + i * 37 % 801);
                    insert.setInt(3, i % 10);
                    insert.execute();
                }
            }
            for (int i = 0; i < 10; i++) {
                statement.execute("insert into city values (" + i + ", 'city " + i + "')");
            }
            statement.execute("update person set name = 'changed' where id < 100");
            statement.execute("delete from person where id > 700");
            try (ResultSet rows = statement.executeQuery("select c.name, count(*), max(p.name) from person p join city c"
                    + " on p.city = c.id group by c.name order by c.name")) {
                while (rows.next()) {
                    System.out.println(rows.getString(1) + " " + rows.getInt(2) + " " + rows.getString(3));
                }
            }
        }
    }
}
