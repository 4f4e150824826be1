#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <simdjson.h>

#include "dinette/base/result.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/inputs.h"

namespace dinette::dynamodb::codec {

using JsonElement = simdjson::dom::element;
using JsonObject = simdjson::dom::object;
using JsonArray = simdjson::dom::array;

/// A request whose JSON has another type than the API declares, as the service words it (docs/service/wire.md
/// section 6).
struct SerializationError {
  std::string message;
};

using Decoded = base::Result<void, SerializationError>;

struct ValueReading;

/// A request's text, parsed.
struct RequestBody {
  JsonElement json;
  bool has_escapes = true;  ///< none of its strings has one if not: they may be copied as they are
};

/// Reads JSON into the types of the API. Generated code calls it member by member; what a type refuses is a
/// SerializationError, what only a value rule refuses is kept in the input as its ValueProblem.
/// One Decoder a request, one thread.
class Decoder {
 public:
  enum class Source : bool { request, record };  ///< Who wrote the text: a client, or we ourselves.

  explicit Decoder(model::Generation generation, Source source = Source::request, bool has_escapes = true)
      : generation_(generation), source_(source), has_escapes_(has_escapes) {}

  Decoded read(JsonElement json, std::string& out);
  Decoded read(JsonElement json, bool& out);
  Decoded read(JsonElement json, double& out);
  Decoded read(JsonElement json, std::int64_t& out);
  Decoded read(JsonElement json, std::int32_t& out);
  Decoded read(JsonElement json, Timestamp& out);
  Decoded read(JsonElement json, ItemInput& out);
  Decoded read(JsonElement json, NewItemInput& out);
  Decoded read(JsonElement json, ValuesInput& out);
  Decoded read(JsonElement json, AttributeValueInput& out);

  template <class Value>
  Decoded read(JsonElement json, std::optional<Value>& out);
  template <class Value>
  Decoded read(JsonElement json, std::vector<Value>& out);
  template <class Value>
  Decoded read(JsonElement json, Entries<Value>& out);
  /// Structures and enumerations: `decode(Decoder&, JsonElement, T&)` is generated beside T.
  template <class Generated>
  Decoded read(JsonElement json, Generated& out) {
    return decode(*this, json, out);
  }

  base::Result<JsonObject, SerializationError> object(JsonElement json) const;
  base::Result<JsonArray, SerializationError> array(JsonElement json) const;
  base::Result<std::string_view, SerializationError> text(JsonElement json) const;

  /// Levels of the deepest attribute value read, the attribute itself being level 1.
  int deepest_value() const { return deepest_value_; }

 private:
  Decoded check_attribute_name(std::string_view name, int depth, ValueReading& reading) const;
  void append_string(std::string& out, std::string_view text) const;
  Decoded read_typed_item(JsonElement json, NewItemInput& out);
  Decoded transcribe(JsonElement json, int depth, ValueReading& reading, std::string& text,
                     std::size_t& item_size);
  base::Result<bool, SerializationError> transcribe_content(model::Type type, JsonElement json, int depth,
                                                            ValueReading& reading, std::string& text,
                                                            std::size_t& item_size);
  Decoded transcribe_map(JsonObject attributes, int depth, ValueReading& reading, std::string& text,
                         std::size_t& item_size);
  Decoded read_attributes(JsonElement json, int depth, ValueReading& reading, model::Map& out);
  Decoded read_value(JsonElement json, int depth, ValueReading& reading, model::AttributeValue& out);
  Decoded read_typed(model::Type type, JsonElement json, int depth, ValueReading& reading,
                     model::AttributeValue& out);
  Decoded read_number(JsonElement json, ValueReading& reading, model::AttributeValue& out);
  Decoded read_set(model::Type type, JsonElement json, ValueReading& reading, model::AttributeValue& out);
  Decoded read_list(JsonElement json, int depth, ValueReading& reading, model::AttributeValue& out);
  Decoded read_null(JsonElement json, ValueReading& reading, model::AttributeValue& out);

  model::Generation generation_;
  Source source_;
  bool has_escapes_;  ///< RequestBody's
  int deepest_value_ = 0;
};

template <class Value>
Decoded Decoder::read(JsonElement json, std::optional<Value>& out) {
  return read(json, out.emplace());
}

template <class Value>
Decoded Decoder::read(JsonElement json, std::vector<Value>& out) {
  DINETTE_TRY(const JsonArray elements, array(json));
  out.clear();  // of a member given twice the last counts
  // What is too long for any list of structures is looked at, so that a wrong type is reported, but not kept:
  // a few bytes of text would otherwise become hundreds.
  constexpr bool bounded = !std::is_same_v<Value, std::string> && !std::is_same_v<Value, AttributeValueInput>;
  constexpr std::size_t kept = bounded ? model::limits::list_structures : std::vector<Value>().max_size();
  out.reserve(std::min(elements.size(), kept));
  for (const JsonElement element : elements) {
    if (out.size() < kept) {
      DINETTE_CHECK(read(element, out.emplace_back()));
    } else {
      Value surplus;
      DINETTE_CHECK(read(element, surplus));
    }
  }
  return {};
}

/// Of entries with one name the last stays, where it stands: what other readers of JSON make of such a map.
template <class Value>
void keep_last_of_each(Entries<Value>& entries) {
  if (entries.size() < 2) return;
  boost::container::small_vector<std::string_view, 16> names;
  names.reserve(entries.size());
  for (const auto& entry : entries) names.push_back(entry.first);
  std::sort(names.begin(), names.end());
  if (std::adjacent_find(names.begin(), names.end()) == names.end()) return;

  std::set<std::string, std::less<>> seen;
  Entries<Value> kept;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (seen.insert(entry->first).second) kept.push_back(std::move(*entry));
  }
  std::reverse(kept.begin(), kept.end());
  entries = std::move(kept);
}

template <class Value>
Decoded Decoder::read(JsonElement json, Entries<Value>& out) {
  DINETTE_TRY(const JsonObject fields, object(json));
  out.clear();
  out.reserve(fields.size());
  for (const auto field : fields) {
    auto& entry = out.emplace_back();
    entry.first = field.key;
    DINETTE_CHECK(read(field.value, entry.second));
  }
  keep_last_of_each(out);
  return {};
}

/// The value that a Decoder reads for the member `name` of a structure: the last one that is not null.
std::optional<JsonElement> member_of(JsonObject structure, std::string_view name);

/// What a message calls the JSON kind of `json`, and the whole message for finding it where `wanted` was
/// expected.
[[gnu::cold]] SerializationError unexpected_kind(JsonElement json, std::string_view wanted);

}  // namespace dinette::dynamodb::codec
