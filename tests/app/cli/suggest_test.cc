#include "app/cli/suggest.h"

#include <array>
#include <string>

#include <catch2/catch.hpp>

namespace dinette::app::suggest_test {
namespace {

TEST_CASE("edit distance counts letters added, dropped and changed, and no capitals") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("port", "prt") == 1);
  CHECK(edit_distance("port", "prot") == 1);
  CHECK(edit_distance("port", "tort") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("inmemory", "inMemory") == 0);
}

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
