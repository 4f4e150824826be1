#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dinette/dynamodb/item_files/outcome.h"

namespace dinette::dynamodb::item_files {

/// Reads the tokens of Ion text one after the other. Failures are sentences that follow a place.
class IonCursor {
 public:
  explicit IonCursor(std::string_view text) : text_(text) {}

  std::size_t position() const { return at_; }
  bool at_end() const { return at_ == text_.size(); }
  bool sees(std::string_view token) const { return text_.substr(at_).starts_with(token); }
  /// Returns the next byte; 0 at the end.
  char peek() const { return at_end() ? '\0' : text_[at_]; }

  void skip_space();
  /// Skips white space and comments. A comment that does not end stays.
  void skip_white();
  /// Skips the token if it is the next one.
  bool take(std::string_view token);
  /// Returns letters, digits, `_` and `$` up to something else, all of which are taken; may be empty.
  std::string_view word();
  /// Returns all up to white space or the end of a value.
  std::string_view number();
  /// Returns all before the token, which is taken, too.
  Outcome<std::string_view> up_to(std::string_view token);
  /// Reads a string, long strings that follow each other, or a quoted symbol; at its quote.
  Outcome<std::string> text();

 private:
  Outcome<void> quoted(std::string& out, std::string_view quote);
  Outcome<void> escape(std::string& out);
  Outcome<char32_t> code_point(std::size_t digits);
  Outcome<char32_t> hex(std::size_t digits);

  std::string_view text_;
  std::size_t at_ = 0;
};

bool is_ion_space(char c);

/// Returns the failure that all text has that is not Ion.
base::Failure<std::string> not_ion(std::string_view why);

}  // namespace dinette::dynamodb::item_files
