// Protects what is below /admin by the mapping of a servlet. The argument `lenient` accepts what Tomcat refuses by default.
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

public final class TomcatOrigin {
  static final class Says extends HttpServlet {
    private final String text;

    Says(String text) {
      this.text = text;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
      response.getWriter().print(text);
    }
  }

  public static void main(String[] arguments) throws Exception {
    java.util.logging.LogManager.getLogManager().reset();
    var tomcat = new Tomcat();
    var directory = Files.createTempDirectory("tomcat-").toFile();
    tomcat.setBaseDir(directory.getPath());
    tomcat.setHostname("localhost");
    tomcat.setPort(0);
    var connector = tomcat.getConnector();
    connector.setProperty("address", "127.0.0.1");
    if (arguments.length > 0 && arguments[0].equals("lenient")) {
      connector.setEncodedSolidusHandling("decode");
      connector.setAllowBackslash(true);
      connector.setProperty("relaxedPathChars", "\\\"<>[]^`{|}");
    }
    Context context = tomcat.addContext("", directory.getPath());
    Tomcat.addServlet(context, "protected", new Says("protected"));
    Tomcat.addServlet(context, "open", new Says("open"));
    context.addServletMappingDecoded("/admin/*", "protected");
    context.addServletMappingDecoded("/", "open");
    tomcat.start();
    System.out.println(connector.getLocalPort());
    tomcat.getServer().await();
  }
}
