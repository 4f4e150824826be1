#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dinette::dynamodb::item_files {

/// One row of a CSV file, taken byte by byte.
class CsvRow {
 public:
  explicit CsvRow(char delimiter) : delimiter_(delimiter) {}

  void clear();
  /// Returns true if `c` ends the row.
  bool add(char c);
  /// Ends the row at the end of the file.
  void end() { end_cell(); }

  std::size_t bytes() const { return bytes_; }  ///< in the file
  bool in_quotes() const { return state_ == State::quoted; }
  bool white() const { return white_; }  ///< only white space
  bool text_after_quotes() const { return text_after_quotes_; }

  std::size_t cells() const { return ends_.size(); }
  std::string_view cell(std::size_t index) const;

 private:
  enum class State { at_cell, plain, quoted, after_quote, after_cell };

  bool add_outside_quotes(char c);
  void end_cell();

  const char delimiter_;
  State state_ = State::at_cell;
  std::size_t bytes_ = 0;
  bool white_ = true;
  bool text_after_quotes_ = false;
  std::string text_;
  std::vector<std::size_t> ends_;  ///< of the cells, in text_
};

}  // namespace dinette::dynamodb::item_files
