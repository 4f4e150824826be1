#include "aws/request_headers.h"

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::aws::request_headers_test {
namespace {

using Headers = std::vector<http::Header>;

struct Found {
  explicit Found(Headers sent)
      : headers(std::move(sent)),
        found({.method = "POST", .target = "/", .headers = headers, .body = "", .remote = ""}) {}

  const Headers headers;
  const RequestHeaders found;
};

/// All headers that are looked for, each with a value of its own.
const Headers all_headers = {{"Accept-Encoding", "1"},   {"User-Agent", "2"},        {"Authorization", "3"},
                             {"X-Amz-User-Agent", "4"},  {"Content-Encoding", "5"},  {"Content-Type", "6"},
                             {"X-Dinette-Explain", "7"}, {"X-Dinette-Faults", "8"},  {"Host", "9"},
                             {"Origin", "10"},           {"X-Dinette-Record", "11"}, {"X-Amz-Target", "12"},
                             {"traceparent", "13"},      {"X-Dinette-World", "14"}};

std::vector<std::string> values_of(const RequestHeaders& headers) {
  const auto text = [](std::string_view value) { return std::string(value); };
  return {text(headers.accept_encoding),
          text(headers.agent),
          text(headers.authorization.value_or("")),
          text(headers.browser_agent),
          text(headers.content_encoding),
          text(headers.content_type),
          text(headers.explain),
          text(headers.faults),
          text(headers.host),
          text(headers.origin.value_or("")),
          text(headers.record),
          text(headers.target.value_or("")),
          text(headers.trace_parent),
          text(headers.world.value_or(""))};
}

const std::vector<std::string> all_values = {"1", "2", "3",  "4",  "5",  "6",  "7",
                                             "8", "9", "10", "11", "12", "13", "14"};

}  // namespace

TEST_CASE("headers are found by their names, in any case") {
  CHECK(values_of(Found(all_headers).found) == all_values);
  for (const bool upper : {true, false}) {
    std::vector<std::string> names;
    for (const http::Header& header : all_headers) {
      names.emplace_back(header.name);
      for (char& c : names.back()) c = static_cast<char>(upper ? std::toupper(c) : std::tolower(c));
    }
    Headers headers = all_headers;
    for (std::size_t i = 0; i < headers.size(); ++i) headers[i].name = names[i];
    CHECK(values_of(Found(headers).found) == all_values);
  }
}

TEST_CASE("a name that differs in one character is another one") {
  for (const http::Header& header : all_headers) {
    for (std::size_t i = 0; i < header.name.size(); ++i) {
      for (const char other : {'~', '^', '!', '_', '0', 'z'}) {
        std::string name(header.name);
        if (name[i] == other) continue;
        name[i] = other;
        INFO(name);
        CHECK(values_of(Found({{name, "x"}}).found) == std::vector<std::string>(all_headers.size()));
      }
    }
  }
}

TEST_CASE("the first of a repeated header counts, and the size of all") {
  const Found f({{"Host", "first"}, {"Other", ""}, {"Host", "second"}});
  CHECK(f.found.host == "first");
  CHECK(f.found.bytes == std::string_view("Host: first\r\nOther: \r\nHost: second\r\n").size());
}

}  // namespace dinette::aws::request_headers_test
