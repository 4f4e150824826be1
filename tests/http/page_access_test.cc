#include "dinette/http/page_access.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::http::page_access_test {
namespace {

constexpr Pages all_pages[] = {Pages::admitted, Pages::of_this_machine, Pages::of_this_machine_or_own};

/// A page that calls the host that it was loaded from.
bool admits_own(const PageAccess& access, const std::string& host) {
  return access.admits("http://" + host, host);
}

bool may_be_rebound(const PageAccess& access, std::string_view method, const std::vector<Header>& headers) {
  return access.may_be_rebound(
      {.method = method, .target = "/", .headers = headers, .body = "", .remote = "127.0.0.1:40000"});
}

std::string headers_for(const PageAccess& access, std::optional<std::string_view> origin) {
  Response response;
  access.add_headers(origin, response);
  return response.headers;
}

}  // namespace

TEST_CASE("a caller that is not a web page is admitted") {
  for (const Pages pages : all_pages)
    CHECK(PageAccess({.cors = {.origins = ""}, .pages = pages}).admits(std::nullopt, "evil.example"));
}

TEST_CASE("the origins that are listed limit pages of every kind") {
  for (const Pages pages : all_pages) {
    const PageAccess local({.pages = pages});
    CHECK(local.admits("http://localhost:3000", "localhost:8000"));
    CHECK_FALSE(local.admits("https://evil.example", "localhost:8000"));
    CHECK_FALSE(local.admits("null", "localhost:8000"));
    const PageAccess other({.cors = {.origins = "https://app.example"}, .pages = pages});
    CHECK_FALSE(other.admits("http://localhost:3000", "localhost:8000"));
    CHECK(other.admits("https://app.example", "localhost:8000") == (pages == Pages::admitted));
  }
}

TEST_CASE("pages of other machines are admitted as the options say") {
  const auto with = [](Pages pages) { return PageAccess({.cors = {.origins = "*"}, .pages = pages}); };
  const PageAccess admitted = with(Pages::admitted);
  const PageAccess local = with(Pages::of_this_machine);
  const PageAccess own = with(Pages::of_this_machine_or_own);
  CHECK(admitted.admits("https://app.example", "192.0.2.2:8000"));
  CHECK_FALSE(local.admits("https://app.example", "192.0.2.2:8000"));
  CHECK_FALSE(own.admits("https://app.example", "192.0.2.2:8000"));
  CHECK(admits_own(admitted, "192.0.2.2:8000"));
  CHECK_FALSE(admits_own(local, "192.0.2.2:8000"));
  CHECK(admits_own(own, "192.0.2.2:8000"));
}

TEST_CASE("the server's own page is admitted at an address, not at a name that may have been rebound") {
  const PageAccess admitted(PageAccessOptions{});
  const PageAccess own({.pages = Pages::of_this_machine_or_own});
  for (const PageAccess* const access : {&admitted, &own}) {
    CHECK(admits_own(*access, "192.0.2.2:8000"));
    CHECK_FALSE(admits_own(*access, "evil.example:8000"));
  }
}

TEST_CASE("reads without an origin need a host that no page can have rebound") {
  for (const Pages pages : all_pages) {
    const PageAccess access({.cors = {.origins = "local,our.example"}, .pages = pages});
    CHECK(may_be_rebound(access, "GET", {{"Host", "evil.example:8000"}}));
    CHECK(may_be_rebound(access, "HEAD", {{"Host", "evil.example:8000"}}));
    CHECK(may_be_rebound(access, "GET", {}));
    CHECK_FALSE(may_be_rebound(access, "GET", {{"Host", "127.0.0.1:8000"}}));
    CHECK_FALSE(may_be_rebound(access, "GET", {{"Host", "our.example"}}));
    // Browsers add an Origin to all other requests, and admits() looks at it.
    CHECK_FALSE(may_be_rebound(access, "PUT", {{"Host", "evil.example"}}));
    CHECK_FALSE(may_be_rebound(access, "GET", {{"Host", "evil.example"}, {"Origin", "http://evil.example"}}));
  }
  static constexpr std::string_view domains[] = {"service.example"};
  const PageAccess access({.cors = {.safe_domains = domains}});
  CHECK_FALSE(may_be_rebound(access, "GET", {{"Host", "bucket.service.example"}}));
}

TEST_CASE("only pages that may call from another origin get headers") {
  const PageAccess admitted({.cors = {.origins = "*", .exposed_headers = "X-Id"}});
  CHECK(headers_for(admitted, std::nullopt).empty());
  CHECK(headers_for(admitted, "https://app.example") ==
        "Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: X-Id\r\n");
  for (const Pages pages : {Pages::of_this_machine, Pages::of_this_machine_or_own}) {
    const PageAccess local({.cors = {.origins = "*"}, .pages = pages});
    CHECK(headers_for(local, "http://localhost:3000") ==
          "Vary: Origin\r\nAccess-Control-Allow-Origin: http://localhost:3000\r\n");
    CHECK(headers_for(local, "http://192.0.2.2:8000") == "Vary: Origin\r\n");
    CHECK_FALSE(local.may_show("https://app.example"));
  }
  CHECK(admitted.may_show("https://app.example"));
}

}  // namespace dinette::http::page_access_test
