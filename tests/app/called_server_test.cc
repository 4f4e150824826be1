#include "app/called_server.h"

#include <cstdint>
#include <string>

#include <catch2/catch.hpp>

namespace dinette::app::called_server_test {
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

TEST_CASE("a host needs a port, and nothing else") {
  const auto named = read_host_and_port("localhost:8000");
  REQUIRE(named.ok());
  CHECK((named->host == "localhost" && named->port == 8000 && !named->tls));
  CHECK(read_host_and_port("[::1]:1").value().host == "::1");
  for (const char* text :
       {"", "localhost", "localhost:", ":8000", "::1", "[::1]", "h:0", "h:8000/", "h:1:2", "a h:1"}) {
    INFO(text);
    CHECK_FALSE(read_host_and_port(text).ok());
  }
}

}  // namespace
}  // namespace dinette::app::called_server_test
