#include "app/cli/suggest.h"

#include <array>
#include <string>

#include <catch2/catch.hpp>

namespace dinette::app::suggest_test {
namespace {

TEST_CASE("the nearest candidate is suggested if it is close") {
  const std::array<std::string, 3> known{"--port", "--host", "-inMemory"};
  CHECK(nearest("--hots", known) == "--host");
  CHECK(nearest("-port", known) == "--port");
  CHECK(nearest("-inMemry", known) == "-inMemory");
  CHECK(nearest("--rocket", known).empty());
  CHECK(nearest("-p", known).empty());
  CHECK(nearest("--", known).empty());
}

}  // namespace
}  // namespace dinette::app::suggest_test
