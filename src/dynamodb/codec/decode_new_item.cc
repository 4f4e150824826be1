// Items that are to be stored: from the request's JSON straight to the record, attribute by attribute.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include <boost/container/small_vector.hpp>

#include "dinette/aws/json_writer.h"
#include "dinette/kv/value.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/attribute_texts.h"
#include "dynamodb/codec/decoder.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/codec/value_reading.h"
#include "dynamodb/model/attribute_value.h"

namespace dinette::dynamodb::codec {
namespace {

/// An attribute whose text is written.
struct WrittenAttribute {
  std::string_view name;
  std::size_t position;  ///< among the texts
  std::size_t size;      ///< as the service counts it
};
using WrittenAttributes = boost::container::small_vector<WrittenAttribute, 32>;

/// Puts attributes in the order of records: by name, and of several with one name only the last.
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

/// The one type that a value is given in, with what is there; nothing for values with less or more than
/// that.
struct OnlyType {
  model::Type type;
  JsonElement content;
};
std::optional<OnlyType> only_type(JsonElement json) {
  JsonObject fields;
  if (json.get(fields) != simdjson::SUCCESS || fields.size() != 1) return std::nullopt;
  const auto field = *fields.begin();
  const auto type = model::type_from_name(field.key);
  return type ? std::optional(OnlyType{*type, field.value}) : std::nullopt;
}

template <class Alternative>
constexpr bool is_container = std::is_same_v<Alternative, model::Map> ||
                              std::is_same_v<Alternative, model::List> || requires(Alternative set) {
  set.members;
};

/// Returns true if an item of this size is refused in any case: its text is then read only for keys.
bool too_large(std::size_t item_size) {
  return item_size > std::size_t{model::limits::item_bytes};
}

/// Replaces the value that makes an item too large: written out, it could be fifty times as long as sent.
void empty_container(model::AttributeValue& value) {
  std::visit(
      [&]<class Alternative>(const Alternative&) {
        if constexpr (is_container<Alternative>) value.emplace<Alternative>();
      },
      value.alternatives());
}

bool names_ascend(JsonObject attributes) {
  std::optional<std::string_view> before;
  for (const auto attribute : attributes) {
    if (before && attribute.key <= *before) return false;
    before = attribute.key;
  }
  return true;
}

}  // namespace

Decoded Decoder::read(JsonElement json, NewItemInput& out) {
  DINETTE_TRY(const JsonObject fields, object(json));
  ValueReading reading{.order = rules_.order};
  AttributeTexts texts;
  WrittenAttributes attributes;
  std::size_t item_size = 0;
  for (const auto field : fields) {
    DINETTE_CHECK(check_attribute_name(field.key, 1, reading));
    const std::size_t size_before = item_size;
    item_size += field.key.size();
    append_string(texts.open(), field.key);
    texts.open() += ':';
    DINETTE_CHECK(transcribe(field.value, 1, reading, texts.open(), item_size));
    attributes.push_back({field.key, texts.size(), item_size - size_before});
    texts.finish();
  }
  out.problem = std::move(reading).result();
  out.record = out.problem ? kv::Value() : record_of(attributes, texts);
  // Attributes that others of the same name have replaced were counted, too: without them it may not be too
  // large, and then all of its text is needed.
  const bool falsely_too_large =
      !out.problem && too_large(item_size) && !too_large(record_size(out.record.view()));
  return falsely_too_large ? read_typed_item(json, out) : Decoded();
}

/// Reads by way of typed values, of which only those count that stay.
Decoded Decoder::read_typed_item(JsonElement json, NewItemInput& out) {
  ItemInput typed;
  DINETTE_CHECK(read(json, typed));
  out.record = make_record(typed.attributes, model::size_in_bytes(typed.attributes));
  return {};
}

void Decoder::append_string(std::string& out, std::string_view text) const {
  if (has_escapes_) return aws::append_json_string(out, text);
  out += '"';
  out += text;
  out += '"';
}

/// Appends the canonical text of a value, and adds to `item_size` what it counts. Of what makes the item too
/// large a shorter text.
Decoded Decoder::transcribe(JsonElement json, int depth, ValueReading& reading, std::string& text,
                            std::size_t& item_size) {
  const auto only = only_type(json);
  if (only && depth <= model::limits::nesting_levels) {
    deepest_value_ = std::max(deepest_value_, depth);
    const std::size_t begin = text.size();
    text.append("{\"").append(model::type_name(only->type)).append("\":");
    DINETTE_TRY(const bool written,
                transcribe_content(only->type, only->content, depth, reading, text, item_size));
    text += '}';
    if (written) return {};
    text.resize(begin);
  }
  model::AttributeValue value;
  DINETTE_CHECK(read_value(json, depth, reading, value));
  if (reading.problem) return {};  // the text is not needed, and the value may be nested too deep to write
  item_size += model::size_in_bytes(value);
  if (too_large(item_size)) empty_container(value);
  append_value(text, value);
  return {};
}

/// Copies what can be written as sent, which is most of an item. Returns false for the rest, which must be
/// decoded first: sets and maps that must be put in order, bytes, and what may be wrong.
base::Result<bool, SerializationError> Decoder::transcribe_content(model::Type type, JsonElement json,
                                                                   int depth, ValueReading& reading,
                                                                   std::string& text,
                                                                   std::size_t& item_size) {
  switch (type) {
    case model::Type::string: {
      std::string_view string;
      if (json.get(string) != simdjson::SUCCESS) return false;
      append_string(text, string);
      item_size += string.size();
      return true;
    }
    case model::Type::number: {
      std::string_view digits;
      if (json.get(digits) != simdjson::SUCCESS) return false;
      const auto number = model::Number::parse(digits, generation_);
      if (!number) return false;
      text += '"';
      if (too_large(item_size)) {
        text += digits;
      } else {
        number->append_to(text);
      }
      text += '"';
      item_size += number->size_in_bytes();
      return true;
    }
    case model::Type::boolean: {
      bool value = false;
      if (json.get(value) != simdjson::SUCCESS) return false;
      text += value ? "true" : "false";
      item_size += 1;
      return true;
    }
    case model::Type::map: {
      JsonObject attributes;
      if (json.get(attributes) != simdjson::SUCCESS || !names_ascend(attributes)) return false;
      DINETTE_CHECK(transcribe_map(attributes, depth + 1, reading, text, item_size));
      return true;
    }
    default:
      return false;
  }
}

/// Copies a map whose `attributes` are in order.
Decoded Decoder::transcribe_map(JsonObject attributes, int depth, ValueReading& reading, std::string& text,
                                std::size_t& item_size) {
  text += '{';
  item_size += model::container_overhead;
  bool first = true;
  for (const auto attribute : attributes) {
    DINETTE_CHECK(check_attribute_name(attribute.key, depth, reading));
    if (!first) text += ',';
    first = false;
    append_string(text, attribute.key);
    text += ':';
    item_size += model::element_overhead + attribute.key.size();
    DINETTE_CHECK(transcribe(attribute.value, depth, reading, text, item_size));
  }
  text += '}';
  return {};
}

}  // namespace dinette::dynamodb::codec
