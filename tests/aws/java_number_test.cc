#include "dinette/aws/java_number.h"

#include <catch2/catch.hpp>

namespace dinette::aws::java_number_test {
namespace {

// docs/service/triggers.md section 6.1, "ApproximateCreationDateTime"
TEST_CASE("a number is printed as Java prints a double") {
  CHECK(java_number(1'789'650'449) == "1.789650449E9");
  CHECK(java_number(1'700'000'000) == "1.7E9");
  CHECK(java_number(1'000'000'000) == "1.0E9");
  CHECK(java_number(10'000'000) == "1.0E7");
  CHECK(java_number(9'999'999) == "9999999.0");
  CHECK(java_number(0) == "0.0");
}

}  // namespace
}  // namespace dinette::aws::java_number_test
