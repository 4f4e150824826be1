#include "cql/values/from_json.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "dinette/base/ascii.h"
#include "dinette/base/bytes.h"

#include "cql/types/key_order.h"
#include "cql/values/from_text.h"
#include "cql/values/numbers.h"

namespace dinette::cql {
namespace {

using JsonKind = JsonValue::Kind;

/// The class of a number.
std::string_view java_number(std::string_view text) {
  if (text.find_first_of(".eE") != std::string_view::npos) return "Double";
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return "BigInteger";
  const bool is_int = number >= std::numeric_limits<std::int32_t>::min() &&
                      number <= std::numeric_limits<std::int32_t>::max();
  return is_int ? "Integer" : "Long";
}

/// The class that has such a value in Java.
std::string_view java_name(const JsonValue& json) {
  switch (json.kind) {
    case JsonKind::boolean:
      return "Boolean";
    case JsonKind::number:
      return java_number(json.text);
    case JsonKind::string:
      return "String";
    case JsonKind::list:
      return "ArrayList";
    case JsonKind::map:
      return "LinkedHashMap";
    case JsonKind::null:
      return "null";
  }
  return {};
}

/// What a type without parts takes, as messages name it.
std::string wanted_by(const Type& type) {
  switch (type.kind) {
    case Kind::text:
      return "a UTF-8 string";
    case Kind::ascii:
      return "an ascii string";
    case Kind::int_:
      return "an int value";
    case Kind::tinyint:
      return "a byte value";
    case Kind::smallint:
      return "a short value";
    case Kind::timestamp:
      return "a long or a datestring representation of a timestamp value";
    case Kind::inet:
      return "a string representation of an inet value";
    case Kind::date:
    case Kind::time:
      return "a string representation of a " + to_text(type) + " value";
    case Kind::uuid:
    case Kind::timeuuid:
    case Kind::duration:
      return "a string representation of a " + to_text(type);
    case Kind::blob:
    case Kind::custom:
      return "a string";
    default:
      return "a " + to_text(type) + " value";
  }
}

/// As Java shows lists and maps.
std::string shown_json(const JsonValue& json) {
  std::string out;
  switch (json.kind) {
    case JsonKind::list:
      for (const JsonValue& element : json.elements)
        out.append(out.empty() ? "" : ", ").append(shown_json(element));
      return "[" + out + "]";
    case JsonKind::map:
      for (const auto& [name, value] : json.members)
        out.append(out.empty() ? "" : ", ").append(name).append("=").append(shown_json(value));
      return "{" + out + "}";
    case JsonKind::null:
      return "null";
    case JsonKind::number:
      if (java_number(json.text) == "Double") return double_text(double_of(json.text).value_or(0));
      return json.text;
    default:
      return json.text;
  }
}

base::Failure<Error> unexpected(std::string_view wanted, const JsonValue& json) {
  return invalid("Expected " + std::string(wanted) + ", but got a " + std::string(java_name(json)) + ": " +
                 shown_json(json));
}

void append_json_part(std::string& out, std::string_view part) {
  base::append_big_endian(out, static_cast<std::uint32_t>(part.size()));
  out += part;
}

/// Sorted, and each key once: the last one stays.
std::string sorted_parts(const Type& type, std::vector<std::pair<std::string, std::string>> parts) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string key;
    append_key(key, type.arguments.front(), parts[i].first);
    places[std::move(key)] = i;
  }
  std::string out;
  base::append_big_endian(out, static_cast<std::uint32_t>(places.size()));
  for (const auto& [key, place] : places) {
    append_json_part(out, parts[place].first);
    if (type.kind == Kind::map) append_json_part(out, parts[place].second);
  }
  return out;
}

Answer<std::string> list_from_json(const Type& type, const JsonValue& json) {
  const bool is_set = type.kind == Kind::set;
  if (json.kind != JsonKind::list) return unexpected(is_set ? "a list (representing a set)" : "a list", json);
  std::vector<std::pair<std::string, std::string>> parts;
  for (const JsonValue& element : json.elements) {
    if (element.kind == JsonKind::null)
      return invalid(is_set ? "Invalid null element in set" : "Invalid null element in list");
    DINETTE_TRY(std::string bytes, value_from_json(type.arguments.front(), element));
    parts.emplace_back(std::move(bytes), "");
  }
  if (is_set) return sorted_parts(type, std::move(parts));
  std::string out;
  base::append_big_endian(out, static_cast<std::uint32_t>(parts.size()));
  for (const auto& part : parts) append_json_part(out, part.first);
  return out;
}

Answer<std::string> map_from_json(const Type& type, const JsonValue& json) {
  if (json.kind != JsonKind::map) return unexpected("a map", json);
  std::vector<std::pair<std::string, std::string>> parts;
  for (const auto& [name, value] : json.members) {
    if (value.kind == JsonKind::null) return invalid("Invalid null value in map");
    DINETTE_TRY(std::string key,
                value_from_json(type.arguments[0], {.kind = JsonKind::string, .text = name}));
    DINETTE_TRY(std::string bytes, value_from_json(type.arguments[1], value));
    parts.emplace_back(std::move(key), std::move(bytes));
  }
  return sorted_parts(type, std::move(parts));
}

