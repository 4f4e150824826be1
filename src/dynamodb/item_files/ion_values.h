#pragma once

#include <string>
#include <string_view>

#include "dinette/dynamodb/item_files/item_source.h"

#include "dynamodb/item_files/ion_cursor.h"

namespace dinette::dynamodb::item_files {

/// Makes DynamoDB JSON of Ion values (docs/service/export-import.md section 1, "Objects written"). Failures
/// end the file if the text is not Ion; they cost the item if it has a value that has no DynamoDB type. For
/// one thread.
class IonValues {
 public:
  using Done = ReadResult<void>;

  /// `cursor` must outlive it.
  explicit IonValues(IonCursor& cursor) : cursor_(cursor) {}

  /// Writes a struct, at whose brace the cursor is, as attributes by their names.
  Done attributes(std::string& out, int depth = 0);

  /// Writes a value with its type: `{"S":"a"}`.
  Done value(std::string& out, int depth = 0);

  /// Reads a struct, at whose brace the cursor is: calls `field` with each name, at the value, which it
  /// reads.
  template <class Field>
  Done fields(Field field) {
    cursor_.take("{");
    for (;;) {
      cursor_.skip_white();
      if (cursor_.take("}")) return {};
      DINETTE_TRY(const std::string name, this->name());
      cursor_.skip_white();
      if (!cursor_.take(":")) return not_ion("a field has no colon");
      cursor_.skip_white();
      DINETTE_CHECK(field(name));
      DINETTE_CHECK(separator("}"));
    }
  }

 private:
  template <class Element>
  Done elements(Element element);
  Done separator(std::string_view end);
  ReadResult<std::string> name();
  ReadResult<std::string> annotations();
  Done plain_value(std::string& out, int depth);
  Done text_value(std::string& out);
  Done word_value(std::string& out);
  Done list(std::string& out, int depth);
  Done set(std::string& out, std::string_view type);
  Done set_element(std::string& out, char type);
  ReadResult<std::string> number();
  ReadResult<std::string> base64();

  IonCursor& cursor_;
};

}  // namespace dinette::dynamodb::item_files
