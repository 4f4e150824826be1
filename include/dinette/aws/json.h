#pragma once

#include <cstddef>
#include <new>
#include <optional>
#include <string_view>

#include <simdjson.h>

/// The only public header that includes a library: front ends read requests and stored data with simdjson.
namespace dinette::aws {

using JsonElement = simdjson::dom::element;
using JsonObject = simdjson::dom::object;
using JsonArray = simdjson::dom::array;

/// Levels of nesting that are read; deeper text is malformed. Every recursion over JSON relies on it.
inline constexpr std::size_t json_levels = simdjson::DEFAULT_MAX_DEPTH;

/// The text of a request, parsed. Valid while its parser is in use.
struct RequestBody {
  JsonElement json;
  bool has_escapes = true;  ///< false if no string has any, and all may be copied as they are
};

/// Returns the value that counts for the member `name` of a structure: the last one that is not null.
std::optional<JsonElement> member_of(JsonObject structure, std::string_view name);

/// A parser that a thread keeps is released if a document made it larger than this.
inline constexpr std::size_t kept_parser_bytes = 256 * 1024;

/// A thread's parser while one document is read. What it has read is valid until the end of this object.
///
///     ParserInUse in_use(base::per_thread<simdjson::dom::parser, struct RequestParser>());
///     if (in_use.parse(text, json) != simdjson::SUCCESS) return malformed();
class ParserInUse {
 public:
  explicit ParserInUse(simdjson::dom::parser& parser) : parser_(parser) {}
  ~ParserInUse() {
    if (parser_.capacity() > kept_parser_bytes) parser_ = simdjson::dom::parser();
  }
  ParserInUse(const ParserInUse&) = delete;
  ParserInUse& operator=(const ParserInUse&) = delete;

  /// Reads `text` into `out`. Returns what is wrong with it. Throws std::bad_alloc if memory is exhausted.
  simdjson::error_code parse(std::string_view text, JsonElement& out) {
    const simdjson::error_code failure = parser_.parse(text.data(), text.size()).get(out);
    if (failure == simdjson::MEMALLOC) [[unlikely]] {
      // simdjson would continue with what it got, and write to what it did not get.
      parser_ = simdjson::dom::parser();
      throw std::bad_alloc();
    }
    return failure;
  }

 private:
  simdjson::dom::parser& parser_;
};

}  // namespace dinette::aws
