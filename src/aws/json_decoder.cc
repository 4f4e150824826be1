#include "dinette/aws/json_decoder.h"

#include <cmath>
#include <set>

#include <boost/container/small_vector.hpp>

#include "dinette/base/base64.h"

#include "aws/quoted_scalar.h"

namespace dinette::aws {
namespace {

using base::Failure;
using simdjson::dom::element_type;

[[gnu::cold]] Failure<SerializationError> refuse(JsonElement json, std::string_view wanted) {
  return Failure{unexpected_kind(json, wanted)};
}

}  // namespace

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

base::Result<JsonObject, SerializationError> ScalarDecoder::object(JsonElement json) const {
  JsonObject fields;
  if (json.get(fields) != simdjson::SUCCESS) return refuse(json, "");
  return fields;
}

base::Result<JsonArray, SerializationError> ScalarDecoder::array(JsonElement json) const {
  JsonArray elements;
  if (json.get(elements) != simdjson::SUCCESS) return refuse(json, "");
  return elements;
}

base::Result<std::string_view, SerializationError> ScalarDecoder::text(JsonElement json) const {
  std::string_view view;
  if (json.get(view) != simdjson::SUCCESS) return refuse(json, "String");
  return view;
}

template <class Value>
std::optional<Value> ScalarDecoder::accepted(JsonElement json,
                                             std::optional<Value> (*quoted)(JsonElement json)) {
  if (!accepts_quoted_) return std::nullopt;
  const auto value = quoted(json);
  read_quoted_ |= value.has_value();
  return value;
}

Decoded ScalarDecoder::read(JsonElement json, std::string& out) {
  DINETTE_TRY(out, text(json));
  return {};
}

Decoded ScalarDecoder::read(JsonElement json, bool& out) {
  if (json.get(out) == simdjson::SUCCESS) return {};
  const auto quoted = accepted(json, quoted_boolean);
  if (!quoted) return refuse(json, "Boolean");
  out = *quoted;
  return {};
}

Decoded ScalarDecoder::read_or_text(JsonElement json, bool& out) {
  if (!json.is_string()) return read(json, out);
  DINETTE_TRY(const std::string_view word, text(json));
  out = word != "false";
  return {};
}

Decoded ScalarDecoder::read(JsonElement json, double& out) {
  if (json.get(out) == simdjson::SUCCESS) return {};
  const auto quoted = accepted(json, quoted_number);
  if (!quoted) return refuse(json, "Double");
  out = *quoted;
  return {};
}

Decoded ScalarDecoder::read(JsonElement json, std::int64_t& out) {
  if (json.get(out) == simdjson::SUCCESS) return {};
  if (const auto quoted = accepted(json, quoted_integer)) {
    out = *quoted;
    return {};
  }
  double fraction = 0;
  if (!json.is_double() || json.get(fraction) != simdjson::SUCCESS) return refuse(json, "Long");
  if (!(std::abs(fraction) < 0x1p63))
    return Failure{SerializationError{"NUMBER_VALUE cannot be converted to Long"}};
  out = static_cast<std::int64_t>(fraction);
  return {};
}

Decoded ScalarDecoder::read(JsonElement json, std::int32_t& out) {
  std::int64_t wide = 0;
  if (!json.is_number() && !(accepts_quoted_ && quoted_integer(json))) return refuse(json, "Integer");
  DINETTE_CHECK(read(json, wide));
  using Range = std::numeric_limits<std::int32_t>;
  if (wide < Range::min() || wide > Range::max()) {
    return Failure{SerializationError{"NUMBER_VALUE cannot be converted to Integer"}};
  }
  out = static_cast<std::int32_t>(wide);
  return {};
}

Decoded ScalarDecoder::read(JsonElement json, Timestamp& out) {
  double seconds = 0;
  if (json.get(seconds) != simdjson::SUCCESS) {
    const auto quoted = accepted(json, quoted_number);
    if (!quoted) return refuse(json, "Timestamp");
    seconds = *quoted;
  }
  if (!(std::abs(seconds) < 0x1p50))
    return Failure{SerializationError{"NUMBER_VALUE cannot be converted to Timestamp"}};
  out.milliseconds = std::llround(seconds * 1000);
  return {};
}

Decoded ScalarDecoder::read(JsonElement json, Blob& out) {
  std::string_view encoded;
  if (json.get(encoded) != simdjson::SUCCESS) return refuse(json, "Blob");
  auto bytes = base::base64_decode(encoded);
  if (!bytes) return Failure{SerializationError{"STRING_VALUE cannot be converted to Blob"}};
  out.bytes = *std::move(bytes);
  return {};
}

std::vector<std::size_t> last_of_each_name(std::size_t count,
                                           base::FunctionRef<std::string_view(std::size_t)> name_at) {
  boost::container::small_vector<std::string_view, 16> names;
  names.reserve(count);
  for (std::size_t i = 0; i < count; ++i) names.push_back(name_at(i));
  std::sort(names.begin(), names.end());
  if (std::adjacent_find(names.begin(), names.end()) == names.end()) return {};
  std::set<std::string_view> seen;
  std::vector<std::size_t> last;
  for (std::size_t i = count; i-- > 0;) {
    if (seen.insert(name_at(i)).second) last.push_back(i);
  }
  std::reverse(last.begin(), last.end());
  return last;
}

}  // namespace dinette::aws