Answer<void> append_component(std::string& out, const Type& type, const JsonValue* json) {
  if (json == nullptr || json->kind == JsonKind::null) {
    base::append_big_endian(out, ~std::uint32_t{0});
    return {};
  }
  DINETTE_TRY(const std::string bytes, value_from_json(type, *json));
  append_json_part(out, bytes);
  return {};
}

Answer<std::string> tuple_from_json(const Type& type, const JsonValue& json) {
  if (json.kind != JsonKind::list) return unexpected("a list representation of a tuple", json);
  const std::size_t wanted = type.arguments.size();
  if (json.elements.size() > wanted) {
    return invalid("Tuple contains extra items (expected " + std::to_string(wanted) +
                   "): " + shown_json(json));
  }
  if (json.elements.size() < wanted) {
    return invalid("Tuple is missing items (expected " + std::to_string(wanted) + "): " + shown_json(json));
  }
  std::string out;
  for (std::size_t i = 0; i < wanted; ++i) {
    DINETTE_CHECK(append_component(out, type.arguments[i], &json.elements[i]));
  }
  return out;
}

Answer<std::string> udt_from_json(const Type& type, const JsonValue& json) {
  if (json.kind != JsonKind::map) return unexpected("a map", json);
  std::vector<const JsonValue*> fields(type.fields.size());
  for (const auto& [name, value] : json.members) {
    const std::string folded = column_of_json(name);
    const auto field = std::ranges::find(type.fields, folded);
    if (field == type.fields.end())
      return invalid("Unknown field '" + folded + "' in value of user defined type " + type.name);
    fields[static_cast<std::size_t>(field - type.fields.begin())] = &value;
  }
  std::string out;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    DINETTE_CHECK(append_component(out, type.arguments[i], fields[i]));
  }
  return out;
}

bool has_json_parts(Kind kind) {
  return kind == Kind::list || kind == Kind::set || kind == Kind::map || kind == Kind::tuple ||
         kind == Kind::udt;
}

Answer<std::string> parts_from_json(const Type& type, const JsonValue& json) {
  // Collections may be strings that have their JSON.
  std::optional<JsonValue> inner;
  if (json.kind == JsonKind::string) {
    inner = read_json(json.text);
    if (!inner) return invalid("Error decoding JSON string: it is none");
  }
  const JsonValue& parts = inner ? *inner : json;
  switch (type.kind) {
    case Kind::map:
      return map_from_json(type, parts);
    case Kind::tuple:
      return tuple_from_json(type, parts);
    case Kind::udt:
      return udt_from_json(type, parts);
    default:
      return list_from_json(type, parts);
  }
}

/// Of varint and decimal, for which Cassandra takes the text of any value.
Answer<std::string> big_number_from_json(const Type& type, const JsonValue& json) {
  // That of a decimal keeps its digits: in Cassandra it is a double first.
  const bool digits = type.kind == Kind::decimal && json.kind == JsonKind::number;
  const std::string text = digits ? json.text : shown_json(json);
  const bool number = type.kind == Kind::decimal
                          ? decimal_of(text).number || decimal_of(text).error == NumberError::out_of_range
                          : varint_of(text).number || varint_of(text).error == NumberError::out_of_range;
  if (number) return value_from_text(type, text);
  return invalid("Value '" + shown_json(json) + "' is not a valid representation of a " + to_text(type) +
                 " value");
}

Answer<std::string> blob_from_json(const Type& type, const JsonValue& json) {
  const auto refused = [&](const std::string& reason) {
    return invalid("Value '" + json.text + "' is not a valid blob representation: " + reason);
  };
  if (!json.text.starts_with("0x"))
    return refused("String representation of blob is missing 0x prefix: " + json.text);
  auto bytes = value_from_text(type, json.text);
  if (!bytes) return refused(bytes.error().message);
  return bytes;
}

/// Returns true of numbers that int, bigint and timestamp do not take, which look at the class, not at the
/// value.
bool has_wrong_class(Kind kind, const JsonValue& json) {
  const bool looks = kind == Kind::int_ || kind == Kind::bigint || kind == Kind::timestamp;
  if (json.kind != JsonKind::number || !looks) return false;
  const std::string_view name = java_number(json.text);
  return name != "Integer" && (kind == Kind::int_ || name != "Long");
}

/// Returns true of types whose values are not in quotes.
bool takes_json_numbers(Kind kind) {
  return is_number(kind) || kind == Kind::timestamp;
}

}  // namespace

std::string column_of_json(std::string_view name) {
  if (name.size() > 1 && name.front() == '"' && name.back() == '"')
    return std::string(name.substr(1, name.size() - 2));
  std::string folded(name);
  std::ranges::transform(folded, folded.begin(), base::to_lower);
  return folded;
}

Answer<std::string> value_from_json(const Type& type, const JsonValue& json) {
  if (has_json_parts(type.kind)) return parts_from_json(type, json);
  if (type.kind == Kind::varint || type.kind == Kind::decimal) return big_number_from_json(type, json);
  const bool fits = json.kind == JsonKind::string ||
                    (json.kind == JsonKind::number && takes_json_numbers(type.kind)) ||
                    (json.kind == JsonKind::boolean && type.kind == Kind::boolean);
  if (!fits || has_wrong_class(type.kind, json)) return unexpected(wanted_by(type), json);
  if (type.kind == Kind::blob) return blob_from_json(type, json);
  return value_from_text(type, json.text);
}

}  // namespace dinette::cql
