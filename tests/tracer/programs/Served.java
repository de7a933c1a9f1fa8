/* SPDX-License-Identifier: MIT */
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** What the programs with a server have in common: its answers, and a client on the same machine. */
final class Served {
    private static final int REQUESTS = 200;

    private Served() {}

    /** The answer to a request for that path: longer for some than for others. */
    static String answer(String path) {
        StringBuilder text = new StringBuilder("answer to ").append(path);
        for (int i = 0; i < path.hashCode() % 50; i++) {
            text.append(' ').append(i);
        }
        return text.append('\n').toString();
    }

    private static byte[] request(int port, String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            OutputStream out = socket.getOutputStream();
            String text = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            out.write(text.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            try (InputStream in = socket.getInputStream()) {
                in.transferTo(read);
            }
            return read.toByteArray();
        }
    }

    /** Asks the server, one request after the other, and prints what came back. */
    static void ask(int port) throws IOException {
        int good = 0;
        int length = 0;
        for (int i = 0; i < REQUESTS; i++) {
            String path = "/page" + i % 20;
            String found = new String(request(port, path), StandardCharsets.US_ASCII);
            good += found.startsWith("HTTP/1.1 200") && found.contains(answer(path).strip()) ? 1 : 0;
            length += answer(path).length();
        }
        System.out.println(good + " good answers, " + length + " characters");
    }
}
