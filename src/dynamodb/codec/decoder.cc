#include "dynamodb/codec/decoder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <boost/container/small_vector.hpp>

#include "dinette/base/base64.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/attribute_texts.h"
#include "dynamodb/codec/json_writer.h"
#include "dynamodb/codec/record_layout.h"
#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb::codec {
namespace {

using base::Failure;
using model::AttributeValue;
using simdjson::dom::element_type;

/// A map key that the service's own deserializer stumbles over (facts: wire.md section 6). In an item it may
/// stand all the same: an update can name it by a placeholder.
constexpr std::string_view type_key = "__type";

/// The real text varies with the byte at fault and is not known further (facts: wire.md section 6).
constexpr std::string_view bad_base64_message = "Invalid base64 encoded value";

/// An attribute whose text is written.
struct WrittenAttribute {
  std::string_view name;
  std::size_t position;  ///< among the texts
  std::size_t size;      ///< as the service counts it
};
using WrittenAttributes = boost::container::small_vector<WrittenAttribute, 32>;

/// In the order of records: by name, and of several with one name only the last.
void put_in_order(WrittenAttributes& attributes) {
  const auto not_before = [](const WrittenAttribute& a, const WrittenAttribute& b) {
    return a.name >= b.name;
  };
  if (std::adjacent_find(attributes.begin(), attributes.end(), not_before) == attributes.end()) return;
  std::sort(attributes.begin(), attributes.end(), [](const WrittenAttribute& a, const WrittenAttribute& b) {
    return std::tie(a.name, b.position) < std::tie(b.name, a.position);
  });
  const auto same_name = [](const WrittenAttribute& a, const WrittenAttribute& b) {
    return a.name == b.name;
  };
  attributes.erase(std::unique(attributes.begin(), attributes.end(), same_name), attributes.end());
}

kv::Value record_of(WrittenAttributes& attributes, const AttributeTexts& texts) {
  put_in_order(attributes);
  boost::container::small_vector<std::string_view, 32> in_order;
  std::size_t size = 0;
  for (const WrittenAttribute& attribute : attributes) {
    in_order.push_back(texts[attribute.position]);
    size += attribute.size;
  }
  return join_record(size, in_order);
}

/// The text of a value that is a string and nothing else.
std::optional<std::string_view> only_string(JsonElement json) {
  JsonObject fields;
  std::string_view text;
  if (json.get(fields) != simdjson::SUCCESS || fields.size() != 1) return std::nullopt;
  const auto field = *fields.begin();
  if (field.key != "S" || field.value.get(text) != simdjson::SUCCESS) return std::nullopt;
  return text;
}

[[gnu::cold]] Failure<SerializationError> refuse(JsonElement json, std::string_view wanted) {
  return Failure{unexpected_kind(json, wanted)};
}

}  // namespace

std::optional<JsonElement> member_of(JsonObject structure, std::string_view name) {
  std::optional<JsonElement> found;
  for (const auto field : structure) {
    if (field.key == name && !field.value.is_null()) found = field.value;
  }
  return found;
}

SerializationError unexpected_kind(JsonElement json, std::string_view wanted) {
  const auto scalar = [&](std::string_view kind) {
    return SerializationError{std::string(kind) + " cannot be converted to " + std::string(wanted)};
  };
  switch (json.type()) {
    case element_type::OBJECT:
      return {"Start of structure or map found where not expected"};
    case element_type::ARRAY:
      return {"Start of list found where not expected"};
    case element_type::STRING:
      return wanted.empty() ? SerializationError{"Unexpected field type"} : scalar("STRING_VALUE");
    case element_type::BOOL:
      if (wanted.empty()) return {"Unexpected field type"};
      return scalar(json.get_bool().value_unsafe() ? "TRUE_VALUE" : "FALSE_VALUE");
    case element_type::NULL_VALUE:
      return {"Unexpected field type"};
    default:
      return wanted.empty() ? SerializationError{"Unexpected field type"} : scalar("NUMBER_VALUE");
  }
}

