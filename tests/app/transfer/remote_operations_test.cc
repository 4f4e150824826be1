#include "app/transfer/remote_operations.h"

#include <string>

#include <catch2/catch.hpp>

#include "dinette/http/server.h"

#include "app/called_server.h"

namespace dinette::app::remote_operations_test {
namespace {

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

TEST_CASE("an explanation is asked for by a header, and comes in one") {
  http::ServerOptions options;
  options.tcp.threads = 1;
  http::Server server(options, [&](const http::Request& request, http::Response& response) {
    if (request.header("X-Dinette-Explain") == "true") response.add_header("X-Dinette-Explain", "{}");
  });
  const auto port = server.start();
  REQUIRE(port.ok());
  const base::SystemClock clock;
  RemoteOperations operations({.host = "127.0.0.1", .port = *port}, {"key", "secret", "", "eu-west-1"},
                              clock);
  CHECK(operations.call_in("", "Scan", "{}", true)->explanation == "{}");
  CHECK(operations.call_in("", "Scan", "{}")->explanation.empty());
}

TEST_CASE("a call of another service is signed with its name, by its target or by its method and path") {
  std::string asked;
  std::string authorization;
  http::ServerOptions options;
  options.tcp.threads = 1;
  http::Server server(options, [&](const http::Request& request, http::Response& response) {
    asked = std::string(request.method) + " " + std::string(request.target) + " " + std::string(request.body);
    asked.append(" ").append(request.header("x-amz-target").value_or("no target"));
    authorization = request.header("authorization").value_or("");
    response.status = 404;
    response.add_header("x-amzn-ErrorType", "ResourceNotFoundException:http://internal.amazon.com/coral/");
  });
  const auto port = server.start();
  REQUIRE(port.ok());
  const base::SystemClock clock;
  RemoteOperations operations({.host = "127.0.0.1", .port = *port}, {"key", "secret", "", "eu-west-1"},
                              clock);
  const auto reply = operations.call_service({.service = "lambda",
                                              .operation = "Update",
                                              .method = "PUT",
                                              .path = "/2015-03-31/a?b=c%3A",
                                              .body = "{}"});
  REQUIRE(reply.ok());
  CHECK(asked == "PUT /2015-03-31/a?b=c%3A {} no target");
  CHECK(authorization.find("/eu-west-1/lambda/aws4_request, ") != std::string::npos);
  CHECK(reply->error_type == "ResourceNotFoundException");

  const auto of_target = operations.call_service(
      {.service = "cassandra", .operation = "GetTable", .target = "KeyspacesService.GetTable", .body = "{}"});
  REQUIRE(of_target.ok());
  CHECK(asked == "POST / {} KeyspacesService.GetTable");
  CHECK(authorization.find("/eu-west-1/cassandra/aws4_request, ") != std::string::npos);
}

TEST_CASE("other services of AWS itself are not called") {
  const base::SystemClock clock;
  RemoteOperations operations({.host = "dynamodb.eu-west-1.amazonaws.com", .port = 443},
                              {"key", "secret", "", "eu-west-1"}, clock);
  const auto reply = operations.call_service({.service = "lambda", .operation = "CreateEventSourceMapping"});
  REQUIRE_FALSE(reply.ok());
  CHECK(reply.error().message ==
        "in AWS only tables of DynamoDB are made: CreateEventSourceMapping is not called");
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
