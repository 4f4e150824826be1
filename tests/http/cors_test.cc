#include "dinette/http/cors.h"

#include <initializer_list>
#include <span>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

// Which origins a list allows, and which headers browsers get.
namespace dinette::http::cors_test {
namespace {

const std::string evil = "https://evil.example";

Cors of(std::string origins) {
  return Cors({.origins = std::move(origins), .exposed_headers = "Date,x-id"});
}

std::string headers_for(const Cors& cors, std::string_view origin) {
  Response response;
  cors.add_headers(origin, response);
  return response.headers;
}

TEST_CASE("local means pages of this machine, on any port") {
  const Cors cors(CorsOptions{});
  for (const char* origin :
       {"http://localhost", "http://localhost:3000", "https://localhost:8443", "http://app.localhost:3000",
        "http://a.b-c.localhost", "http://127.0.0.1", "http://127.0.0.1:8000", "https://127.255.3.4:1",
        "http://[::1]", "http://[::1]:5173", "file://", "HTTP://LOCALHOST:3000"}) {
    INFO(origin);
    CHECK(cors.allows(origin));
  }
}

TEST_CASE("local means no other page") {
  const Cors cors(CorsOptions{});
  for (const char* origin : {"https://evil.example",
                             "http://evil.example:8000",
                             "null",
                             "",
                             "http://localhost.evil.example",
                             "http://evillocalhost",
                             "http://127.0.0.1.evil.example",
                             "http://128.0.0.1",
                             "http://10.0.0.1:3000",
                             "http://0.0.0.0:8000",
                             "http://127.1",
                             "http://0127.0.0.1",
                             "http://[::2]",
                             "http://[::ffff:127.0.0.1]",
                             "http://[::1",
                             "http://::1",
                             "http://localhost:",
                             "http://localhost:x",
                             "http://localhost:123456",
                             "http://evil.example/.localhost",
                             "http://evil.example#.localhost",
                             "http://evil@localhost",
                             "http://localhost@evil.example",
                             "ftp://localhost",
                             "chrome-extension://localhost",
                             "localhost",
                             "//localhost",
                             "http:/localhost",
                             "file:///",
                             "http://",
                             "http:// localhost",
                             "http://localhost evil.example",
                             "http://localhost,http://evil.example"}) {
    INFO(origin);
    CHECK_FALSE(cors.allows(origin));
  }
}

TEST_CASE("only listed origins may call") {
  const Cors cors = of("https://a.example, http://localhost:3000/ ,HTTPS://B.example:8443");
  for (const char* origin : {"https://a.example", "http://localhost:3000", "https://b.example:8443"})
    CHECK(cors.allows(origin));
  for (const char* origin :
       {"http://a.example", "https://a.example:444", "https://x.a.example", "http://localhost",
        "http://localhost:3001", "http://127.0.0.1:3000", "null", ""}) {
    INFO(origin);
    CHECK_FALSE(cors.allows(origin));
  }
}

TEST_CASE("a listed host may call by http and https, on any port") {
  const Cors cors = of("a.example,[2001:db8::1]");
  for (const char* origin :
       {"http://a.example", "https://a.example", "http://a.example:3000", "http://[2001:db8::1]:80"})
    CHECK(cors.allows(origin));
  for (const char* origin :
       {"http://b.example", "http://x.a.example", "ftp://a.example", "http://[2001:db8::2]", ""}) {
    INFO(origin);
    CHECK_FALSE(cors.allows(origin));
  }
}

// It is the origin of what is in a sandbox, such as an object of a bucket.
TEST_CASE("* means every page that has an origin") {
  CHECK(of("*").allows(evil));
  CHECK_FALSE(of("*").allows("null"));
  CHECK(of("*,null").allows("null"));
}

TEST_CASE("local means the server's own page too, at an address, which cannot be rebound") {
  const Cors cors(CorsOptions{});
  CHECK(cors.allows("http://192.0.2.2:8000", "192.0.2.2:8000"));
  CHECK(cors.allows("https://[2001:DB8::1]", "[2001:db8::1]"));
  CHECK(cors.allows("http://localhost:3000", "192.0.2.2:8000"));
  for (const auto& [origin, host] : std::initializer_list<std::pair<const char*, const char*>>{
           {"http://192.0.2.2:8001", "192.0.2.2:8000"},
           {"http://192.0.2.2", "192.0.2.2:8000"},
           {"http://evil.example:8000", "evil.example:8000"},
           {"http://dinette:8000", "dinette:8000"},
           {"http://192.0.2.2.evil.example", "192.0.2.2.evil.example"},
           {"null", "192.0.2.2:8000"},
           {"null", "null"},
           {"http://", ""},
           {"", ""}}) {
    INFO(origin);
    CHECK_FALSE(cors.allows(origin, host));
  }
  CHECK_FALSE(of("https://a.example").allows("http://192.0.2.2", "192.0.2.2"));
}

TEST_CASE("the origin of a URL ends where its path begins") {
  CHECK(origin_of("http://a.example:3000/b?c#d") == "http://a.example:3000");
  CHECK(origin_of("https://a.example") == "https://a.example");
  CHECK(origin_of("https://a.example?b/c") == "https://a.example");
  for (const char* url : {"", "about:blank", "file:///a", "//a.example/b"}) CHECK(origin_of(url).empty());
}

TEST_CASE("local, * and null can be elements of a list") {
  const Cors with_local = of("https://a.example,local,null");
  CHECK(with_local.allows("http://127.0.0.1:3000"));
  CHECK(with_local.allows("https://a.example"));
  CHECK(with_local.allows("null"));
  CHECK_FALSE(with_local.allows(evil));
  CHECK(of("https://a.example,*").allows(evil));
}

TEST_CASE("an empty list lets no page call") {
  const Cors cors = of("");
  CHECK_FALSE(cors.allows("http://localhost"));
  CHECK_FALSE(cors.allows(""));
}

TEST_CASE("a page that may call may read the response, and caches keep origins apart") {
  const Cors cors = of("https://a.example");
  CHECK(headers_for(cors, "https://a.example") ==
        "Vary: Origin\r\nAccess-Control-Allow-Origin: https://a.example\r\n"
        "Access-Control-Expose-Headers: Date,x-id\r\n");
  CHECK(headers_for(cors, evil) == "Vary: Origin\r\n");
  CHECK(headers_for(Cors({.origins = "*"}), evil) == "Access-Control-Allow-Origin: *\r\n");
}

TEST_CASE("a preflight is granted what it asks for") {
  const Cors cors({.origins = "*", .preflight_age = std::chrono::seconds(60)});
  const Header headers[] = {{"Origin", "https://app.example"},
                            {"access-control-request-method", "PUT"},
                            {"Access-Control-Request-Headers", "a,b"}};
  const auto granted = [&](std::span<const Header> asked) {
    Request request;
    request.headers = asked;
    Response response;
    cors.answer_preflight(request, response);
    return response.headers;
  };
  const std::span<const Header> all(headers);
  CHECK(granted(all.first(1)) == "Access-Control-Max-Age: 60\r\n");
  CHECK(granted(all) ==
        "Access-Control-Allow-Methods: PUT\r\nAccess-Control-Allow-Headers: a,b\r\n"
        "Access-Control-Max-Age: 60\r\n");
  CHECK(granted(all.subspan(1)).empty());
}

}  // namespace
}  // namespace dinette::http::cors_test
