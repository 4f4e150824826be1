#include "dynamodb/codec/decoder.h"

#include <algorithm>

#include "dinette/base/base64.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/value_reading.h"
#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb::codec {
namespace {

using base::Failure;
using model::AttributeValue;

/// A map key that the service's own deserializer stumbles over (docs/service/wire.md section 6). In an item
/// it may nevertheless be there: an update can name it by a placeholder.
constexpr std::string_view type_key = "__type";

/// The real text varies with the byte at fault and is not known further (docs/service/wire.md section 6).
constexpr std::string_view bad_base64_message = "Invalid base64 encoded value";

}  // namespace

Decoded Decoder::read(JsonElement json, ItemInput& out) {
  ValueReading reading{.order = rules_.order};
  DINETTE_CHECK(read_attributes(json, 1, reading, out.attributes));
  out.problem = std::move(reading).result();
  return {};
}

Decoded Decoder::read(JsonElement json, ValuesInput& out) {
  DINETTE_TRY(const JsonObject fields, object(json));
  out.entries.reserve(fields.size());
  for (const auto field : fields) {
    ValueReading reading{.levels = rules_.expression_value_levels};
    auto& entry = out.entries.emplace_back();
    entry.first = field.key;
    DINETTE_CHECK(read_value(field.value, 1, reading, entry.second));
    if (auto problem = std::move(reading).result()) add_problem(entry.first, *std::move(problem), out);
  }
  std::ranges::sort(out.refused);
  aws::keep_last_of_each(out.entries);
  return {};
}

void Decoder::add_problem(const std::string& placeholder, ValueProblem problem, ValuesInput& out) const {
  out.refused.push_back(placeholder);
  FirstProblem first;
  first.add(out.problem);
  first.add(&problem);
  if (first.get() != &problem) return;
  // The older generation names the placeholder (docs/service/values.md section 2).
  const bool names =
      generation_ == model::Generation::older && problem.message != model::attribute_name_too_large;
  if (names) {
    problem.message =
        "ExpressionAttributeValues contains invalid value: " + problem.message + " for key " + placeholder;
  }
  out.problem = std::move(problem);
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
  if (name.empty() && depth > 1) reading.nested_empty_name = true;
  const ValueProblem* const problem = problem_of_name(name);
  if (problem && (depth == 1 || !name.empty()))
    reading.note(problem->message, problem->malformed,
                 name.empty() ? ProblemKind::nameless_attribute : ProblemKind::value);
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
  if (depth > reading.levels) reading.note(std::string(model::nested_too_deep), false, ProblemKind::depth);
  DINETTE_TRY(const JsonObject fields, object(json));
  int types_given = 0;
  for (const auto field : fields) {
    const auto type = model::type_from_name(field.key);
    if (!type || field.value.is_null()) continue;
    ++types_given;
    DINETTE_CHECK(read_typed(*type, field.value, depth, reading, out));
  }
  if (types_given == 0) reading.note_untyped(model::no_datatype);
  if (types_given > 1) reading.note_untyped(model::several_datatypes);
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