/// The state of reading one attribute value or one map of them.
struct Decoder::ValueReading {
  std::optional<ValueProblem> problem;
  bool nested_empty_name = false;

  [[gnu::cold]] void note(std::string message, bool malformed = false) {
    if (!problem) problem = ValueProblem{std::move(message), malformed};
  }
  /// The first problem in the order of the text; empty nested names are met after all others (facts:
  /// values.md section 4).
  std::optional<ValueProblem> result() && {
    if (!problem && nested_empty_name) note(std::string(model::empty_attribute_name), true);
    return std::move(problem);
  }
};

base::Result<JsonObject, SerializationError> Decoder::object(JsonElement json) const {
  JsonObject fields;
  if (json.get(fields) != simdjson::SUCCESS) return refuse(json, "");
  return fields;
}

base::Result<JsonArray, SerializationError> Decoder::array(JsonElement json) const {
  JsonArray elements;
  if (json.get(elements) != simdjson::SUCCESS) return refuse(json, "");
  return elements;
}

base::Result<std::string_view, SerializationError> Decoder::text(JsonElement json) const {
  std::string_view view;
  if (json.get(view) != simdjson::SUCCESS) return refuse(json, "String");
  return view;
}

Decoded Decoder::read(JsonElement json, std::string& out) {
  DINETTE_TRY(out, text(json));
  return {};
}

Decoded Decoder::read(JsonElement json, bool& out) {
  if (json.get(out) != simdjson::SUCCESS) return refuse(json, "Boolean");
  return {};
}

Decoded Decoder::read(JsonElement json, double& out) {
  if (json.get(out) != simdjson::SUCCESS) return refuse(json, "Double");
  return {};
}

Decoded Decoder::read(JsonElement json, std::int64_t& out) {
  if (json.get(out) == simdjson::SUCCESS) return {};
  double fraction = 0;
  if (!json.is_double() || json.get(fraction) != simdjson::SUCCESS) return refuse(json, "Long");
  if (!(std::abs(fraction) < 0x1p63))
    return Failure{SerializationError{"NUMBER_VALUE cannot be converted to Long"}};
  out = static_cast<std::int64_t>(fraction);  // a fraction is cut off (facts: wire.md section 6)
  return {};
}

Decoded Decoder::read(JsonElement json, std::int32_t& out) {
  std::int64_t wide = 0;
  if (!json.is_number()) return refuse(json, "Integer");
  DINETTE_CHECK(read(json, wide));
  using Range = std::numeric_limits<std::int32_t>;
  if (wide < Range::min() || wide > Range::max()) {
    return Failure{SerializationError{"NUMBER_VALUE cannot be converted to Integer"}};
  }
  out = static_cast<std::int32_t>(wide);
  return {};
}

Decoded Decoder::read(JsonElement json, Timestamp& out) {
  double seconds = 0;
  if (json.get(seconds) != simdjson::SUCCESS) return refuse(json, "Timestamp");
  if (!(std::abs(seconds) < 0x1p50))
    return Failure{SerializationError{"NUMBER_VALUE cannot be converted to Timestamp"}};
  out.milliseconds = std::llround(seconds * 1000);
  return {};
}

Decoded Decoder::read(JsonElement json, ItemInput& out) {
  ValueReading reading;
  DINETTE_CHECK(read_attributes(json, 1, reading, out.attributes));
  out.problem = std::move(reading).result();
  return {};
}

Decoded Decoder::read(JsonElement json, NewItemInput& out) {
  DINETTE_TRY(const JsonObject fields, object(json));
  ValueReading reading;
  AttributeTexts texts;
  WrittenAttributes attributes;
  for (const auto field : fields) {
    DINETTE_CHECK(check_attribute_name(field.key, 1, reading));
    std::size_t size = field.key.size();
    append_string(texts.open(), field.key);
    texts.open() += ':';
    DINETTE_CHECK(transcribe(field.value, reading, texts.open(), size));
    attributes.push_back({field.key, texts.size(), size});
    texts.finish();
  }
  out.problem = std::move(reading).result();
  out.record = out.problem ? kv::Value() : record_of(attributes, texts);
  return {};
}

