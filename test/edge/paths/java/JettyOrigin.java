// Protects what is below /admin by a path mapping. The argument `lenient` accepts what Jetty refuses by default.
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.pathmap.PathSpec;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.PathMappingsHandler;
import org.eclipse.jetty.util.Callback;

public final class JettyOrigin {
  static final class Says extends Handler.Abstract {
    private final byte[] text;

    Says(String text) {
      this.text = text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      response.write(true, ByteBuffer.wrap(text), callback);
      return true;
    }
  }

  public static void main(String[] arguments) throws Exception {
    var server = new Server();
    var configuration = new HttpConfiguration();
    if (arguments.length > 0 && arguments[0].equals("lenient")) {
      configuration.setUriCompliance(UriCompliance.UNSAFE);
      configuration.setHttpCompliance(HttpCompliance.RFC2616_LEGACY);
    }
    var connector = new ServerConnector(server, new HttpConnectionFactory(configuration));
    connector.setHost("127.0.0.1");
    connector.setPort(0);
    server.addConnector(connector);
    var paths = new PathMappingsHandler();
    paths.addMapping(PathSpec.from("/admin/*"), new Says("protected"));
    paths.addMapping(PathSpec.from("/"), new Says("open"));
    server.setHandler(paths);
    server.start();
    System.out.println(connector.getLocalPort());
    server.join();
  }
}
