#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dynamodb/item_files/ion_values.h"

namespace dinette::dynamodb::item_files {

/// Reads the Item of one struct of Ion text, or its Record.
class IonItem {
 public:
  /// `text`: one struct and everything before it, or the rest of the file.
  IonItem(std::string_view text, Changes changes) : cursor_(text), values_(cursor_), changes_(changes) {}
  IonItem(const IonItem&) = delete;
  IonItem& operator=(const IonItem&) = delete;

  /// Writes the attributes of the item to `out` as DynamoDB JSON, and what ItemSource::condition() returns of
  /// it to `condition`. Returns false if there is none: only white
  /// space, comments, markers of the version, or a table of symbols.
  ReadResult<bool> write(std::string& out, std::string& condition);

  /// Returns true if what was written is the key of an item to delete.
  bool deletes() const { return deletes_; }

  /// Returns where the struct begins; if none was found, where the failure is.
  std::size_t position() const { return in_struct_ ? struct_begin_ : cursor_.position(); }

 private:
  ReadResult<bool> skip_to_struct();
  IonValues::Done member(const std::string& name, std::string& out, std::string& condition);
  IonValues::Done record_member(const std::string& name, std::string& out, std::string& keys);
  IonValues::Done item_attributes(const std::string& name, std::string& out);
  IonValues::Done skip_value();
  bool is_struct() const;
  ReadResult<bool> check_found() const;
  IonValues::Done append_member(std::string_view name, std::string& out);
  IonValues::Done append_untyped(std::string& out);

  IonCursor cursor_;
  IonValues values_;
  const Changes changes_;
  bool has_item_ = false;
  bool has_record_ = false;
  bool deletes_ = false;
  bool in_struct_ = false;
  std::size_t struct_begin_ = 0;
};

}  // namespace dinette::dynamodb::item_files
