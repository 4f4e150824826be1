#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/aws/json_types.h"
#include "dinette/store/row.h"

#include "kinesis/request/context.h"

namespace dinette::kinesis {

/// Refuses a NextToken that was issued too long ago.
Answer<void> check_token_age(const Context& context, aws::Timestamp issued);

/// Which kind a token is of; part of its text.
enum class TokenKind : std::uint8_t { shard_iterator = 1, shards_page = 2, streams_page = 3 };

/// Puts together a token: text that clients carry from one response to the next request without reading it.
class TokenWriter {
 public:
  explicit TokenWriter(TokenKind kind);
  void add(std::uint64_t number);
  void add(aws::Timestamp time) { add(static_cast<std::uint64_t>(time.milliseconds)); }
  void add(store::StreamPosition position);
  void add(std::string_view text);
  std::string text() const;

 private:
  std::string bytes_;
};

/// Takes a token apart, in the order in which it was put together.
class TokenReader {
 public:
  /// Returns nothing for a text that is no token of this kind, or was changed on the way.
  static std::optional<TokenReader> open(TokenKind kind, std::string_view text);

  // Each returns zero, or an empty text, beyond the end.
  std::uint64_t number();
  /// The same for a time that no clock can show.
  aws::Timestamp time();
  store::StreamPosition position();
  std::string text();
  /// Returns true if everything has been read, nothing beyond the end, and no impossible time.
  bool complete() const { return !failed_ && at_ == bytes_.size(); }

 private:
  explicit TokenReader(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string_view take(std::size_t size);

  std::string bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace dinette::kinesis
