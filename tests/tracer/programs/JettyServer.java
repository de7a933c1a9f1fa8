/* SPDX-License-Identifier: MIT */
import java.io.IOException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;

/** Jetty with one handler. */
public class JettyServer {
    private static class Answers extends AbstractHandler {
        @Override
        public void handle(String target, Request base, HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            response.setContentType("text/plain");
            response.getWriter().print(Served.answer(target));
            base.setHandled(true);
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("org.eclipse.jetty.LEVEL", "OFF");
        System.setProperty("org.eclipse.jetty.util.log.announce", "false");
        Server server = new Server(0);
        server.setHandler(new Answers());
        try {
            server.start();
            Served.ask(((ServerConnector) server.getConnectors()[0]).getLocalPort());
        } finally {
            server.stop();
        }
    }
}
