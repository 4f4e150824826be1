#include <string>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

namespace dinette::admin::access_test {
namespace {

constexpr const char* here = "127.0.0.1:40000";
constexpr const char* elsewhere = "192.0.2.7:40000";

int status_for(Fixture& f, const Headers& headers, const char* remote = here) {
  return f.send("GET", "/_dinette/clock", "", headers, remote).status;
}

}  // namespace

TEST_CASE("without a token only programs of this machine may administrate") {
  Fixture f;
  const Headers headers = {{"Host", "localhost:8000"}};
  for (const char* remote : {"127.0.0.1:1", "127.9.9.9:65535", "[::1]:1", "[::ffff:127.0.0.1]:1"}) {
    INFO(remote);
    CHECK(status_for(f, headers, remote) == 200);
  }
  for (const char* remote : {elsewhere, "10.0.0.1:1", "[::ffff:192.0.2.7]:1", "[fe80::1]:1",
                             "[2001:db8::1]:1", "0.0.0.0:1", "", "localhost:1", "127.0.0.1.evil:1"}) {
    INFO(remote);
    const Response response = f.send("GET", "/_dinette/clock", "", headers, remote);
    CHECK(response.status == 403);
    CHECK(response.message().find("--admin-token") != std::string::npos);
  }
}

TEST_CASE("without a token the host must be a name that only this machine can have") {
  Fixture f;
  for (const char* host : {"localhost", "LOCALHOST:8000", "db.localhost:1", "127.0.0.1", "127.1.2.3:8000",
                           "[::1]:8000", "[0:0:0:0:0:0:0:1]"}) {
    INFO(host);
    CHECK(status_for(f, {{"Host", host}}) == 200);
  }
  for (const char* host :
       {"", "evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example",
        "localhost:x", "localhost:123456", "192.0.2.1", "[2001:db8::7]", "[::1", "a.localhost@b"}) {
    INFO(host);
    const Response response = f.send("GET", "/_dinette/clock", "", {{"Host", host}});
    CHECK(response.status == 403);
    CHECK(response.message().find("--admin-token") != std::string::npos);
  }
  CHECK(status_for(f, {}) == 403);
}

TEST_CASE("with a token it is needed, and enough, from anywhere") {
  Fixture f({.token = "open sesame"});
  const Response without = f.send("GET", "/_dinette/clock");
  CHECK(without.status == 401);
  CHECK(without.message().find("--admin-token") != std::string::npos);
  for (const char* remote : {here, elsewhere}) {
    CHECK(status_for(f, {{"Host", "dinette:8000"}, {"Authorization", "Bearer open sesame"}}, remote) == 200);
    CHECK(status_for(f, {{"Host", "dinette:8000"}, {"authorization", "bearer open sesame"}}, remote) == 200);
    CHECK(status_for(f, {{"X-Dinette-Admin-Token", "open sesame"}}, remote) == 200);
    for (const char* wrong : {"open", "open sesame ", "Open sesame", "open sesamE", "x"}) {
      CHECK(status_for(f, {{"Authorization", "Bearer " + std::string(wrong)}}, remote) == 403);
      CHECK(status_for(f, {{"X-Dinette-Admin-Token", wrong}}, remote) == 403);
    }
    CHECK(status_for(f, {{"Authorization", "Basic open sesame"}}, remote) == 401);
    CHECK(status_for(f, {{"Authorization", "Bearer "}}, remote) == 401);
  }
}

TEST_CASE("a token for others is not needed on this machine, and enough from elsewhere") {
  Fixture f({.token = "visitor", .token_for_all_callers = false});
  const Headers local = {{"Host", "localhost:8000"}};
  CHECK(status_for(f, local) == 200);
  CHECK(status_for(f, {{"Host", "dinette:8000"}}) == 403);
  const Response refused = f.send("GET", "/_dinette/clock", "", local, elsewhere);
  CHECK(refused.status == 403);
  CHECK(refused.message().find("the token that it printed at its start") != std::string::npos);
  CHECK(status_for(f, {{"Host", "dinette:8000"}, {"X-Dinette-Admin-Token", "visitor"}}, elsewhere) == 200);
  for (const char* remote : {here, elsewhere})
    CHECK(status_for(f, {{"Host", "localhost:8000"}, {"X-Dinette-Admin-Token", "wrong"}}, remote) == 403);
}

TEST_CASE("a caller behind a proxy on this machine is not on this machine") {
  Fixture f;
  for (const char* header : {"X-Forwarded-For", "Forwarded", "Via"}) {
    const Response response =
        f.send("GET", "/_dinette/clock", "", {{"Host", "localhost:8000"}, {header, "x"}});
    CHECK(response.status == 403);
    CHECK(response.message().find("--admin-token") != std::string::npos);
  }
}

// docs/decisions.md: a page that has the token, at the address by which it calls, if --cors admits it.
TEST_CASE("with a token the server's own page may administrate from the address that it is called by") {
  const bool for_all = GENERATE(true, false);
  const auto status = [&](const char* cors, Headers headers, const char* token = "secret") {
    Fixture f({.token = "secret", .token_for_all_callers = for_all, .cors_origins = cors});
    headers.emplace_back("X-Dinette-Admin-Token", token);
    return f.send("GET", "/_dinette/clock", "", headers, elsewhere).status;
  };
  const auto own = [](const std::string& host) {
    return Headers{{"Host", host}, {"Origin", "http://" + host}};
  };
  CHECK(status("local", own("192.0.2.2:8000")) == 200);
  CHECK(status("local,app.test", own("app.test:8000")) == 200);
  CHECK(status("local,http://app.test:8000", own("app.test:8000")) == 200);
  CHECK(status("*", own("app.test:8000")) == 200);
  CHECK(status("local,app.test", {{"Host", "app.test"}, {"Origin", "https://app.test"}}) == 200);

  CHECK(status("local", own("192.0.2.2:8000"), "wrong") == 403);
  CHECK(status("local", own("app.test:8000")) == 403);
  CHECK(status("https://app.test", own("192.0.2.2:8000")) == 403);
  CHECK(status("local,app.test", {{"Host", "127.0.0.1:8000"}, {"Origin", "http://app.test"}}) == 403);
  CHECK(status("*", {{"Host", "192.0.2.2:8000"}, {"Origin", "null"}}) == 403);
  CHECK(status("*,null", {{"Host", "null"}, {"Origin", "null"}}) == 403);
  CHECK(status("*", {{"Host", "192.0.2.2:8000"}, {"Origin", "http://evil.example"}}) == 403);
}

TEST_CASE("without a token the server's own page may administrate only as one of this machine") {
  Fixture f({.cors_origins = "*"});
  for (const char* host : {"192.0.2.2:8000", "app.test:8000", "evil.example:8000"}) {
    const Headers page = {{"Host", host}, {"Origin", std::string("http://") + host}};
    CHECK(status_for(f, page) == 403);
  }
}

TEST_CASE("answers are what they say, and shown in no page of another site") {
  Fixture f;
  for (const char* path : {"/_dinette/clock", "/_dinette/nothing"}) {
    const Response response = f.send("GET", path);
    CHECK(response.headers.find("X-Content-Type-Options: nosniff\r\n") != std::string::npos);
    CHECK(response.headers.find("Cross-Origin-Resource-Policy: same-origin\r\n") != std::string::npos);
  }
}

TEST_CASE("web pages must be of this machine, whatever else is right") {
  const std::string token = GENERATE("", "secret");
  Fixture f({.token = token});
  const auto from = [](const char* origin) {
    return Headers{{"Host", "localhost:8000"}, {"X-Dinette-Admin-Token", "secret"}, {"Origin", origin}};
  };
  for (const char* origin :
       {"https://evil.example", "null", "", "http://localhost.evil.example", "http://evil.example:8000"}) {
    INFO(origin);
    for (const char* method : {"GET", "PUT", "OPTIONS"}) {
      const Response response = f.send(method, "/_dinette/clock", R"({"frozen": true})", from(origin));
      CHECK(response.status == 403);
      CHECK(response.message().find("--cors") != std::string::npos);
      CHECK(response.headers.find("Access-Control") == std::string::npos);
    }
  }
  CHECK(f.send("GET", "/_dinette/clock", "", from("http://localhost:3000")).json().at("frozen") == false);
}

TEST_CASE("pages of this machine must be admitted by --cors") {
  const Headers page = {{"Host", "localhost:8000"}, {"Origin", "http://localhost:3000"}};
  for (const char* origins : {"local", "*", "https://app.example,localhost"}) {
    Fixture f({.cors_origins = origins});
    CHECK(status_for(f, page) == 200);
    CHECK(status_for(f, {{"Host", "localhost"}, {"Origin", "https://app.example"}}) == 403);
  }
  Fixture f({.cors_origins = "https://app.example"});
  CHECK(status_for(f, page) == 403);
}

TEST_CASE("pages of this machine may read answers, and ask first") {
  Fixture f({.token = "secret"});
  const Response asked = f.send("OPTIONS", "/_dinette/clock", "",
                                {{"Host", "localhost"},
                                 {"Origin", "http://localhost:3000"},
                                 {"Access-Control-Request-Method", "PUT"},
                                 {"Access-Control-Request-Headers", "authorization"}});
  CHECK(asked.status == 200);
  CHECK(asked.headers.find("Access-Control-Allow-Methods: PUT\r\n") != std::string::npos);
  CHECK(asked.headers.find("Access-Control-Allow-Origin: http://localhost:3000\r\n") != std::string::npos);
  const Response refused =
      f.send("PUT", "/_dinette/clock", "{}", {{"Host", "localhost"}, {"Origin", "http://localhost:3000"}});
  CHECK(refused.status == 401);
  CHECK(refused.headers.find("Access-Control-Allow-Origin: http://localhost:3000\r\n") != std::string::npos);
}

TEST_CASE("health is reported to every program, and to no foreign page") {
  Fixture f({.token = "secret"});
  CHECK(f.send("GET", "/_localstack/health", "", {{"Host", "localstack:4566"}}, elsewhere).status == 200);
  CHECK(f.send("GET", "/_localstack/health", "", {{"Origin", "https://evil.example"}}, elsewhere).status ==
        403);
}

}  // namespace dinette::admin::access_test
