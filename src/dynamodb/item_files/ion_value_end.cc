#include "dynamodb/item_files/ion_value_end.h"

#include <utility>

namespace dinette::dynamodb::item_files {

bool IonValueEnd::ends_with(char c) {
  switch (state_) {
    case State::plain:
      return plain(c);
    case State::slash:
      state_ = c == '/' ? State::line_comment : c == '*' ? State::block_comment : State::plain;
      return state_ == State::plain && plain(c);
    case State::line_comment:
      if (c == '\n') state_ = State::plain;
      return false;
    case State::block_comment:
      if (std::exchange(before_, c) == '*' && c == '/') {
        state_ = State::plain;
        before_ = '\0';
      }
      return false;
    case State::quotes:
      return quotes(c);
    case State::symbol:
    case State::long_string:
    case State::string:
      in_text(c);
      return false;
  }
  return false;
}

bool IonValueEnd::plain(char c) {
  if (c == '{' || c == '}') return brace(c);
  before_ = '\0';
  if (c == '"') {
    state_ = State::string;
  } else if (c == '\'') {
    state_ = State::quotes;
    quotes_ = 1;
  } else if (c == '/' && !in_lob_) {
    state_ = State::slash;
  }
  return false;
}

/// A struct cannot have a struct as a name, so {{ is always the beginning of a blob or clob.
bool IonValueEnd::brace(char c) {
  const bool doubled = before_ == c;
  before_ = doubled ? '\0' : c;
  if (in_lob_) {
    if (c == '}' && doubled) in_lob_ = false;
    return false;
  }
  if (c == '}') {
    before_ = '\0';
    return depth_ <= 1 || --depth_ == 0;
  }
  in_lob_ = doubled;
  doubled ? --depth_ : ++depth_;
  return false;
}

bool IonValueEnd::quotes(char c) {
  if (c == '\'') {
    if (++quotes_ < 3) return false;
    state_ = State::long_string;
    quotes_ = 0;
    return false;
  }
  if (quotes_ == 2) {  // the symbol without letters
    state_ = State::plain;
    return plain(c);
  }
  state_ = State::symbol;
  in_text(c);
  return false;
}

void IonValueEnd::in_text(char c) {
  const bool escaped = std::exchange(escaped_, !escaped_ && c == '\\');
  const bool quote = !escaped && c == (state_ == State::string ? '"' : '\'');
  quotes_ = quote ? quotes_ + 1 : 0;
  if (quote && (state_ != State::long_string || quotes_ == 3)) state_ = State::plain;
}

}  // namespace dinette::dynamodb::item_files
