#include "dinette/aws/request_id.h"

#include <regex>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::aws::request_id_test {

TEST_CASE("request ids: 52 digits and letters up to V, of which half are the same, each id once") {
  const std::regex form("[0-9A-V]{26}VV4KQNSO5AEMVJF66Q9ASUAAJG");
  base::SystemIds ids;
  std::set<std::string> seen;
  for (int i = 0; i < 500; ++i) {
    const RequestId id = make_request_id(ids);
    const std::string text(text_of(id));
    CHECK(std::regex_match(text, form));
    CHECK(seen.insert(text).second);
  }
}

TEST_CASE("request ids: the same seed gives the same ids") {
  base::SeededIds first(7);
  base::SeededIds second(7);
  base::SeededIds other(8);
  const RequestId id = make_request_id(first);
  CHECK(id == make_request_id(second));
  CHECK(id != make_request_id(other));
}

TEST_CASE("request ids: every digit occurs at every random position") {
  base::SeededIds ids(1);
  std::vector<std::set<char>> seen(26);
  for (int i = 0; i < 1000; ++i) {
    const RequestId id = make_request_id(ids);
    for (std::size_t place = 0; place < seen.size(); ++place) seen[place].insert(id[place]);
  }
  for (const std::set<char>& letters : seen) CHECK(letters.size() == 32);
}

}  // namespace dinette::aws::request_id_test
