#include "admin/page.h"

#include <array>
#include <string>

#include <catch2/catch.hpp>

#include "dinette/base/compression.h"

#include "admin/fixture.h"

namespace dinette::admin::page_test {
namespace {

const std::string text = "<!doctype html><title>Dinette</title>";
const std::string compressed = base::compress(base::Compression::gzip, text);
const std::array files = {
    PageFile{"/_dinette/", "text/html", compressed, text.size(), "c0ffee", false},
    PageFile{"/_dinette/page/main-C0FFEE.js", "text/javascript", compressed, text.size(), "c0ffee", true}};

struct Served {
  Result<void> result;
  http::Response response;
};

Served serve(std::string_view method, std::string_view path, std::vector<http::Header> headers = {},
             std::span<const PageFile> page = files) {
  http::Request request;
  request.method = method;
  request.target = path;
  request.headers = headers;
  http::Response response;
  auto result = serve_page(page, request, response);
  return {std::move(result), std::move(response)};
}

bool has_header(const http::Response& response, const std::string& line) {
  return response.headers.find(line + "\r\n") != std::string::npos;
}

}  // namespace

TEST_CASE("the page is sent compressed to those who accept gzip") {
  const auto [result, response] = serve("GET", "/_dinette/", {{"Accept-Encoding", "gzip, br"}});
  CHECK(result.ok());
  CHECK(response.status == 200);
  CHECK(response.content_type == "text/html");
  CHECK(response.body == compressed);
  CHECK(has_header(response, "Content-Encoding: gzip"));
  CHECK(has_header(response, "ETag: \"c0ffee-gzip\""));
  CHECK(has_header(response, "Vary: Accept-Encoding"));
}

TEST_CASE("the page is sent as it is to others") {
  for (const char* accepted : {"", "gzip;q=0", "br"}) {
    const auto [result, response] = serve("GET", "/_dinette/", {{"Accept-Encoding", accepted}});
    CHECK(result.ok());
    CHECK(response.body == text);
    CHECK(response.headers.find("Content-Encoding") == std::string::npos);
    CHECK(has_header(response, "ETag: \"c0ffee\""));
  }
}

TEST_CASE("the page is not sent again to a client that has it") {
  const auto [result, response] = serve("GET", "/_dinette/", {{"If-None-Match", "\"other\", W/\"c0ffee\""}});
  CHECK(result.ok());
  CHECK(response.status == 304);
  CHECK(response.body.empty());
  CHECK(has_header(response, "ETag: \"c0ffee\""));
  CHECK(serve("GET", "/_dinette/", {{"If-None-Match", "\"c0ffee-gzip\""}}).response.status == 200);
}

TEST_CASE("a file that is named by its content is kept for good, the document is asked for again") {
  CHECK(has_header(serve("GET", "/_dinette/").response, "Cache-Control: no-cache"));
  const auto [result, response] = serve("GET", "/_dinette/page/main-C0FFEE.js");
  CHECK(has_header(response, "Cache-Control: max-age=31536000, immutable"));
  CHECK(has_header(response, "ETag: \"c0ffee\""));
}

TEST_CASE("nothing of others may run in the page or frame it") {
  const auto [result, response] = serve("GET", "/_dinette/");
  CHECK(response.headers.find("Content-Security-Policy: default-src 'self';") != std::string::npos);
  CHECK(response.headers.find("frame-ancestors 'none'\r\n") != std::string::npos);
  CHECK(response.headers.find("unsafe") == std::string::npos);
  CHECK(has_header(response, "X-Content-Type-Options: nosniff"));
}

TEST_CASE("a build without the page says so") {
  const auto [result, response] = serve("GET", "/_dinette/", {}, {});
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().status == 404);
  CHECK(result.error().message.find("This build of Dinette has no page") == 0);
}

TEST_CASE("the path without its last slash leads to the page") {
  CHECK(Api::owns({.method = "GET", .target = "/_dinette", .headers = {}, .body = "", .remote = ""}));
  const auto [result, response] = serve("GET", "/_dinette");
  CHECK(result.ok());
  CHECK(response.status == 308);
  CHECK(has_header(response, "Location: /_dinette/"));
}

TEST_CASE("a build without the page has no icon, and says so in a word") {
  const auto [result, response] = serve("GET", "/favicon.ico", {}, {});
  CHECK(result.ok());
  CHECK(response.status == 404);
  CHECK(response.content_type == "text/plain");
  CHECK(response.body == "There is no icon.\n");
}

TEST_CASE("other files and methods are refused") {
  CHECK(serve("GET", "/_dinette/page/other.js").result.error().status == 404);
  const auto [result, response] = serve("POST", "/_dinette/");
  CHECK(result.error().status == 405);
  CHECK(has_header(response, "Allow: GET"));
}

// Scripts of modules are requested with an Origin, also by the page that they are of.
TEST_CASE("anyone may load the page, which shows nothing by itself, from any address") {
  for (const char* token : {"", "secret"}) {
    Fixture f({.token = token});
    for (const char* host : {"dinette:8000", "192.0.2.2:8000", "app.test", "127.0.0.1:9000"}) {
      for (const char* path : {"/_dinette/", "/_dinette/page/icon.svg"}) {
        const Headers anyone = {{"Host", host}, {"Origin", "http://app.test"}};
        const int status = f.send("GET", path, "", anyone, "192.0.2.7:40000").status;
        CHECK((status == 200 || status == 404));  // 404 of a build without the page
      }
    }
    CHECK(f.send("GET", "/_dinette/worlds", "", {{"Host", "dinette:8000"}}, "192.0.2.7:40000").status ==
          (*token ? 401 : 403));
  }
}

TEST_CASE("no page of another origin can use the page's files") {
  const auto status = [](std::vector<http::Header> headers) {
    const auto [result, response] = serve("GET", "/_dinette/", std::move(headers));
    CHECK((!result.ok() || has_header(response, "Cross-Origin-Resource-Policy: same-origin")));
    CHECK(response.headers.find("Access-Control") == std::string::npos);
    return result.ok() ? response.status : result.error().status;
  };
  CHECK(status({{"Origin", "https://evil.example"}}) == 200);  // the browser keeps it from the page
  CHECK(status({{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Dest", "script"}}) == 403);
  CHECK(status({{"Sec-Fetch-Site", "same-site"}, {"Sec-Fetch-Dest", "empty"}}) == 403);
  CHECK(status({{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Dest", "iframe"}}) == 403);
  CHECK(status({{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Dest", "document"}}) == 200);  // a link
  CHECK(status({{"Sec-Fetch-Site", "same-origin"}, {"Sec-Fetch-Dest", "script"}}) == 200);
  CHECK(status({{"Sec-Fetch-Site", "none"}, {"Sec-Fetch-Dest", "document"}}) == 200);
}

}  // namespace dinette::admin::page_test
