#include <string>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

namespace dinette::admin::requests_test {

TEST_CASE("requests run only where they may wait, and refusals anywhere") {
  Fixture f;
  const http::Header headers[] = {{"Host", "localhost"}};
  http::Request request{.method = "POST",
                        .target = "/_dinette/worlds",
                        .headers = headers,
                        .body = "",
                        .remote = "127.0.0.1:1"};
  request.may_wait = false;
  http::Response response;
  f.api.handle(request, response);
  CHECK(response.must_wait);
  CHECK(f.worlds.names().empty());
  response.clear();
  request.remote = "192.0.2.1:1";
  f.api.handle(request, response);
  CHECK_FALSE(response.must_wait);
  CHECK(response.status == 403);
}

TEST_CASE("bodies that are not JSON objects get 400") {
  Fixture f;
  for (const std::string body : {"{", "[]", "1", "null", "\"x\"", "{\"world\": \"a\"} x", "{'world': 1}",
                                 "\xFF", "{\"world\": \"\xFF\"}"}) {
    INFO(body);
    const Response response = f.send("POST", "/_dinette/snapshots", body);
    CHECK(response.status == 400);
    CHECK(response.code() == "BadRequest");
  }
}

TEST_CASE("a body that is not JSON is answered with where and why") {
  Fixture f;
  CHECK(f.send("POST", "/_dinette/snapshots", "{\n  \"world\" 1}").message() ==
        "The body is not valid JSON (line 2, column 11: unexpected number literal; expected ':').");
}

TEST_CASE("everyone may have the certificate of a server that has a self-signed one") {
  Fixture plain;
  CHECK(plain.send("GET", "/_dinette/certificate.pem").status == 404);
  Fixture f({.token = "secret", .certificate = "-----BEGIN CERTIFICATE-----"});
  const Response response =
      f.send("GET", "/_dinette/certificate.pem", "", {{"Host", "dinette:8000"}}, "192.0.2.7:40000");
  CHECK(response.status == 200);
  CHECK(response.body == "-----BEGIN CERTIFICATE-----");
  CHECK(f.send("PUT", "/_dinette/certificate.pem", "", {{"X-Dinette-Admin-Token", "secret"}}).status == 405);
}

TEST_CASE("bodies are limited in size and depth") {
  Fixture f;
  const auto nested = [](int depth) {
    return R"({"now": )" + std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']') + "}";
  };
  CHECK(f.send("PUT", "/_dinette/clock", nested(15)).message().find("'now'") != std::string::npos);
  CHECK(f.send("PUT", "/_dinette/clock", nested(17)).message() == "The body nests deeper than 16 levels.");
  CHECK(f.send("PUT", "/_dinette/clock", std::string(64 * 1024, '[')).message() ==
        "The body nests deeper than 16 levels.");
  const Response long_one = f.send("PUT", "/_dinette/clock", std::string(64 * 1024 + 1, ' '));
  CHECK(long_one.status == 413);
  CHECK(long_one.code() == "TooLarge");
}

TEST_CASE("members that a request does not have are refused by name") {
  Fixture f;
  CHECK(f.send("POST", "/_dinette/worlds", R"({"tll": 1})").message() ==
        "The member 'tll' is unknown here; known are: from, name, ttl, world.");
  CHECK(f.worlds.names().empty());
}

TEST_CASE("messages that repeat what was sent are JSON, whatever was sent") {
  Fixture f;
  const Response response = f.send("GET", "/_dinette/worlds/%FF%00");
  CHECK(response.status == 404);
  CHECK(response.message().starts_with("There is no world '"));
}

TEST_CASE("a world is chosen by the body, the query or the header, in this order") {
  Fixture f;
  for (const char* name : {"a", "b", "c"}) f.ok("POST", "/_dinette/worlds", TestJson{{"name", name}}.dump());
  const Headers header = {{"Host", "localhost"}, {"X-Dinette-World", "c"}};
  const auto chosen = [&](const char* query, const char* body, const Headers& headers) {
    return f.send("POST", std::string("/_dinette/snapshots") + query, body, headers)
        .json()
        .at("world")
        .get<std::string>();
  };
  CHECK(chosen("?world=b", R"({"world": "a"})", header) == "a");
  CHECK(chosen("?world=b", "{}", header) == "b");
  CHECK(chosen("", "", header) == "c");
  CHECK(chosen("", "", {{"Host", "localhost"}}) == "default");
}

TEST_CASE("shards of a table's stream are split in the world that is chosen") {
  tenancy::World* chosen = nullptr;
  Fixture f({.split_shards = [&](tenancy::World& world, std::string_view table) -> kv::Result<bool> {
    chosen = &world;
    return table == "Music";
  }});
  f.ok("POST", "/_dinette/worlds", R"({"name": "copy"})");
  CHECK(f.ok("POST", "/_dinette/streams/Music/split?world=copy") ==
        TestJson{{"world", "copy"}, {"table", "Music"}});
  CHECK(chosen == f.worlds.find("copy").get());
  const Response none = f.send("POST", "/_dinette/streams/Films/split");
  CHECK(none.status == 404);
  CHECK(none.message() == "There is no table 'Films' with a stream that is enabled.");
}

TEST_CASE("expired items of a world are deleted now, and counted") {
  tenancy::World* swept = nullptr;
  Fixture f({.sweep_expired = [&](tenancy::World& world) {
    swept = &world;
    return std::size_t{3};
  }});
  f.ok("POST", "/_dinette/worlds", R"({"name": "copy"})");
  CHECK(f.ok("DELETE", "/_aws/dynamodb/expired?world=copy") == TestJson{{"ExpiredItems", 3}});
  CHECK(swept == f.worlds.find("copy").get());
  CHECK(f.ok("DELETE", "/_aws/dynamodb/expired") == TestJson{{"ExpiredItems", 3}});
  CHECK(swept == f.worlds.find("").get());
}

TEST_CASE("a failure of storage is an internal error") {
  Fixture f({.sweep_expired = [](tenancy::World&) { return std::nullopt; }});
  const Response response = f.send("DELETE", "/_aws/dynamodb/expired");
  CHECK(response.status == 500);
  CHECK(response.code() == "InternalError");
}

TEST_CASE("health is reported in LocalStack's form") {
  Fixture f({.version = "1.2.3"});
  CHECK(f.ok("GET", "/_localstack/health") ==
        TestJson{{"services", {{"dynamodb", "running"}}}, {"edition", "dinette"}, {"version", "1.2.3"}});
}

}  // namespace dinette::admin::requests_test
