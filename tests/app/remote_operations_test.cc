#include "app/remote_operations.h"

#include <string>

#include <catch2/catch.hpp>

#include "dinette/http/server.h"

namespace dinette::app::remote_operations_test {
namespace {

struct Url {
  const char* text;
  const char* host;
  std::uint16_t port;
  bool tls;
};

TEST_CASE("URLs are read with and without port") {
  for (const Url& url : {Url{"http://127.0.0.1:8000", "127.0.0.1", 8000, false},
                         {"http://localhost/", "localhost", 80, false},
                         {"https://host.example", "host.example", 443, true},
                         {"https://h:1/", "h", 1, true},
                         {"http://[::1]:8000", "::1", 8000, false},
                         {"http://[::1]", "::1", 80, false}}) {
    INFO(url.text);
    CHECK(is_url(url.text));
    const auto read = read_url(url.text);
    REQUIRE(read.ok());
    CHECK(read->host == url.host);
    CHECK(read->port == url.port);
    CHECK(read->tls == url.tls);
  }
}

TEST_CASE("what is not the URL of a server is refused") {
  for (const std::string text : {"http://", "http://:8000", "http://h:0", "http://h:65536", "http://h:x",
                                 "http://h/path", "http://h?x", "http://user@h", "http://h h"}) {
    const auto read = read_url(text);
    INFO(text);
    REQUIRE_FALSE(read.ok());
    CHECK(read.error() == "'" + text + "' is not the URL of a server, such as http://127.0.0.1:8000");
  }
  CHECK_FALSE(is_url("./data"));
  CHECK_FALSE(is_url("127.0.0.1:8000"));
}

TEST_CASE("an operation is a signed request, and its answer the reply") {
  std::string target;
  std::string authorization;
  http::ServerOptions options;
  options.tcp.threads = 1;
  http::Server server(options, [&](const http::Request& request, http::Response& response) {
    target = request.header("x-amz-target").value_or("");
    authorization = request.header("authorization").value_or("");
    response.status = 400;
    response.body.append(request.method).append(" ").append(request.body);
  });
  const auto port = server.start();
  REQUIRE(port.ok());
  const base::SystemClock clock;
  RemoteOperations operations({.host = "127.0.0.1", .port = *port}, {"key", "secret", "", "eu-west-1"},
                              clock);
  const auto reply = operations.call("ListTables", "{}");
  REQUIRE(reply.ok());
  CHECK(reply->status == 400);
  CHECK(reply->body == "POST {}");
  CHECK(target == "DynamoDB_20120810.ListTables");
  CHECK(authorization.starts_with("AWS4-HMAC-SHA256 Credential=key/"));
  CHECK(authorization.find("/eu-west-1/dynamodb/aws4_request, ") != std::string::npos);
}

TEST_CASE("a server that is not there is explained") {
  std::uint16_t port = 0;
  {
    http::Server gone({}, [](const http::Request&, http::Response&) {});
    port = gone.start().value();
  }
  const base::SystemClock clock;
  RemoteOperations operations({.host = "127.0.0.1", .port = port}, identity_of_environment(), clock);
  const auto reply = operations.call("ListTables", "{}");
  REQUIRE_FALSE(reply.ok());
  CHECK(reply.error().message ==
        "the server at 127.0.0.1:" + std::to_string(port) + " does not answer; is it running on that port?");
  CHECK_FALSE(reply.error().passing);
}

}  // namespace
}  // namespace dinette::app::remote_operations_test
