#pragma once

#include <cstddef>

#include <simdjson.h>

namespace dinette::dynamodb::codec {

/// A JSON parser that a thread keeps is given up when a document has made it larger than this.
inline constexpr std::size_t kept_parser_bytes = 256 * 1024;

/// Gives up a thread's parser that a large document has made large, whatever became of the document. Nothing
/// read by the parser may be used after the guard.
class ParserTrim {
 public:
  explicit ParserTrim(simdjson::dom::parser& parser) : parser_(parser) {}
  ~ParserTrim() {
    if (parser_.capacity() > kept_parser_bytes) parser_ = simdjson::dom::parser();
  }
  ParserTrim(const ParserTrim&) = delete;
  ParserTrim& operator=(const ParserTrim&) = delete;

 private:
  simdjson::dom::parser& parser_;
};

}  // namespace dinette::dynamodb::codec
