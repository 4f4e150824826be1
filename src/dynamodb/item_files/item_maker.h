#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "dinette/base/result.h"

namespace dinette::dynamodb::item_files {

/// How the attributes of an item may be written.
enum class ItemForm {
  /// `{"id": 1}`, or `{"id": {"N": "1"}}` if every attribute looks like that.
  plain_or_typed,
  /// The second, unless no attribute looks like that: for files that are written for, or by, the service.
  typed_or_plain,
  /// The same in a `{"PutRequest": {"Item": ...}}` or `{"DeleteRequest": {"Key": ...}}`.
  entry,
};

/// What is wrong with an item.
struct ItemMistake {
  std::string message;   ///< a sentence that follows file and line
  std::size_t byte = 0;  ///< where in the text
};

/// Makes DynamoDB JSON of items as people and tools write them. Numbers keep all their digits. For one
/// thread.
class ItemMaker {
 public:
  struct Made {
    bool deletes = false;       ///< it is the key of an item to delete
    bool looks_mixed = false;   ///< plain, though some attributes look typed
    bool bare_numbers = false;  ///< typed, with numbers that are not in quotation marks
  };
  using Result = base::Result<Made, ItemMistake>;

  ItemMaker();
  ~ItemMaker();

  /// `json`: an object, which gets room at its end. Writes the attributes to `out`, on one line.
  Result make(std::string& json, ItemForm form, std::string& out);

 private:
  class Parser;

  const std::unique_ptr<Parser> parser_;
};

}  // namespace dinette::dynamodb::item_files
