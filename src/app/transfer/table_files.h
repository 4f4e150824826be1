#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/output_format.h"
#include "app/transfer/transfer.h"

namespace dinette::app {

/// Writes the items of one table to files, next to its table.json. For one thread. The errors are sentences.
class TableFiles {
 public:
  using Written = base::Result<void, std::string>;

  TableFiles() = default;
  TableFiles(const TableFiles&) = delete;
  TableFiles& operator=(const TableFiles&) = delete;
  virtual ~TableFiles() = default;

  virtual Written begin() = 0;
  /// `item`: its attributes in DynamoDB's JSON.
  virtual Written add(std::string_view item) = 0;
  /// Writes what is left. The files are complete only then.
  virtual Written finish() = 0;
};

/// What files say about their table.
struct FilesTable {
  std::string arn;
  std::string id;
  std::vector<std::string> keys;  ///< names of the table's keys, which are the first columns
};

/// `clock` and `ids` must outlive the writer.
std::unique_ptr<TableFiles> open_table_files(OutputFormat format, const std::filesystem::path& folder,
                                             const FilesTable& table, const base::Clock& clock,
                                             base::Ids& ids);

/// Returns true if the folder of a table has all its items, in any format.
bool has_all_items(const std::filesystem::path& folder);

/// Returns true if the folder has files that an export writes before all items are there.
bool is_unfinished(const std::filesystem::path& folder);

/// Returns the names of a table's keys, by the output of DescribeTable or the input of CreateTable.
std::vector<std::string> key_names(std::string_view description);

}  // namespace dinette::app
