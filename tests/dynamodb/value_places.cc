#include "dynamodb/value_places.h"

namespace test {

void check_refused_everywhere(std::string_view value, std::string_view sentence) {
  DynamoDb db;
  for (const ValuePlace& place : value_places) {
    check_refusal(db, {place.operation, place.members(value), place.worded(sentence)});
  }
}

}  // namespace test
