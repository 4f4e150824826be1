#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dinette::dynamodb::codec {

/// Walks the attributes of a record (record_layout.h) without looking at their values. Throws
/// std::runtime_error where it is no record.
class AttributeCursor {
 public:
  /// `record` must outlive the cursor.
  explicit AttributeCursor(std::string_view record);

  /// To the first attribute, then from one to the next, in ascending order of names; false at the end.
  bool next();

  /// Of the attribute, until the next move.
  std::string_view name() const { return name_; }
  std::string_view value() const { return value_; }  ///< as it stands in the item: `{"S":"value"}`
  std::string_view text() const { return text_.substr(begin_, end_ - begin_); }  ///< `"name":{"S":"value"}`

 private:
  void read_name();
  std::size_t read_escaped_name();

  std::string_view ends_;  ///< of the attributes not yet visited
  std::string_view text_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::string_view name_;
  std::string_view value_;
  std::string unescaped_name_;
};

}  // namespace dinette::dynamodb::codec
