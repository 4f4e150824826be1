#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dynamodb/codec/record_layout.h"

namespace dinette::dynamodb::codec {

/// Walks the attributes of a record (record_layout.h) without looking at their values.
class AttributeCursor {
 public:
  /// `record` must outlive the cursor.
  explicit AttributeCursor(std::string_view record);
  explicit AttributeCursor(const RecordParts& record);

  /// Moves to the first attribute, then from one to the next, in ascending order of names. Returns false at
  /// the end, and where the record is corrupt.
  bool next();
  /// Moves to the next attribute whose name is `name` or comes after it. Returns false as next() does. What
  /// it passes is hardly read.
  bool next_from(std::string_view name);
  bool corrupt() const { return corrupt_; }
  /// Returns how many attributes it has been on, or passed.
  std::size_t passed() const { return passed_; }

  /// Returns the name of the attribute, valid until the next move.
  std::string_view name() const { return name_; }
  std::string_view value() const { return value_; }  ///< as it is in the item: `{"S":"value"}`
  std::string_view text() const { return text_.substr(begin_, end_ - begin_); }  ///< `"name":{"S":"value"}`

 private:
  void advance();
  bool read();
  bool fail();
  std::size_t end_of_escaped_name();

  std::string_view ends_;  ///< of the attributes not yet visited
  std::string_view text_;
  std::size_t passed_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::string_view name_;
  std::string_view value_;
  std::string unescaped_name_;
  bool corrupt_;
};

}  // namespace dinette::dynamodb::codec
