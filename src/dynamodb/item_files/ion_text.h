#pragma once

#include <string>
#include <string_view>

#include "dinette/aws/json.h"

namespace dinette::dynamodb::item_files {

/// Writes items in Amazon Ion's text form, as data files of exports have them
/// (docs/service/export-import.md section 1, "Objects written"). For one thread.
class IonText {
 public:
  /// Appends a struct. `item`: the attributes as typed JSON, numbers without exponents, as the service writes
  /// them. Throws simdjson::simdjson_error for other JSON.
  void append_item(std::string& out, std::string_view item);

 private:
  simdjson::dom::parser parser_;
};

}  // namespace dinette::dynamodb::item_files
