#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/dynamodb/item_files/outcome.h"

/// Reads what exports and imports need from the responses of operations, of any server.
namespace dinette::dynamodb::item_files {

/// One page of a Scan. Views are of the text that was read.
struct ScanPage {
  std::vector<std::string_view> items;  ///< attributes as JSON, as the answer has them
  std::string_view last_key;            ///< LastEvaluatedKey; empty: this is the last page
  std::uint64_t scanned = 0;            ///< ScannedCount
  double capacity_units = 0;            ///< of ConsumedCapacity; 0: the answer has none
};

/// `text` gets room at its end.
Outcome<ScanPage> read_scan_page(std::string& text);

/// Returns the UnprocessedItems of a BatchWriteItem, as the response has them; empty if there are none.
/// `text` gets room at its end.
Outcome<std::string_view> read_unprocessed(std::string& text);

struct TablePage {
  std::vector<std::string> names;
  std::string last;  ///< LastEvaluatedTableName; empty: this is the last page
};

Outcome<TablePage> read_table_page(std::string_view text);

/// The output of DescribeTable. What is missing is empty or 0.
struct TableFacts {
  std::string arn;
  std::string id;
  std::string status;
  std::uint64_t items = 0;
};

Outcome<TableFacts> read_table_facts(std::string_view text);

/// The attributes that are keys.
struct KeyFacts {
  std::vector<std::string> of_table;
  std::map<std::string, char, std::less<>> types;  ///< S, N or B; of the table and its indexes
};

/// Reads the output of DescribeTable, or the input of CreateTable.
Outcome<KeyFacts> read_key_facts(std::string_view text);

/// Returns the NextToken of a page of tags; empty if this is the last one.
Outcome<std::string> read_next_token(std::string_view text);

/// An error of the service.
struct ServiceError {
  std::string type;     ///< without its namespace: "ValidationException"; empty if the text has none
  std::string message;  ///< may be empty
};

ServiceError read_error(std::string_view text);

}  // namespace dinette::dynamodb::item_files
