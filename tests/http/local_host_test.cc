#include "dinette/http/local_host.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/http/cors.h"

// Which hosts are safe from DNS rebinding: docs/decisions.md.
namespace dinette::http::local_host_test {
namespace {

constexpr const char* here = "127.0.0.1:40000";
constexpr const char* in_the_network = "192.0.2.7:40000";

Request request_to(const std::vector<Header>& headers, std::string_view remote) {
  Request request;
  request.method = "GET";
  request.target = "/bucket/key";
  request.headers = headers;
  request.remote = remote;
  return request;
}

bool is_safe(std::string_view host, std::string_view remote) {
  const std::vector<Header> headers{{"Host", host}};
  return is_safe_from_rebinding(request_to(headers, remote));
}

}  // namespace

TEST_CASE("addresses, and names that an attacker cannot own, are safe from rebinding") {
  for (const char* host :
       {"localhost", "LOCALHOST:8000", "a.b.localhost", "127.0.0.1:8000", "192.0.2.1", "[::1]:8000",
        "[2001:db8::1]", "app.test", "host.docker.internal:8000", "app.test."}) {
    INFO(host);
    CHECK(is_safe(host, here));
    CHECK(is_safe(host, in_the_network));
  }
}

TEST_CASE("names that can be registered are not") {
  for (const char* host :
       {"evil.example", "dinette.ns", "dinette.ns.svc", "localhost.evil.example", "127.0.0.1.evil.example",
        "evillocalhost.example", "evil.latest", "test.evil.example"}) {
    INFO(host);
    CHECK_FALSE(is_safe(host, here));
    CHECK_FALSE(is_safe(host, in_the_network));
  }
}

TEST_CASE("domains that are given are safe, with all names in them") {
  const std::string_view domains[] = {"service.example", "here.service.org"};
  const auto is_safe_in = [&](std::string_view host) {
    const std::vector<Header> headers{{"Host", host}};
    return is_safe_from_rebinding(request_to(headers, here), domains);
  };
  for (const char* host : {"service.example", "bucket.Service.example:8000", "a.here.service.org"})
    CHECK(is_safe_in(host));
  for (const char* host :
       {"evilservice.example", "service.example.evil.example", "service.org", "xhere.service.org"})
    CHECK_FALSE(is_safe_in(host));
}

// A neighbour in the network, who can give its machine such a name, cannot reach a server that listens here.
TEST_CASE("names of a local network are safe for its clients, not for those of this machine") {
  for (const char* host : {"dinette:8000", "nas", "nas.local", "dinette.ns.svc.cluster.local", "nas.lan"}) {
    INFO(host);
    CHECK_FALSE(is_safe(host, here));
    CHECK_FALSE(is_safe(host, "[::1]:40000"));
    CHECK(is_safe(host, in_the_network));
    CHECK(is_safe(host, "[2001:db8::7]:40000"));
  }
}

TEST_CASE("a host that is missing or garbled is not safe, from wherever") {
  for (const char* host : {"", ":8000", "localhost:x", "localhost:123456", "[::1", "::1", "user@localhost",
                           "evil.example#.localhost", "a b.test", "a/b.test", "[evil.example]", "."}) {
    INFO(host);
    CHECK_FALSE(is_safe(host, here));
    CHECK_FALSE(is_safe(host, in_the_network));
  }
  CHECK_FALSE(is_safe_from_rebinding(request_to({}, in_the_network)));
}

TEST_CASE("a list of origins makes its hosts safe") {
  const auto admits = [](std::string origins, std::string_view host) {
    const std::vector<Header> headers{{"Host", host}};
    return Cors({.origins = std::move(origins)}).admits_host(request_to(headers, here));
  };
  CHECK(admits("local,dinette.ns", "dinette.ns:8000"));
  CHECK(admits("local,dinette", "Dinette:8000"));
  CHECK(admits("*", "evil.example"));
  CHECK(admits("", "localhost"));
  CHECK_FALSE(admits("local", "dinette.ns:8000"));
  CHECK_FALSE(admits("*", ""));
}

TEST_CASE("what only this machine can be called from is known by its address") {
  for (const char* remote : {"127.0.0.1:1", "127.9.9.9:2", "[::1]:3", "[::ffff:127.0.0.1]:4"})
    CHECK(is_on_this_machine(remote));
  for (const char* remote :
       {"192.0.2.1:1", "[2001:db8::1]:1", "[::ffff:192.0.2.1]:1", "localhost:1", "", "::1"})
    CHECK_FALSE(is_on_this_machine(remote));
}

TEST_CASE("a request is of this machine if its caller is, and no proxy in between") {
  CHECK(was_sent_here(request_to({}, here)));
  CHECK_FALSE(was_sent_here(request_to({}, in_the_network)));
  for (const char* const header : {"X-Forwarded-For", "Forwarded", "Via"}) {
    const std::vector<Header> headers{{header, "x"}};
    CHECK_FALSE(was_sent_here(request_to(headers, here)));
  }
}

TEST_CASE("names of this machine are fewer than those that are safe from rebinding") {
  for (const char* const host :
       {"localhost", "LOCALHOST:8000", "db.localhost:1", "127.0.0.1", "[::1]:8000"}) {
    CHECK(is_name_of_this_machine(host));
    CHECK(is_safe(host, here));
  }
  for (const char* const host : {"app.test", "host.docker.internal", "203.0.113.7", "[2001:db8::7]"}) {
    CHECK_FALSE(is_name_of_this_machine(host));
    CHECK(is_safe(host, here));
  }
  for (const char* const host : {"", "evil.example", "localhost:x", "[::1"}) {
    CHECK_FALSE(is_name_of_this_machine(host));
    CHECK_FALSE(is_safe(host, here));
  }
}

TEST_CASE("browsers are known by headers that scripts cannot remove") {
  const auto of_browser = [](std::vector<Header> headers) {
    return is_of_browser(request_to(headers, here));
  };
  CHECK(of_browser({{"User-Agent", "Mozilla/5.0 (X11; Linux x86_64)"}}));
  CHECK(of_browser({{"User-Agent", "aws-sdk-js/3"}, {"Accept-Language", "en"}}));
  CHECK(of_browser({{"Sec-Fetch-Site", "same-origin"}}));
  CHECK(of_browser({{"Referer", "http://evil.example/"}}));
  CHECK_FALSE(of_browser({{"User-Agent", "aws-cli/2"}, {"Accept-Encoding", "identity"}}));
  CHECK_FALSE(of_browser({}));
}

}  // namespace dinette::http::local_host_test
