#include "app/doctor/observed_server.h"

#include <map>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "dinette/http/server.h"

namespace dinette::app::observed_server_test {
namespace {

constexpr const char* list_tables = "/";
constexpr const char* health = "/_localstack/health";
constexpr const char* worlds = "/_dinette/worlds";
constexpr const char* faults = "/_dinette/faults";
constexpr const char* dinette_health = R"({"edition":"dinette","services":{}})";

/// Observes a server that has these answers, and 404 for all other paths.
ObservedServer observe_answers(std::map<std::string, std::string, std::less<>> answers, int listed = 200) {
  http::ServerOptions options;
  options.tcp.threads = 1;
  http::Server server(options, [&](const http::Request& request, http::Response& response) {
    const auto found = answers.find(request.path());
    response.status = found == answers.end() ? 404 : request.method == "POST" ? listed : 200;
    if (found != answers.end()) response.body = found->second;
  });
  const auto port = server.start();
  REQUIRE(port.ok());
  const base::SystemClock clock;
  return observe({.host = "127.0.0.1", .port = *port}, {"key", "secret", "", "us-east-1"}, clock);
}

TEST_CASE("a Dinette's worlds are counted, those with regions once per region") {
  const auto observed = observe_answers(
      {{list_tables, R"({"TableNames":["a","b"]})"},
       {health, dinette_health},
       {worlds,
        R"({"worlds":[{"name":"default","tables":2,"fork":false,"regions":[{"name":"eu-west-1","tables":1}]},
                              {"name":"f","tables":3,"fork":true}]})"},
       {faults, R"({"faults":[{},{}]})"}});
  CHECK(observed.contact == Contact::answered);
  CHECK(observed.kind == ServerKind::dinette);
  CHECK(observed.tables == 2);
  CHECK(observed.faults == 2);
  REQUIRE(observed.worlds.size() == 2);
  CHECK(observed.worlds[0].name == "/eu-west-1");
  CHECK(observed.worlds[0].tables == 1);
  CHECK_FALSE(observed.worlds[0].fork);
  CHECK(observed.worlds[1].name == "f");
  CHECK(observed.worlds[1].tables == 3);
  CHECK(observed.worlds[1].fork);
}

TEST_CASE("an error is known by its type without prefix, and either spelling of message") {
  const auto refused = [](std::string body) {
    return observe_answers({{list_tables, std::move(body)}}, 400);
  };
  const auto error = refused(R"({"__type":"com.amazon.coral.service#Denied","Message":"no"})");
  CHECK(error.error_type == "Denied");
  CHECK(error.error_message == "no");
  CHECK(refused(R"({"__type":"Denied","message":"no"})").error_message == "no");
  CHECK(refused("no JSON").error_type == "HTTP/1.1 400 Bad Request");
}

TEST_CASE("answers of another form count as empty") {
  for (const std::string odd : {"", "no JSON", "7", "\"text\"", "[[1]]", "null", "{}", R"({"worlds":"text"})",
                                R"({"worlds":{"a":1},"faults":7,"TableNames":"text"})"}) {
    INFO(odd);
    const auto observed =
        observe_answers({{list_tables, odd}, {health, dinette_health}, {worlds, odd}, {faults, odd}});
    CHECK(observed.kind == ServerKind::dinette);
    CHECK(observed.tables == 0);
    CHECK(observed.worlds.empty());
    CHECK(observed.faults == 0);
    CHECK(observe_answers({{list_tables, odd}, {health, odd}}).kind != ServerKind::dinette);
  }
  const auto observed =
      observe_answers({{list_tables, "{}"},
                       {health, dinette_health},
                       {worlds, R"({"worlds":[7,{"name":7,"tables":-1,"fork":"yes","regions":"none"}]})"}});
  REQUIRE(observed.worlds.size() == 2);
  for (const ObservedWorld& world : observed.worlds) {
    CHECK(world.name.empty());
    CHECK(world.tables == 0);
    CHECK_FALSE(world.fork);
  }
}

}  // namespace
}  // namespace dinette::app::observed_server_test
