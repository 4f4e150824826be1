#pragma once

#include <cstddef>
#include <new>
#include <string_view>

#include <simdjson.h>

namespace dinette::dynamodb::codec {

/// A JSON parser that a thread keeps is given up when a document has made it larger than this.
inline constexpr std::size_t kept_parser_bytes = 256 * 1024;

/// A thread's parser while one document is read. What the parser has read is valid until the end of this.
class ParserInUse {
 public:
  explicit ParserInUse(simdjson::dom::parser& parser) : parser_(parser) {}
  /// Gives up a parser that a large document has made large, whatever became of the document.
  ~ParserInUse() {
    if (parser_.capacity() > kept_parser_bytes) parser_ = simdjson::dom::parser();
  }
  ParserInUse(const ParserInUse&) = delete;
  ParserInUse& operator=(const ParserInUse&) = delete;

  /// Reads `text` into `out`. Returns what is wrong with it; throws std::bad_alloc if memory is exhausted.
  simdjson::error_code parse(std::string_view text, simdjson::dom::element& out) {
    const simdjson::error_code failure = parser_.parse(text.data(), text.size()).get(out);
    if (failure == simdjson::MEMALLOC) [[unlikely]] {
      // simdjson would go on with what it got, and write to what it did not get.
      parser_ = simdjson::dom::parser();
      throw std::bad_alloc();
    }
    return failure;
  }

 private:
  simdjson::dom::parser& parser_;
};

}  // namespace dinette::dynamodb::codec
