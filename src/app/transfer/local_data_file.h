#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "dinette/dynamodb/item_files/found_tables.h"
#include "dinette/dynamodb/item_files/item_source.h"
#include "dinette/dynamodb/item_files/outcome.h"
#include "dinette/dynamodb/item_files/warnings.h"

struct sqlite3;

namespace dinette::app {

/// Reads the data file of DynamoDB Local: shared-local-instance.db, or KEY_REGION.db. It is a database of
/// SQLite, with a table `dm` of its tables, and one table of items for each of these. The file may be made by
/// anyone: it is opened read-only and as immutable, without extensions, triggers, views and
/// functions; only `dm`, `sm` and the tables that `dm` names are read, no value longer than an item may be,
/// and not more bytes than the file has. For one thread.
///
/// Messages of errors begin with the file's name.
class LocalDataFile {
 public:
  template <class T>
  using Outcome = dynamodb::item_files::Outcome<T>;

  /// Refuses files with unfinished changes next to them, which SQLite keeps in NAME-journal and NAME-wal.
  static Outcome<std::unique_ptr<LocalDataFile>> open(const std::filesystem::path& path);
  /// The same of bytes, for tests. `name`: for messages.
  static Outcome<std::unique_ptr<LocalDataFile>> of_bytes(std::string bytes, const std::string& name);

  LocalDataFile(const LocalDataFile&) = delete;
  LocalDataFile& operator=(const LocalDataFile&) = delete;
  ~LocalDataFile();

  /// Returns the tables, each with one file whose part is the table's name.
  Outcome<std::vector<dynamodb::item_files::FoundTable>> tables() const;

  /// Returns the items of a table. The object must outlive them.
  Outcome<std::unique_ptr<dynamodb::item_files::ItemSource>> items(
      const std::string& table, dynamodb::item_files::FileWarnings warnings) const;

 private:
  LocalDataFile(std::filesystem::path path, std::string bytes);

  Outcome<void> connect(const std::string& name, int flags);

  const std::filesystem::path path_;
  std::string bytes_;       ///< empty: they are in the file
  std::uint64_t size_ = 0;  ///< of the file
  sqlite3* database_ = nullptr;
  mutable std::uint64_t steps_ = 0;  ///< that SQLite has taken, in thousands
};

}  // namespace dinette::app
