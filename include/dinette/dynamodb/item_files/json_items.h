#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/dynamodb/item_files/item_source.h"
#include "dinette/dynamodb/item_files/outcome.h"
#include "dinette/dynamodb/item_files/warnings.h"

/// Files of items in JSON other than the lines of an export (item_reader.h). Every failure ends the file.
/// `file` must outlive what is returned; reading fails once `stop` is requested.
namespace dinette::dynamodb::item_files {

/// Reads lists of items, and items one after the other: `[{"id": "a"}, {"id": "b"}]`. An item of which every
/// attribute looks like `{"S": "a"}` is DynamoDB JSON; any other is plain: text becomes S, numbers N with all
/// their digits, true and false BOOL, null NULL, lists L, objects M. Warns of plain items in which some
/// attributes look typed. An item may also be an entry as in batch_items.
std::unique_ptr<ItemSource> plain_json_items(objects::ObjectReader& file, Packing packing,
                                             FileWarnings warnings, std::stop_token stop = {});

/// Reads the responses of Scan and Query, one or several: `{"Items": [...], "Count": 1}`. The items are
/// DynamoDB JSON or, as document clients have them, plain.
std::unique_ptr<ItemSource> scan_page_items(objects::ObjectReader& file, Packing packing,
                                            FileWarnings warnings, std::stop_token stop = {});

/// A list per table, also if it is longer than the service has it.
enum class Batch {
  /// Requests: `{"Orders": [{"PutRequest": {"Item": {...}}}, {"DeleteRequest": {"Key": {...}}}]}`, all of
  /// which may be in a member RequestItems.
  write,
  /// Responses: `{"Responses": {"Orders": [{...}]}}`, with items as those of scan_page_items.
  get,
};

/// Reads what a BatchWriteItem or BatchGetItem has for `table`.
std::unique_ptr<ItemSource> batch_items(objects::ObjectReader& file, Packing packing, Batch batch,
                                        std::string table, FileWarnings warnings, std::stop_token stop = {});

/// Returns the tables for which a batch has something, in their order. Reads the whole file. The error
/// message follows the file's name.
Outcome<std::vector<std::string>> batch_tables(objects::ObjectReader& file, Packing packing, Batch batch);

class ItemMaker;

/// Reads items that are in something else than a file, in DynamoDB JSON. For one thread.
class ItemText {
 public:
  ItemText();
  ~ItemText();

  /// Returns the attributes as ItemSource::next() does, valid until the next call. `place`: for warnings. The
  /// error message follows a place.
  Outcome<std::string_view> read(std::string_view text, const FileWarnings& warnings, std::string_view place);

 private:
  const std::unique_ptr<ItemMaker> maker_;
  std::string text_;
  std::string item_;
};

}  // namespace dinette::dynamodb::item_files
