#include "dinette/http/url.h"

#include <string>

#include <catch2/catch.hpp>

namespace dinette::http::url_test {
namespace {

std::string shown(std::string_view text) {
  const auto url = parse_url(text);
  if (!url) return "none";
  return (url->server.tls ? "tls " : "plain ") + url->server.host + " " + std::to_string(url->server.port) +
         " " + url->target;
}

TEST_CASE("a URL names a server, a path and a query") {
  CHECK(shown("http://127.0.0.1:9000/hooks/orders?a=1") == "plain 127.0.0.1 9000 /hooks/orders?a=1");
  CHECK(shown("https://functions.example/a") == "tls functions.example 443 /a");
  CHECK(shown("http://[::1]:3001") == "plain ::1 3001 /");
  CHECK(shown("http://localhost") == "plain localhost 80 /");
  CHECK(shown("http://localhost?a=1") == "plain localhost 80 /?a=1");
}

TEST_CASE("what is no URL of a server is refused") {
  for (const std::string_view text :
       {"", "localhost:3001", "ftp://localhost", "http://", "http://:80/", "http://localhost:0/",
        "http://localhost:70000/", "http://me@localhost/", "http://localhost/#part", "http://localhost/a b",
        "http://localhost/a\r\nHost: other", "http://localhost/\xc3\xa4"}) {
    CAPTURE(text);
    CHECK(shown(text) == "none");
  }
}

TEST_CASE("a host and its port are read alone, too") {
  CHECK(parse_host_and_port("[::1]:8000", 0)->host == "::1");
  CHECK(parse_host_and_port("localhost", 80)->port == 80);
  CHECK_FALSE(parse_host_and_port("localhost", 0));
}

}  // namespace
}  // namespace dinette::http::url_test