Decoded Decoder::read(JsonElement json, ValuesInput& out) {
  DINETTE_TRY(const JsonObject fields, object(json));
  out.entries.reserve(fields.size());
  for (const auto field : fields) {
    ValueReading reading;
    auto& entry = out.entries.emplace_back();
    entry.first = field.key;
    DINETTE_CHECK(read_value(field.value, 1, reading, entry.second));
    auto problem = std::move(reading).result();
    if (out.problem || !problem) continue;
    out.problem = std::move(problem);
    if (generation_ == model::Generation::current) continue;
    // The older layer names the placeholder (facts: values.md section 2).
    out.problem->message = "ExpressionAttributeValues contains invalid value: " + out.problem->message +
                           " for key " + entry.first;
  }
  keep_last_of_each(out.entries);
  return {};
}

Decoded Decoder::read(JsonElement json, AttributeValueInput& out) {
  ValueReading reading;
  DINETTE_CHECK(read_value(json, 1, reading, out.value));
  out.problem = std::move(reading).result();
  return {};
}

Decoded Decoder::check_attribute_name(std::string_view name, int depth, ValueReading& reading) const {
  if (name == type_key && source_ == Source::request)
    return Failure{SerializationError{"No assembly name on stack!"}};
  if (name.empty() && depth == 1) reading.note(std::string(model::empty_attribute_name), true);
  if (name.empty()) reading.nested_empty_name = true;
  if (name.size() > model::limits::attribute_name_bytes) {
    reading.note(std::string(model::attribute_name_too_large), true);
  }
  return {};
}

void Decoder::append_string(std::string& out, std::string_view text) const {
  if (has_escapes_) return append_json_string(out, text);
  out += '"';
  out += text;
  out += '"';
}

/// Appends the canonical text of a top-level value, and adds to `size` what it counts. Strings, which are
/// most of what items hold, are copied as they are.
Decoded Decoder::transcribe(JsonElement json, ValueReading& reading, std::string& text, std::size_t& size) {
  if (const auto string = only_string(json)) {
    deepest_value_ = std::max(deepest_value_, 1);
    text += R"({"S":)";
    append_string(text, *string);
    text += '}';
    size += string->size();
    return {};
  }
  AttributeValue value;
  DINETTE_CHECK(read_value(json, 1, reading, value));
  if (reading.problem) return {};  // nobody will read the text, and the value may be nested too deep to write
  append_value(text, value);
  size += model::size_in_bytes(value);
  return {};
}

Decoded Decoder::read_attributes(JsonElement json, int depth, ValueReading& reading, model::Map& out) {
  DINETTE_TRY(const JsonObject fields, object(json));
  std::vector<model::Attribute> attributes;
  attributes.reserve(fields.size());
  for (const auto field : fields) {
    DINETTE_CHECK(check_attribute_name(field.key, depth, reading));
    auto& attribute = attributes.emplace_back();
    attribute.name = field.key;
    DINETTE_CHECK(read_value(field.value, depth, reading, attribute.value));
  }
  out = model::Map::from_unsorted(std::move(attributes));
  return {};
}

// Depth is bounded by the JSON parser, which refuses deeper text; beyond the service's own limit reading goes
// on only to find wrong JSON types, which win over every value problem.
Decoded Decoder::read_value(JsonElement json, int depth, ValueReading& reading, AttributeValue& out) {
  deepest_value_ = std::max(deepest_value_, depth);
  if (depth > model::limits::nesting_levels) reading.note(std::string(model::nested_too_deep));
  DINETTE_TRY(const JsonObject fields, object(json));
  int types_given = 0;
  for (const auto field : fields) {
    const auto type = model::type_from_name(field.key);
    if (!type || field.value.is_null()) continue;
    ++types_given;
    DINETTE_CHECK(read_typed(*type, field.value, depth, reading, out));
  }
  if (types_given == 0) reading.note(std::string(model::no_datatype), true);
  if (types_given > 1) reading.note(std::string(model::several_datatypes), true);
  return {};
}

