#include "dynamodb/item_files/csv_row.h"

namespace dinette::dynamodb::item_files {

void CsvRow::clear() {
  state_ = State::at_cell;
  bytes_ = 0;
  white_ = true;
  text_after_quotes_ = false;
  text_.clear();
  ends_.clear();
}

bool CsvRow::add(char c) {
  ++bytes_;
  white_ = white_ && (c == ' ' || c == '\t' || c == '\r' || c == '\n');
  if (state_ == State::quoted) {
    if (c == '"')
      state_ = State::after_quote;
    else
      text_ += c;
    return false;
  }
  if (c == '"' && state_ == State::after_quote) text_ += c;
  if (c == '"' && (state_ == State::after_quote || state_ == State::at_cell)) {
    state_ = State::quoted;
    return false;
  }
  return add_outside_quotes(c);
}

std::string_view CsvRow::cell(std::size_t index) const {
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(text_).substr(begin, ends_[index] - begin);
}

bool CsvRow::add_outside_quotes(char c) {
  if (c == delimiter_ || c == '\n') {
    end_cell();
    return c == '\n';
  }
  if (state_ == State::after_quote || state_ == State::after_cell) {
    state_ = State::after_cell;
    text_after_quotes_ = text_after_quotes_ || c != '\r';
  } else {
    state_ = State::plain;
    text_ += c;
  }
  return false;
}

void CsvRow::end_cell() {
  // A CR that is not quoted belongs to the end of the line, or is the whole of an empty one.
  if (state_ == State::plain && text_.ends_with('\r')) text_.pop_back();
  state_ = State::at_cell;
  ends_.push_back(text_.size());
}

}  // namespace dinette::dynamodb::item_files
