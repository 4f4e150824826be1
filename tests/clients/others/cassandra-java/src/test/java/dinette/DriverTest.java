package dinette;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import java.net.Socket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.aws.mcs.auth.SigV4AuthProvider;

/** The newest driver of Apache Cassandra for Java: with and without TLS, by password and by signature. */
class DriverTest {
  /** The certificate of the server is its own. */
  private static class TrustsAll extends X509ExtendedTrustManager {
    public void checkClientTrusted(X509Certificate[] chain, String type) {}
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}
    public void checkServerTrusted(X509Certificate[] chain, String type) {}
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}
    public X509Certificate[] getAcceptedIssuers() { return new X509Certificate[0]; }
  }

  private static CqlSession connect(String port, String logIn, String password) throws Exception {
    Duration patience = Duration.ofSeconds(30);
    var loader = DriverConfigLoader.programmaticBuilder()
        .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "LOCAL_QUORUM")
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, patience)
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, patience)
        .build();
    var builder = CqlSession.builder()
        .addContactPoint(new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv(port))))
        .withLocalDatacenter("us-east-1")
        .withConfigLoader(loader);
    if (port.equals("CQL_TLS_PORT")) {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustsAll()}, new SecureRandom());
      builder = builder.withSslContext(context);
    }
    builder = logIn.equals("password")
        ? builder.withAuthCredentials(System.getenv("CQL_USER"), password)
        : builder.withAuthProvider(new SigV4AuthProvider("us-east-1"));
    return builder.build();
  }

  @ParameterizedTest
  @CsvSource({"CQL_PORT,password", "CQL_PORT,signature", "CQL_TLS_PORT,password", "CQL_TLS_PORT,signature"})
  void rowsAreWrittenAndRead(String port, String logIn) throws Exception {
    try (CqlSession session = connect(port, logIn, System.getenv("CQL_PASSWORD"))) {
      String keyspace = ("k" + port + "_" + logIn).toLowerCase();
      session.execute("CREATE KEYSPACE " + keyspace + " WITH replication = {'class': 'SingleRegionStrategy'}");
      String table = keyspace + ".t";
      session.execute("CREATE TABLE " + table + " (p text, c int, tags set<text>, PRIMARY KEY (p, c))");
      PreparedStatement insert = session.prepare("INSERT INTO " + table + " (p, c, tags) VALUES (?, ?, ?)");
      for (int c = 0; c < 25; ++c) session.execute(insert.bind("a", c, Set.of("x", "y")));
      var rows = session.execute(SimpleStatement.newInstance("SELECT * FROM " + table + " WHERE p = 'a'").setPageSize(10));
      assertEquals(10, rows.getAvailableWithoutFetching());
      int sum = 0;
      for (var row : rows) sum += row.getInt("c") * row.getSet("tags", String.class).size();
      assertEquals(600, sum);
      var batch = BatchStatement.builder(DefaultBatchType.UNLOGGED)
          .addStatement(insert.bind("b", 1, null)).addStatement(insert.bind("b", 2, null)).build();
      session.execute(batch);
      assertFalse(session.execute("INSERT INTO " + table + " (p, c) VALUES ('b', 1) IF NOT EXISTS").wasApplied());
      var described = session.refreshSchema().getKeyspace(keyspace).flatMap(one -> one.getTable("t")).orElseThrow();
      assertEquals(2, described.getPrimaryKey().size());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"CQL_PORT", "CQL_TLS_PORT"})
  void aWrongPasswordIsRefused(String port) {
    assertThrows(AllNodesFailedException.class, () -> connect(port, "password", "wrong"));
  }
}
