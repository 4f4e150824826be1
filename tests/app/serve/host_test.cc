#include "app/serve/host.h"

#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "dinette/http/client.h"

#include "app/first_tables.h"
#include "app/parsed.h"

namespace dinette::app::host_test {
namespace {

/// All but data folders and commands.
constexpr FullProgram full{.openers = {}, .make_first_tables = &make_first_tables, .run_command = nullptr};

/// A host in memory at some port, with further options.
class Fixture {
 public:
  explicit Fixture(std::initializer_list<std::string_view> arguments = {}) : options_(parsed(arguments)) {
    options_.host = "127.0.0.1";
    options_.port = 0;
    options_.threads = 1;
    auto opened = Host::open(options_, {}, &full);
    if (!opened) FAIL(opened.error());
    host_ = std::move(opened).value();
    const auto prepared = host_->prepare([] { return false; });
    if (!prepared) FAIL(prepared.error());
    const auto listening = host_->listen();
    if (!listening) FAIL(listening.error());
    port_ = listening->port;
  }
  ~Fixture() { stop(); }

  void stop() {
    if (!std::exchange(stopped_, true)) host_->stop(std::chrono::seconds(8));
  }

  Host& host() { return *host_; }

  std::string list_tables() const {
    return send({.method = "POST",
                 .headers = "X-Amz-Target: DynamoDB_20120810.ListTables\r\n"
                            "Content-Type: application/x-amz-json-1.0\r\n",
                 .body = "{}"});
  }
  std::string get(const std::string& path, const std::string& headers = "") const {
    return send({.target = path, .headers = headers});
  }

  std::string send(const http::ClientRequest& request) const {
    const auto response = http::fetch({.host = "127.0.0.1", .port = port_}, request);
    return response ? response->body : "none";
  }

 private:
  Options options_;
  std::unique_ptr<Host> host_;
  std::uint16_t port_ = 0;
  bool stopped_ = false;
};

}  // namespace

TEST_CASE("DynamoDB, administration and buckets share a port, and are measured together") {
  const Fixture f;
  CHECK(f.list_tables() == R"({"TableNames":[]})");
  CHECK_THAT(f.get("/_dinette/worlds"), Catch::Contains(R"("name":"default")"));
  CHECK_THAT(f.get("/bucket"), Catch::Contains("NoSuchBucket"));
  const std::string metrics = f.get("/_dinette/metrics");
  CHECK_THAT(metrics, Catch::Contains(R"(service="dynamodb",operation="ListTables")"));
  CHECK_THAT(metrics, Catch::Contains(R"(service="s3")"));
  CHECK_THAT(metrics, Catch::Contains(R"(service="administration")"));
  CHECK_THAT(metrics, Catch::Contains("dinette_connections_accepted"));
}

TEST_CASE("metrics and health are also where tools look for them, unless there is a bucket of that name") {
  const Fixture f;
  const std::string signature =
      "Authorization: AWS4-HMAC-SHA256 Credential=k/20260131/us-east-1/s3/aws4_request\r\n";
  CHECK_THAT(f.get("/metrics"), Catch::Contains("dinette_connections_accepted_total"));
  CHECK_THAT(f.get("/metrics", signature), Catch::Contains("NoSuchBucket"));
  CHECK_THAT(f.get("/metrics?list-type=2"), Catch::Contains("NoSuchBucket"));
  CHECK_THAT(f.get("/metrics/key"), Catch::Contains("NoSuchBucket"));
  for (const std::string path : {"/health", "/healthz"}) {
    CHECK(f.get(path) == "healthy\n");
    f.send({.method = "PUT", .target = path});
    CHECK_THAT(f.get(path), Catch::Contains("<ListBucketResult"));
  }
  CHECK(f.get("/_dinette/health") == "healthy\n");
}

TEST_CASE("a request at a shortcut is counted once, as a request of the route that answers it") {
  const Fixture f;
  f.get("/health");
  f.get("/_dinette/health");
  const std::string line =
      R"(service="administration",operation="GET /_dinette/health",status="200",error=""} 2)";
  const std::string metrics = f.get("/metrics");
  CHECK_THAT(metrics, Catch::Contains(line));
  CHECK(metrics.find(line) == metrics.rfind(line));
}

TEST_CASE("a browser is led to the page, and others get DynamoDB's answer at the same path") {
  const Fixture f;
  CHECK(f.get("/") == "healthy: dynamodb.us-east-1.amazonaws.com ");
  CHECK_THAT(f.get("/shell/"), Catch::Contains("NoSuchBucket"));
  const std::string accept = "Accept: text/html,application/xhtml+xml\r\n";
  for (const char* path : {"/", "/shell/"}) CHECK(f.get(path, accept).empty() == admin::has_page());
  const Fixture without({"--no-admin"});
  CHECK(without.get("/", accept) == "healthy: dynamodb.us-east-1.amazonaws.com ");
  const Fixture as_local({"-inMemory"});
  CHECK_THAT(as_local.get("/"), Catch::Contains("MissingAuthenticationToken"));
  CHECK(as_local.get("/", accept).empty() == admin::has_page());
}

TEST_CASE("what is not served is answered by DynamoDB, which says so") {
  const Fixture without_administration({"--no-admin"});
  CHECK_THAT(without_administration.get("/health"), Catch::Contains("NoSuchBucket"));
  CHECK_THAT(without_administration.get("/_dinette/worlds"), Catch::Contains("UnknownOperation"));
  const Fixture without_buckets({"--s3-endpoint", "http://127.0.0.1:1"});
  CHECK_THAT(without_buckets.get("/bucket"), Catch::Contains("UnknownOperation"));
  CHECK_THAT(without_buckets.get("/_dinette/worlds"), Catch::Contains(R"("name":"default")"));
  CHECK(without_buckets.get("/health") == "healthy\n");
}

TEST_CASE("a host that other machines can reach makes up a token") {
  const auto token_for = [](const std::string& host) {
    const Options options = parsed({"--host", host});
    return Host::open(options, {}, &full).value()->visitor_token();
  };
  CHECK(token_for("localhost").empty());
  CHECK_FALSE(token_for("0.0.0.0").empty());
}

TEST_CASE("what is recorded of requests is reported after the host has stopped") {
  Fixture f({"--report"});
  f.list_tables();
  f.stop();
  CHECK(f.host().reports().worlds().size() == 1);
}

TEST_CASE("what cannot be read ends the preparation, with a sentence") {
  const Options options = parsed({"--load", "/no/such/folder"});
  const auto host = Host::open(options, {}, &full);
  REQUIRE(host.ok());
  const auto prepared = host.value()->prepare([] { return false; });
  REQUIRE_FALSE(prepared.ok());
  CHECK_THAT(prepared.error(), Catch::Contains("/no/such/folder"));
}

}  // namespace dinette::app::host_test
