#include "dinette/lambda/function_places.h"

#include <string>

#include <catch2/catch.hpp>

namespace dinette::lambda::function_places_test {
namespace {

/// Where a function is, among the values of --lambda-endpoint.
std::string place(std::initializer_list<std::string_view> values, std::string_view function) {
  FunctionPlaces places;
  for (const std::string_view value : values) REQUIRE(places.add(value).ok());
  const auto found = places.find(function);
  return found ? text_of(*found) : "nowhere";
}

std::string refusal(std::string_view value) {
  FunctionPlaces places;
  const auto added = places.add(value);
  return added ? "none" : added.error();
}

TEST_CASE("a server has all functions, at the path of Invoke") {
  CHECK(place({"http://127.0.0.1:3001"}, "resize") ==
        "http://127.0.0.1:3001/2015-03-31/functions/resize/invocations");
  CHECK(place({"http://localhost:3002/dev/"}, "resize") ==
        "http://localhost:3002/dev/2015-03-31/functions/resize/invocations");
  CHECK(place({}, "resize") == "nowhere");
}

TEST_CASE("a function may be elsewhere") {
  const auto values = {std::string_view("http://127.0.0.1:3001"),
                       std::string_view("bill=http://127.0.0.1:9000"),
                       std::string_view("mail=http://127.0.0.1:4000/hooks/mail?a=b")};
  CHECK(place(values, "bill") == "http://127.0.0.1:9000/2015-03-31/functions/bill/invocations");
  CHECK(place(values, "mail") == "http://127.0.0.1:4000/hooks/mail?a=b");
  CHECK(place(values, "resize") == "http://127.0.0.1:3001/2015-03-31/functions/resize/invocations");
  CHECK(place({"a=http://127.0.0.1:1", "a=http://127.0.0.1:2"}, "a") ==
        "http://127.0.0.1:2/2015-03-31/functions/a/invocations");
  CHECK(place({"a=http://127.0.0.1:1"}, "b") == "nowhere");
}

TEST_CASE("a function is named as the API of Lambda names it") {
  for (const std::string_view function :
       {"bill", "bill:live", "000000000000:function:bill", "000000000000:function:bill:1",
        "arn:aws:lambda:us-east-1:000000000000:function:bill",
        "arn:aws:lambda:us-east-1:000000000000:function:bill:$LATEST"}) {
    CAPTURE(function);
    CHECK(function_name_of(function) == "bill");
    CHECK(place({"bill=http://127.0.0.1:9000/x"}, function) == "http://127.0.0.1:9000/x");
  }
}

TEST_CASE("values that are neither a server nor a function's URL are refused") {
  CHECK(
      refusal("localhost") ==
      "takes the URL of a server that has all functions, such as http://127.0.0.1:3001, or NAME=URL for one "
      "function, not 'localhost'");
  for (const std::string_view value : {"", "=http://localhost:1", "bill=", "bill=localhost:9000", "http://",
                                       "http://localhost:0", "http://localhost/#a=http://localhost:1"}) {
    CAPTURE(value);
    CHECK(refusal(value) != "none");
  }
}

TEST_CASE("a function's own URL is called as it is") {
  CHECK(text_of(read_function_url("https://example.org/hook").value()) == "https://example.org/hook");
  CHECK(read_function_url("example.org").error() ==
        "'example.org' is not the URL of a function, such as http://127.0.0.1:3000/orders");
}

TEST_CASE("certificates are verified, but for those of this machine") {
  const auto verified = [](std::string_view url) {
    return std::get<http::Url>(read_function_url(url).value()).server.verify;
  };
  CHECK(verified("https://example.org/hook"));
  CHECK_FALSE(verified("https://localhost:3000/hook"));
  CHECK_FALSE(verified("https://[::1]:3000/hook"));
}

TEST_CASE("URLs of Invoke are recognised") {
  const auto is_invoke = [](std::string_view url) { return is_invoke_url(*http::parse_url(url)); };
  CHECK(is_invoke("http://localhost:9000/2015-03-31/functions/function/invocations"));
  CHECK(is_invoke("http://localhost:3002/dev/2015-03-31/functions/a/invocations"));
  CHECK_FALSE(is_invoke("http://localhost:9000/invocations"));
}

}  // namespace
}  // namespace dinette::lambda::function_places_test
