#include <algorithm>
#include <fstream>
#include <future>
#include <memory>
#include <string>

#include <catch2/catch.hpp>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include "http/fixture.h"
#include "support/captured_log.h"
#include "tcp/tls_socket.h"

namespace dinette::http::tls_test {
namespace {

using TlsClient = ClientOver<tcp::TlsSocket>;

ServerOptions with_tls(std::string certificate = "", std::string key = "") {
  ServerOptions options;
  options.tcp.listen.tls = tcp::TlsOptions{std::move(certificate), std::move(key)};
  return options;
}

TEST_CASE("a self-signed server answers over TLS") {
  Running running(
      [](const Request& request, Response& response) {
        if (!request.secure) response.body = "not secure: ";
        echo(request, response);
      },
      with_tls());
  TlsClient client(running.port);
  REQUIRE(client.handshake());
  CHECK(client.ask(post("1")).body == "POST / 1");
  CHECK(client.ask(post("2") + post("3")).body == "POST / 2");
  CHECK(client.receive().body == "POST / 3");
  CHECK(
      client.ask("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n").status ==
      100);
  CHECK(client.ask("ok").body == "POST / ok");

  const std::string body(3'000'000, 'x');
  CHECK(client.ask(post(body)).body == "POST / " + body);
  CHECK(client.ask("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").status == 200);
  CHECK(client.closed_by_server());
}

TEST_CASE("the self-signed certificate names this machine and is valid now") {
  Running running(&echo, with_tls());
  TlsClient client(running.port);
  REQUIRE(client.handshake());
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(SSL_get1_peer_certificate(client.tls()),
                                                                &X509_free);
  REQUIRE(certificate);
  CHECK(X509_check_host(certificate.get(), "localhost", 0, 0, nullptr) == 1);
  CHECK(X509_check_ip_asc(certificate.get(), "127.0.0.1", 0) == 1);
  CHECK(X509_check_ip_asc(certificate.get(), "::1", 0) == 1);
  CHECK(X509_check_host(certificate.get(), "example.org", 0, 0, nullptr) == 0);
  CHECK(X509_cmp_current_time(X509_get0_notBefore(certificate.get())) < 0);
  CHECK(X509_cmp_current_time(X509_get0_notAfter(certificate.get())) > 0);
}

// A certificate and its key in temporary files.
struct PemFiles {
  PemFiles() {
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> pair(EVP_EC_gen("P-256"), &EVP_PKEY_free);
    const std::unique_ptr<X509, decltype(&X509_free)> x509(X509_new(), &X509_free);
    X509_gmtime_adj(X509_getm_notBefore(x509.get()), 0);
    X509_gmtime_adj(X509_getm_notAfter(x509.get()), 3600);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x509.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("from a file"), -1, -1, 0);
    X509_set_pubkey(x509.get(), pair.get());
    REQUIRE(X509_sign(x509.get(), pair.get(), EVP_sha256()) > 0);
    const auto write = [](std::string& path, auto writer) {
      const int descriptor = mkstemp(path.data());
      REQUIRE(descriptor >= 0);
      std::FILE* file = fdopen(descriptor, "w");
      REQUIRE(writer(file) == 1);
      std::fclose(file);
    };
    write(certificate, [&](std::FILE* file) { return PEM_write_X509(file, x509.get()); });
    write(key, [&](std::FILE* file) {
      return PEM_write_PrivateKey(file, pair.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
  }
  ~PemFiles() {
    unlink(certificate.c_str());
    unlink(key.c_str());
  }
  PemFiles(const PemFiles&) = delete;
  PemFiles& operator=(const PemFiles&) = delete;

  std::string certificate = "/tmp/dinette-certificate-XXXXXX";
  std::string key = "/tmp/dinette-key-XXXXXX";
};

TEST_CASE("a server with certificate and key files shows that certificate") {
  const PemFiles files;
  Running running(&echo, with_tls(files.certificate, files.key));
  TlsClient client(running.port);
  REQUIRE(client.handshake());
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(SSL_get1_peer_certificate(client.tls()),
                                                                &X509_free);
  char name[64] = "";
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, name, sizeof name);
  CHECK(std::string(name) == "from a file");
  CHECK(client.ask(post("1")).status == 200);
}

TEST_CASE("unusable files are named") {
  const PemFiles files, others;
  const auto failure = [](const std::string& certificate, const std::string& key) {
    Server server(with_tls(certificate, key), &echo);
    const auto started = server.start();
    REQUIRE_FALSE(started.ok());
    return started.error();
  };
  CHECK(failure(files.certificate, "").starts_with("TLS needs both"));
  CHECK(failure("/nowhere.pem", files.key).starts_with("Cannot use the TLS certificate /nowhere.pem ("));
  CHECK(failure(files.certificate, "/nowhere.pem").starts_with("Cannot use the TLS key /nowhere.pem ("));
  CHECK(failure(files.certificate, others.key).starts_with("Cannot use the TLS key " + others.key + " ("));
}

// docs/service/wire.md section 9, plain HTTP on the TLS port.
TEST_CASE("a client that speaks HTTP without TLS gets a sentence that says so") {
  Running running(&echo, with_tls());
  for (const std::size_t size : {1, 1'000'000}) {
    Client client(running.port);
    const Answer answer = client.ask(post(std::string(size, 'x')));
    CHECK(answer.status == 400);
    CHECK(answer.body == "The plain HTTP request was sent to HTTPS port\n");
    CHECK(client.closed_by_server());
  }
}

TEST_CASE("clients that disagree with a server about TLS are a warning, the first of many") {
  const bool with = GENERATE(false, true);
  const auto mix_up = [&](const Running& running) {
    Client client(running.port);
    const std::string hello("\x16\x03\x01\x02\x00\x01", 6);
    return client.ask(with ? post("") : hello).status;
  };
  Running running(&echo, with ? with_tls() : ServerOptions());
  ::test::CapturedLog log(base::LogLevel::warn);
  for (int i = 0; i < 3; ++i) CHECK(mix_up(running) == 400);
  const std::string line = log.line();
  CHECK(line.starts_with(with ? "warn a client speaks HTTP without TLS to this port with TLS: its endpoint "
                                "URL must begin with https:// remote=127.0.0.1:"
                              : "warn a client speaks TLS to this port without TLS: its endpoint URL must "
                                "begin with http:// remote=127.0.0.1:"));
  CHECK(line.ends_with(" times=1\n"));
  CHECK(std::ranges::count(line, '\n') == 1);
  for (int i = 3; i < 1000; ++i) REQUIRE(mix_up(running) == 400);
  CHECK(log.text().empty());
  CHECK(mix_up(running) == 400);
  CHECK_THAT(log.text(), Catch::Contains(" times=1001\n"));
  Running another(&echo, with ? with_tls() : ServerOptions());
  CHECK(mix_up(another) == 400);
  CHECK_THAT(log.text(), Catch::Contains(" times=1\n"));  // each server counts its own
}

TEST_CASE("a client that speaks HTTP/2 is a warning that names the setting") {
  Running running;
  ::test::CapturedLog log(base::LogLevel::warn);
  Client client(running.port);
  const Answer answer = client.ask("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  CHECK(answer.status == 505);
  CHECK(answer.body == "HTTP/2 was sent to a server of HTTP/1.1\n");
  CHECK_THAT(log.line(),
             Catch::StartsWith("warn a client speaks HTTP/2, and this server HTTP/1.1: with the SDK for "
                               "JavaScript, set requestHandler to a NodeHttpHandler remote="));
}

TEST_CASE("other refusals are not about TLS") {
  Running running;
  ::test::CapturedLog log(base::LogLevel::warn);
  Client client(running.port);
  CHECK(client.ask("nonsense\r\n\r\n").status == 400);
  CHECK(log.text().empty());
}

TEST_CASE("a client that speaks neither TLS nor HTTP is disconnected") {
  Running running(&echo, with_tls());
  Client client(running.port);
  CHECK(client.ask("\x05\x01 nonsense\r\n\r\n").status == 0);
  until([&] { return running.server.open_connections() == 0; });
}

TEST_CASE("an incomplete handshake is ended") {
  ServerOptions options = with_tls();
  options.tcp.limits.request_deadline = std::chrono::seconds(10);
  Running running(&echo, std::move(options));
  Client client(running.port);
  until([&] { return running.server.open_connections() == 1; });
  until([&] { return running.server.open_connections() == 0; },
        [&] {
          running.time.advance(std::chrono::seconds(10));
          running.server.sweep_now();
        });
  CHECK(client.closed_by_server());
}

TEST_CASE("a refusal reaches a client that sends its whole body over TLS") {
  ServerOptions options = with_tls();
  options.limits.body_bytes = 1000;
  Running running(&echo, std::move(options));
  TlsClient client(running.port);
  REQUIRE(client.handshake());
  REQUIRE(client.send(post(std::string(2'000'000, 'x'))));
  CHECK(client.receive().status == 413);
}

TEST_CASE("stopping closes idle TLS connections") {
  Running running(&echo, with_tls());
  TlsClient client(running.port);
  REQUIRE(client.handshake());
  CHECK(client.ask(post("1")).status == 200);
  running.server.stop(std::chrono::seconds(patience_seconds));
  CHECK(running.server.open_connections() == 0);
}

}  // namespace
}  // namespace dinette::http::tls_test
