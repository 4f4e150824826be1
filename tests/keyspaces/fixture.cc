#include "keyspaces/fixture.h"

#include <algorithm>
#include <array>
#include <utility>

#include <catch2/catch.hpp>

namespace test::keyspaces {

using namespace dinette;

namespace {

constexpr std::array<std::string_view, 4> operations_of_streams = {"ListStreams", "GetStream",
                                                                   "GetShardIterator", "GetRecords"};

}  // namespace

std::string Reply::refusal() const {
  if (status == 200) return "200 " + body;
  const Json error = json();
  return error.at("__type").get<std::string>() + ": " + error.value("message", "");
}

Keyspaces::Keyspaces(dinette::keyspaces::ServiceOptions options)
    : service_(std::move(options), session_.worlds(), session_.clock(), session_.ids()) {}

Reply Keyspaces::call(std::string_view operation, std::string_view body) {
  const bool of_streams = std::ranges::find(operations_of_streams, operation) != operations_of_streams.end();
  const std::string target =
      (of_streams ? "KeyspacesStreams." : "KeyspacesService.") + std::string(operation);
  const std::array headers{http::Header{"Host", "localhost:8000"}, http::Header{"X-Amz-Target", target}};
  const http::Request request{
      .method = "POST", .target = "/", .headers = headers, .body = body, .remote = "test", .may_wait = true};
  REQUIRE(dinette::keyspaces::Service::owns(request));
  http::Response response;
  service_.handle(request, response);
  return {response.status, response.body};
}

Json Keyspaces::ok(std::string_view operation, const Json& body) {
  const Reply reply = call(operation, body.dump());
  INFO(operation << " " << body.dump() << " -> " << reply.body);
  REQUIRE(reply.status == 200);
  return reply.body.empty() ? Json::object() : reply.json();
}

}  // namespace test::keyspaces
