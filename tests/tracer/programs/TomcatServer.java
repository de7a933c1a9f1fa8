/* SPDX-License-Identifier: MIT */
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Tomcat with one servlet; its argument is a folder for what it writes. */
public class TomcatServer {
    private static final Logger LOGGER = Logger.getLogger("org.apache");

    private static class Answers extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            request.getSession(true).setAttribute("path", request.getRequestURI());
            response.setContentType("text/plain");
            response.getWriter().print(Served.answer(request.getRequestURI()));
        }
    }

    public static void main(String[] arguments) throws Exception {
        LOGGER.setLevel(Level.OFF);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(arguments[0]);
        tomcat.setPort(0);
        Context context = tomcat.addContext("", arguments[0]);
        Tomcat.addServlet(context, "answers", new Answers());
        context.addServletMappingDecoded("/*", "answers");
        tomcat.getConnector();
        try {
            tomcat.start();
            Served.ask(tomcat.getConnector().getLocalPort());
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }
}
