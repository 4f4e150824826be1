#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/aws/json.h"
#include "dinette/aws/json_types.h"
#include "dinette/base/function_ref.h"
#include "dinette/base/result.h"

namespace dinette::aws {

/// A request whose JSON has another type than the API declares, with the message of the services
/// (docs/service/wire.md section 6).
struct SerializationError {
  std::string message;
};

using Decoded = base::Result<void, SerializationError>;

/// Returns the error for JSON of this kind where `wanted` was expected, such as "String"; empty for a
/// structure, list or map.
[[gnu::cold]] SerializationError unexpected_kind(JsonElement json, std::string_view wanted);

/// Reads JSON scalars into the types of an API.
class ScalarDecoder {
 public:
  /// Accepts numbers and booleans in quotation marks from now on.
  void accept_quoted() { accepts_quoted_ = true; }
  /// Returns true if it has read one.
  bool read_quoted() const { return read_quoted_; }

  Decoded read(JsonElement json, std::string& out);
  Decoded read(JsonElement json, bool& out);
  /// Reads a string as true, unless it is "false".
  Decoded read_or_text(JsonElement json, bool& out);
  Decoded read(JsonElement json, double& out);
  /// Truncates fractions (docs/service/wire.md section 6).
  Decoded read(JsonElement json, std::int64_t& out);
  Decoded read(JsonElement json, std::int32_t& out);
  Decoded read(JsonElement json, Timestamp& out);
  Decoded read(JsonElement json, Blob& out);

  base::Result<JsonObject, SerializationError> object(JsonElement json) const;
  base::Result<JsonArray, SerializationError> array(JsonElement json) const;
  base::Result<std::string_view, SerializationError> text(JsonElement json) const;

 private:
  /// Returns what `quoted` finds in `json`, if that is accepted.
  template <class Value>
  [[gnu::cold]] std::optional<Value> accepted(JsonElement json,
                                              std::optional<Value> (*quoted)(JsonElement json));

  bool accepts_quoted_ = false;
  bool read_quoted_ = false;
};

/// Returns which of `count` entries are the last of their name, ascending, if two have the same; else
/// nothing.
std::vector<std::size_t> last_of_each_name(std::size_t count,
                                           base::FunctionRef<std::string_view(std::size_t)> name_at);

/// Keeps the last of the entries with the same name, in its place, as most readers of JSON do.
template <class Value>
void keep_last_of_each(Entries<Value>& entries);

/// Adds lists, maps, structures and enumerations. A front end derives its decoder from this, adds `read` for
/// types of its own, and writes `Decoded decode(Self&, JsonElement, T&)` next to each structure or
/// enumeration T, or has it generated. One object per request, one thread.
///
///     class Decoder : public aws::JsonDecoder<Decoder> {};
///     Decoder().read(body.json, input);
template <class Self>
class JsonDecoder : public ScalarDecoder {
 public:
  /// How many elements of a list of `Value` are kept; all are checked. A front end may keep fewer.
  template <class Value>
  static constexpr std::size_t kept_elements = std::numeric_limits<std::size_t>::max();

  using ScalarDecoder::read;

  template <class Value>
  Decoded read(JsonElement json, std::optional<Value>& out) {
    return self().read(json, out.emplace());
  }

  template <class Value>
  Decoded read(JsonElement json, std::vector<Value>& out) {
    constexpr std::size_t kept = Self::template kept_elements<Value>;
    DINETTE_TRY(const JsonArray elements, array(json));
    out.clear();  // if a member is given twice, the last counts
    out.reserve(std::min(elements.size(), kept));
    for (const JsonElement element : elements) {
      if (out.size() < kept) {
        DINETTE_CHECK(self().read(element, out.emplace_back()));
      } else {
        Value surplus;
        DINETTE_CHECK(self().read(element, surplus));
      }
    }
    return {};
  }

  template <class Value>
  Decoded read(JsonElement json, Entries<Value>& out) {
    DINETTE_TRY(const JsonObject fields, object(json));
    out.clear();
    out.reserve(fields.size());
    for (const auto field : fields) {
      auto& entry = out.emplace_back();
      entry.first = field.key;
      DINETTE_CHECK(self().read(field.value, entry.second));
    }
    keep_last_of_each(out);
    return {};
  }

  template <class Declared>
  Decoded read(JsonElement json, Declared& out) {
    return decode(self(), json, out);
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

template <class Value>
void keep_last_of_each(Entries<Value>& entries) {
  const auto name = [&entries](std::size_t at) -> std::string_view { return entries[at].first; };
  if (entries.size() < 2) return;
  const std::vector<std::size_t> kept = last_of_each_name(entries.size(), name);
  if (kept.empty()) return;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] != i) entries[i] = std::move(entries[kept[i]]);
  }
  while (entries.size() > kept.size()) entries.pop_back();
}

}  // namespace dinette::aws
