#include "dinette/base/edit_distance.h"

#include <catch2/catch.hpp>

namespace dinette::base::edit_distance_test {
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

}  // namespace
}  // namespace dinette::base::edit_distance_test
