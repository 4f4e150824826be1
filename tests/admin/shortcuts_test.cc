#include <string>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

namespace dinette::admin::shortcuts_test {
namespace {

/// What Chromium, Firefox and Safari ask for when a user opens a page.
constexpr const char* browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

bool is_shortcut(std::string_view target, const Headers& headers = {}, std::string_view method = "GET") {
  std::vector<http::Header> lines;
  for (const auto& [name, value] : headers) lines.push_back({name, value});
  return Api::is_shortcut(
      {.method = method, .target = target, .headers = lines, .body = "", .remote = "127.0.0.1:1"});
}

}  // namespace

TEST_CASE("some paths are shortcuts for every program") {
  for (const char* target : {"/health", "/healthz", "/metrics", "/favicon.ico"}) {
    INFO(target);
    CHECK(is_shortcut(target));
    CHECK(is_shortcut(target, {}, "HEAD"));
    CHECK(is_shortcut(target, {{"Authorization", "Bearer token"}}));
    CHECK_FALSE(is_shortcut(target, {}, "PUT"));
    CHECK_FALSE(is_shortcut(target, {}, "DELETE"));
    CHECK_FALSE(Api::owns({.method = "GET", .target = target, .headers = {}, .body = "", .remote = ""}));
  }
  for (const char* target :
       {"/", "/shell", "/shell/", "/health/", "/Health", "/metrics/x", "/_dinette/metrics", ""})
    CHECK_FALSE(is_shortcut(target));
}

TEST_CASE("what only requests of S3 have makes a request one of S3") {
  for (const char* target : {"/health", "/healthz", "/metrics", "/favicon.ico"}) {
    CHECK_FALSE(is_shortcut(std::string(target) + "?list-type=2"));
    CHECK_FALSE(
        is_shortcut(target, {{"Authorization", "AWS4-HMAC-SHA256 Credential=k/20260131/us-east-1/s3/x"}}));
    CHECK_FALSE(is_shortcut(target, {{"authorization", "AWS key:signature"}}));
    CHECK_FALSE(is_shortcut(target, {{"X-Amz-Date", "20260131T080000Z"}}));
    CHECK_FALSE(is_shortcut(target, {{"x-amz-content-sha256", "UNSIGNED-PAYLOAD"}}));
  }
  CHECK_FALSE(is_shortcut("/?X-Amz-Signature=0", {{"Accept", browser}}));
}

TEST_CASE("a browser is led to the page, and no other program") {
  for (const char* target : {"/", "/shell", "/shell/"}) {
    INFO(target);
    for (const char* accept : {browser, "text/html", "*/*, text/html;q=0.1"})
      CHECK(is_shortcut(target, {{"Accept", accept}}) == has_page());  // none if npm was missing
    // curl, a client that asks for nothing, Java's URLConnection
    for (const char* accept :
         {"*/*", "", "text/*", "text/html;q=0", "text/html, image/gif, image/jpeg, */*; q=0.2"})
      CHECK_FALSE(is_shortcut(target, {{"Accept", accept}}));
    CHECK_FALSE(is_shortcut(target, {{"Accept", browser}}, "POST"));
    CHECK_FALSE(is_shortcut(target, {{"Accept", browser}}, "HEAD"));
    CHECK_FALSE(is_shortcut(target, {{"Accept", browser}, {"Origin", "http://localhost:3000"}}));
  }
}

TEST_CASE("the redirection is temporary, and stays at the server") {
  if (!has_page()) {
    WARN("this build has no page: redirections are NOT TESTED");
    return;
  }
  Fixture f;
  for (const char* target : {"/", "/shell", "/shell/"}) {
    const Response response = f.send("GET", target, "", {{"Host", "dinette:8000"}}, "192.0.2.7:40000");
    CHECK(response.status == 302);
    CHECK_THAT(response.headers, Catch::Contains("Location: /_dinette/\r\n"));
    CHECK_THAT(response.headers, Catch::Contains("Cache-Control: no-store\r\n"));
  }
  const Response icon = f.send("GET", "/favicon.ico");
  CHECK(icon.status == 302);
  CHECK_THAT(icon.headers, Catch::Contains("Location: /_dinette/page/icon.svg\r\n"));
  CHECK(f.send("GET", "/_dinette/page/icon.svg").status == 200);
}

TEST_CASE("metrics have the access rules of the administration at either path") {
  const auto status = [](Fixture& f, const char* path, Headers headers, const char* remote = "127.0.0.1:1") {
    return f.send("GET", path, "", std::move(headers), remote).status;
  };
  const Headers local{{"Host", "localhost"}};
  const char* const elsewhere = "192.0.2.7:40000";
  for (const char* path : {"/_dinette/metrics", "/metrics"}) {
    Fixture open;
    CHECK(status(open, path, local) == 200);
    CHECK(status(open, path, {{"Host", "evil.example"}}) == 403);
    CHECK(status(open, path, local, elsewhere) == 403);
    CHECK(status(open, path, {{"Host", "localhost"}, {"Origin", "https://evil.example"}}) == 403);
    Fixture with_token({.token = "secret"});
    CHECK(status(with_token, path, local) == 401);
    CHECK(status(with_token, path, {{"Authorization", "Bearer secret"}}, elsewhere) == 200);
    CHECK(status(with_token, path, {{"Authorization", "Bearer wrong"}}, elsewhere) == 403);
  }
  Fixture f;
  const Response refused = f.send("POST", "/metrics");
  CHECK(refused.status == 405);
  CHECK_THAT(refused.headers, Catch::Contains("Allow: GET\r\n"));
}

}  // namespace dinette::admin::shortcuts_test
