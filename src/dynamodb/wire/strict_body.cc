#include "dynamodb/wire/strict_body.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace dinette::dynamodb::wire {
namespace {

using aws::JsonElement;
using aws::JsonObject;
using simdjson::dom::element_type;

enum class Expected : std::uint8_t { string, sequence, map, integer };

struct StrictMember {
  std::string_view name;
  Expected type;
};

constexpr std::array<StrictMember, 9> strict_members = {{{"TableName", Expected::string},
                                                         {"IndexName", Expected::string},
                                                         {"ReturnConsumedCapacity", Expected::string},
                                                         {"ExpressionAttributeNames", Expected::map},
                                                         {"ExpressionAttributeValues", Expected::map},
                                                         {"ProjectionExpression", Expected::string},
                                                         {"SearchVector", Expected::sequence},
                                                         {"SearchConditionExpression", Expected::string},
                                                         {"TopK", Expected::integer}}};

std::string_view words_of(Expected type) {
  switch (type) {
    case Expected::string:
      return "a string";
    case Expected::sequence:
      return "a sequence";
    case Expected::map:
      return "a map";
    case Expected::integer:
      return "i32";
  }
  return {};
}

bool fits(Expected type, JsonElement value) {
  switch (type) {
    case Expected::string:
      return value.is_string();
    case Expected::sequence:
      return value.is_array();
    case Expected::map:
      return value.is_object();
    case Expected::integer: {
      std::int64_t number = 0;
      return value.get(number) == simdjson::SUCCESS && number >= std::numeric_limits<std::int32_t>::min() &&
             number <= std::numeric_limits<std::int32_t>::max();
    }
  }
  return false;
}

/// Returns `null`, "string \"a\"", ...
std::string found_in_words(JsonElement value) {
  const std::string text = simdjson::minify(value);
  switch (value.type()) {
    case element_type::NULL_VALUE:
      return "null";
    case element_type::ARRAY:
      return "sequence";
    case element_type::OBJECT:
      return "map";
    case element_type::STRING:
      return "string " + text;
    case element_type::BOOL:
      return "boolean `" + text + "`";
    case element_type::DOUBLE:
      return "floating point `" + text + "`";
    default:
      return "integer `" + text + "`";
  }
}

/// Returns the length of a member's name in quotes; those of the API have no escapes.
std::size_t length_of_name(std::string_view name) {
  return name.size() + 2;
}

std::string at_column(std::size_t column) {
  return " at line 1 column " + std::to_string(column);
}

}  // namespace

Answer<void> check_search_types(JsonElement body) {
  JsonObject members;
  if (body.get(members) != simdjson::SUCCESS) return {};
  std::size_t column = 1;  // of the opening brace
  for (const auto member : members) {
    column += length_of_name(member.key) + 1;
    const auto known = std::ranges::find(strict_members, member.key, &StrictMember::name);
    const bool nested = member.value.is_array() || member.value.is_object();
    const std::size_t size = simdjson::minify(member.value).size();
    if (known != strict_members.end() && !fits(known->type, member.value)) {
      // What has a beginning and an end is refused at its beginning.
      const std::size_t end = column + (nested ? 0 : size);
      return base::Failure{ApiError{api::ErrorCode::serialization_exception,
                                    "invalid type: " + found_in_words(member.value) + ", expected " +
                                        std::string(words_of(known->type)) + at_column(end)}};
    }
    column += size + 1;  // and a comma
  }
  return {};
}

Answer<void> check_search_members(JsonElement body) {
  JsonObject members;
  if (body.get(members) != simdjson::SUCCESS) return {};
  const auto is_missing = [&](std::string_view name) { return !aws::member_of(members, name); };
  if (is_missing("TableName"))
    return validation("missing field `TableName`" + at_column(simdjson::minify(body).size()));
  for (const std::string_view name : {"IndexName", "SearchVector", "TopK"}) {
    if (!is_missing(name)) continue;
    return validation(Envelope::around, "Value at '" + std::string(name) +
                                            "' failed to satisfy constraint: Member must not be null");
  }
  return {};
}

}  // namespace dinette::dynamodb::wire
