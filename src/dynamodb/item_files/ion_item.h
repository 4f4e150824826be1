#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dynamodb/item_files/ion_values.h"

namespace dinette::dynamodb::item_files {

/// Reads the Item of one struct of Ion text.
class IonItem {
 public:
  /// `text`: one struct and everything before it, or the rest of the file.
  explicit IonItem(std::string_view text) : cursor_(text), values_(cursor_) {}
  IonItem(const IonItem&) = delete;
  IonItem& operator=(const IonItem&) = delete;

  /// Writes the attributes of the item to `out` as DynamoDB JSON, and what ItemSource::condition() returns of
  /// it to `condition`. Returns false if there is none: only white
  /// space, comments, markers of the version, or a table of symbols.
  ReadResult<bool> write(std::string& out, std::string& condition);

  /// Returns where the struct begins; if none was found, where the failure is.
  std::size_t position() const { return in_struct_ ? struct_begin_ : cursor_.position(); }

 private:
  ReadResult<bool> skip_to_struct();
  IonValues::Done append_member(std::string_view name, std::string& out);
  IonValues::Done append_untyped(std::string& out);

  IonCursor cursor_;
  IonValues values_;
  bool in_struct_ = false;
  std::size_t struct_begin_ = 0;
};

}  // namespace dinette::dynamodb::item_files