Decoded Decoder::read_typed(model::Type type, JsonElement json, int depth, ValueReading& reading,
                            AttributeValue& out) {
  switch (type) {
    case model::Type::string: {
      DINETTE_TRY(const std::string_view view, text(json));
      out.emplace<std::string>(view);
      return {};
    }
    case model::Type::number:
      return read_number(json, reading, out);
    case model::Type::binary: {
      DINETTE_TRY(const std::string_view view, text(json));
      auto bytes = base::base64_decode(view);
      if (!bytes) return Failure{SerializationError{std::string(bad_base64_message)}};
      out.emplace<model::Binary>(model::Binary{*std::move(bytes)});
      return {};
    }
    case model::Type::boolean: {
      bool value = false;
      DINETTE_CHECK(read(json, value));
      out.emplace<bool>(value);
      return {};
    }
    case model::Type::null:
      return read_null(json, reading, out);
    case model::Type::map: {
      return read_attributes(json, depth + 1, reading, out.emplace<model::Map>());
    }
    case model::Type::list:
      return read_list(json, depth, reading, out);
    case model::Type::string_set:
    case model::Type::number_set:
    case model::Type::binary_set:
      return read_set(type, json, reading, out);
  }
  return {};
}

Decoded Decoder::read_number(JsonElement json, ValueReading& reading, AttributeValue& out) {
  DINETTE_TRY(const std::string_view view, text(json));
  auto number = model::read_number(view, generation_);
  if (!number) reading.note(std::move(number).error());
  out.emplace<model::Number>(number ? *number : model::Number());
  return {};
}

Decoded Decoder::read_null(JsonElement json, ValueReading& reading, AttributeValue& out) {
  bool value = false;
  DINETTE_CHECK(read(json, value));
  if (auto null = model::make_null(value); !null) reading.note(std::move(null).error());
  out.emplace<model::Null>();
  return {};
}

Decoded Decoder::read_list(JsonElement json, int depth, ValueReading& reading, AttributeValue& out) {
  DINETTE_TRY(const JsonArray elements, array(json));
  auto& list = out.emplace<model::List>();
  list.reserve(elements.size());
  for (const JsonElement element : elements) {
    DINETTE_CHECK(read_value(element, depth + 1, reading, list.emplace_back()));
  }
  return {};
}

Decoded Decoder::read_set(model::Type type, JsonElement json, ValueReading& reading, AttributeValue& out) {
  std::vector<std::string> members;
  DINETTE_CHECK(read(json, members));
  // A refused set keeps its type: what else is wrong with the request is found by type.
  const auto keep = [&](auto&& set) {
    using Set = typename std::remove_cvref_t<decltype(set)>::value_type;
    if (!set.ok()) reading.note(std::move(set).error());
    out.emplace<Set>(set.ok() ? std::move(set).value() : Set());
  };
  if (type == model::Type::string_set) keep(model::make_string_set(std::move(members), generation_));
  if (type == model::Type::number_set) keep(model::read_number_set(members, generation_));
  if (type == model::Type::binary_set) {
    std::vector<model::Binary> binaries;
    for (const std::string& member : members) {
      auto bytes = base::base64_decode(member);
      if (!bytes) return Failure{SerializationError{std::string(bad_base64_message)}};
      binaries.push_back({*std::move(bytes)});
    }
    keep(model::make_binary_set(std::move(binaries), generation_));
  }
  return {};
}

}  // namespace dinette::dynamodb::codec
