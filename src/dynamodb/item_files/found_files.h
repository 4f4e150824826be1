#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/dynamodb/item_files/file_format.h"
#include "dinette/dynamodb/item_files/found_tables.h"
#include "dinette/dynamodb/item_files/json_items.h"

#include "dynamodb/item_files/folder.h"

namespace dinette::dynamodb::item_files {

/// The end of the names of data files as exports have them.
inline constexpr std::string_view packed_ending = ".json.gz";
inline constexpr std::string_view gzip_ending = ".gz";

/// Returns true if a file is called as data files of exports, and fixtures, are.
bool is_data_file(std::string_view name);

/// Collects what the files of a folder hold, by their content.
class FoundFiles {
 public:
  /// Both must outlive the object.
  FoundFiles(const Folder& folder, const ReadDatabase& read_database)
      : folder_(folder), read_database_(read_database) {}

  /// Adds a file that the user has named.
  Outcome<void> add_named(const std::string& name);
  /// Adds one of the files in the folder, or skips it if it has no items.
  Outcome<void> add_found(const std::string& name);

  /// Those without a name are one table, whose name is not known.
  std::vector<FoundTable>& tables() { return tables_; }
  std::vector<std::string>& skipped() { return skipped_; }

 private:
  Outcome<std::optional<RecognisedFile>> recognise_file(const std::string& name) const;
  Outcome<void> add(const std::string& name, const RecognisedFile& recognised);
  Outcome<void> add_batch(DataFile file, Batch batch);
  Outcome<void> add_database(const std::string& name);
  FoundTable& table_of(std::string_view name);

  const Folder& folder_;
  const ReadDatabase& read_database_;
  std::vector<FoundTable> tables_;
  std::vector<std::string> skipped_;
};

}  // namespace dinette::dynamodb::item_files
