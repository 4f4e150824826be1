#include "dynamodb/value_places.h"

#include <algorithm>

namespace test {

std::string ValuePlace::bare(std::string_view sentence) const {
  const std::array no_value = {"Supplied AttributeValue ", "Null attribute value types ", "An string set ",
                               "Binary sets should not "};
  const auto is = [&](std::string_view front) { return sentence.find(front) != std::string_view::npos; };
  const std::string front =
      start_key && std::ranges::any_of(no_value, is) ? "The provided starting key is invalid: " : "";
  return front + std::string(sentence);
}

void check_refused_everywhere(std::string_view value, std::string_view sentence) {
  DynamoDb db;
  for (const ValuePlace& place : value_places) {
    check_refusal(db, {place.operation, place.members(value), place.worded(sentence)});
  }
}

}  // namespace test
