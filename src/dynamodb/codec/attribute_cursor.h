#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dinette::dynamodb::codec {

/// For a stored text that append_item did not write: std::runtime_error.
[[noreturn]] void throw_unreadable();

/// Walks the attributes of an item's canonical text (item_text.h) without parsing their values: what nobody
/// asks for costs a search for the end of a string. Throws std::runtime_error where the text is none that
/// append_item wrote.
class AttributeCursor {
 public:
  /// `item` must outlive the cursor.
  explicit AttributeCursor(std::string_view item) : text_(item) {}

  /// To the first attribute, then from one to the next; false at the end.
  bool next();

  /// Of the attribute, until the next move.
  std::string_view name() const { return name_; }
  /// Name and value as they stand in the item: `"name":{"S":"value"}`.
  std::string_view text() const { return text_.substr(begin_, end_ - begin_); }

 private:
  std::size_t read_name();
  std::size_t read_escaped_name();

  std::string_view text_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::string_view name_;
  std::string unescaped_name_;
};

}  // namespace dinette::dynamodb::codec
