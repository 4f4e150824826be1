#include "dinette/http/accept.h"

#include <catch2/catch.hpp>

// RFC 9110 section 12.5.1.
namespace dinette::http::accept_test {
namespace {

double weight(std::string_view accept, std::string_view type = "text/plain", std::string_view version = {}) {
  return acceptance_of(accept, type, version).weight;
}

TEST_CASE("a type is accepted as far as an element says that contains it") {
  for (const char* all :
       {"text/plain", "TEXT/Plain", "text/*", "*/*", " text/plain ; charset=utf-8", "a/b, text/plain",
        "text/plain;q=1.0", "text/plain; Q=1", "text/plain;q=x", "text/plain;q=7"}) {
    INFO(all);
    CHECK(weight(all) == 1);
  }
  for (const char* none : {"", "text/html", "text/plainer", "tex/*", "text", "*", "text/plain;q=0",
                           "text/plain;q=-1", "application/*"}) {
    INFO(none);
    CHECK(weight(none) == 0);
  }
  CHECK(weight("text/plain;q=0.25") == 0.25);
  CHECK(weight("*/*;q=0.1") == 0.1);
}

TEST_CASE("the most specific element decides, of several the greatest") {
  CHECK(weight("*/*, text/*;q=0.5, text/plain;q=0.2") == 0.2);
  CHECK(weight("text/plain;q=0.2, */*") == 0.2);
  CHECK(weight("text/*;q=0.3, */*;q=0.9") == 0.3);
  CHECK(weight("text/plain;q=0, */*") == 0);
  CHECK(weight("text/plain;q=0.2, text/plain;q=0.6, text/plain;q=0.4") == 0.6);
}

TEST_CASE("a type may be asked for in a version") {
  const char* const accept = "text/plain;version=0.0.4;q=0.3, text/plain; version = 1.0.0;q=0.4, */*;q=0.2";
  CHECK(weight(accept, "text/plain", "0.0.4") == 0.3);
  CHECK(weight(accept, "text/plain", "1.0.0") == 0.4);
  CHECK(weight(accept, "text/plain", "2.0.0") == 0.2);
  CHECK(weight("text/plain", "text/plain", "0.0.4") == 1);
}

TEST_CASE("a type that is named is told from one that is in a range, with its place") {
  CHECK(acceptance_of("a/b, text/plain", "text/plain").named);
  CHECK(acceptance_of("a/b, text/plain", "text/plain").position == 1);
  CHECK_FALSE(acceptance_of("a/b, text/*", "text/plain").named);
  CHECK_FALSE(acceptance_of("", "text/plain").named);
}

}  // namespace
}  // namespace dinette::http::accept_test
