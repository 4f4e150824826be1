#include "app/transfer/local_data_file.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <sqlite3.h>

#include "dinette/base/ascii.h"
#include "dinette/dynamodb/item_files/json_items.h"

#include "app/transfer/local_table.h"
#include "app/transfer/transfer.h"

namespace dinette::app {
namespace {

namespace fs = std::filesystem;
namespace item_files = dynamodb::item_files;
using base::Failure;
using item_files::FoundTable;
using item_files::Outcome;
using item_files::ReadError;
using item_files::ReadResult;

// A value of SQLite is an item, or the definition of a table with its indexes.
constexpr int longest_value = item_files::ItemSource::longest_object;
constexpr int longest_statement = 100'000;
constexpr int most_columns_of_statement = 200;
constexpr int most_nesting = 20;
/// SQLite calls back after so many of its steps. A row takes some ten.
constexpr int steps_per_call = 1'000;
/// Calls for a file without rows, and what each byte of a file adds: no row is shorter than ten bytes.
constexpr std::uint64_t least_calls = 10'000;
constexpr std::uint64_t bytes_per_call = 500;

constexpr std::string_view no_expiry =
    "DynamoDB Local's file has neither the time to live nor the tags of tables: set them again if they are "
    "needed";
constexpr std::string_view no_stream =
    "the table had a stream in DynamoDB Local, which is not imported: enable it again if it is needed";

/// A prepared statement.
class Statement {
 public:
  Statement(sqlite3* database, const std::string& sql) : database_(database) {
    sqlite3_prepare_v2(database, sql.c_str(), static_cast<int>(sql.size()), &statement_, nullptr);
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  bool ok() const { return statement_ != nullptr; }

  /// Moves to the next row. Returns false after the last one, or if reading failed.
  bool next() { return statement_ != nullptr && sqlite3_step(statement_) == SQLITE_ROW; }
  bool failed() const {
    const int code = sqlite3_errcode(database_);
    return statement_ == nullptr || (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE);
  }
  std::string error() const { return sqlite3_errmsg(database_); }

  /// Returns the number of a column; -1 if there is none of that name.
  int column(std::string_view name) const {
    for (int i = 0; i < sqlite3_column_count(statement_); ++i) {
      const char* const found = sqlite3_column_name(statement_, i);
      if (found != nullptr && found == name) return i;
    }
    return -1;
  }

  /// Returns the bytes of a text or BLOB, until the next row; empty if there are none.
  std::string_view bytes(int column) const {
    if (column < 0) return {};
    const void* const data = sqlite3_column_type(statement_, column) == SQLITE_BLOB
                                 ? sqlite3_column_blob(statement_, column)
                                 : sqlite3_column_text(statement_, column);
    const int size = sqlite3_column_bytes(statement_, column);
    if (data == nullptr || size <= 0) return {};
    return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
  }

  std::int64_t number(int column, std::int64_t otherwise) const {
    return column < 0 ? otherwise : sqlite3_column_int64(statement_, column);
  }

 private:
  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
};

/// Allows what reads columns, and nothing else: no functions, no PRAGMA, no ATTACH.
int allow_reading(void*, int action, const char*, const char*, const char*, const char*) {
  return action == SQLITE_SELECT || action == SQLITE_READ ? SQLITE_OK : SQLITE_DENY;
}

void lock_down(sqlite3* database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  for (const int off : {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                        SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_TRUSTED_SCHEMA})
    sqlite3_db_config(database, off, 0, nullptr);
  using Limit = std::pair<int, int>;
  for (const auto& [limit, value] : {Limit{SQLITE_LIMIT_LENGTH, longest_value},
                                     {SQLITE_LIMIT_SQL_LENGTH, longest_statement},
                                     {SQLITE_LIMIT_COLUMN, most_columns_of_statement},
                                     {SQLITE_LIMIT_EXPR_DEPTH, most_nesting},
                                     {SQLITE_LIMIT_COMPOUND_SELECT, 1},
                                     {SQLITE_LIMIT_ATTACHED, 0},
                                     {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                     {SQLITE_LIMIT_WORKER_THREADS, 0}})
    sqlite3_limit(database, limit, value);
  // Damaged pages are noticed before anything is read from them.
  sqlite3_exec(database, "PRAGMA cell_size_check=ON", nullptr, nullptr, nullptr);
  sqlite3_set_authorizer(database, allow_reading, nullptr);
}

/// Returns a URI by which SQLite opens a file as immutable.
std::string immutable_uri(const fs::path& path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : fs::absolute(path).string()) {
    if (std::string_view("?#%").find(c) == std::string_view::npos) {
      uri += c;
    } else {
      uri.append(1, '%').append(1, digits[static_cast<unsigned char>(c) >> 4]).append(1, digits[c & 15]);
    }
  }
  return uri + "?immutable=1";
}

std::string quoted_name(std::string_view name) {
  return "\"" + std::string(name) + "\"";  // of a table of DynamoDB, which has no quotation marks
}

/// Returns true if a statement has the word AS after its first bracket, as tables with computed columns have:
/// these would run functions, without asking allow_reading().
bool computes_columns(std::string_view sql) {
  sql.remove_prefix(std::min(sql.find('('), sql.size()));
  for (std::size_t at = 1; at + 2 < sql.size(); ++at) {
    const bool found = (sql[at] == 'a' || sql[at] == 'A') && (sql[at + 1] == 's' || sql[at + 1] == 'S');
    if (found && !base::is_word_character(sql[at - 1]) && !base::is_word_character(sql[at + 2])) return true;
  }
  return false;
}

/// Returns true if the name is that of an ordinary table: neither virtual nor a view, and with what it
/// stores.
bool is_plain_table(sqlite3* database, std::string_view name) {
  Statement schema(database, "SELECT type, name, rootpage, sql FROM sqlite_master");
  while (schema.next()) {
    if (schema.bytes(1) == name && schema.bytes(0) == "table")
      return schema.number(2, 0) > 0 && schema.bytes(3).starts_with("CREATE TABLE ") &&
             !computes_columns(schema.bytes(3));
  }
  return false;
}

/// The names of tables that have a row in `sm`.
std::set<std::string, std::less<>> streaming_tables(sqlite3* database) {
  std::set<std::string, std::less<>> names;
  if (!is_plain_table(database, "sm")) return names;
  Statement streams(database, "SELECT TableName FROM sm");
  while (streams.next() && names.size() < longest_statement) names.emplace(streams.bytes(0));
  return names;
}

LocalTable table_in(const Statement& row) {
  LocalTable table;
  table.name = row.bytes(row.column("TableName"));
  table.info = row.bytes(row.column("TableInfo"));
  table.read_units = row.number(row.column("ReadCapacityUnits"), 0);
  table.write_units = row.number(row.column("WriteCapacityUnits"), 0);
  table.on_demand = row.number(row.column("BillingMode"), 0) == 1;
  const std::string_view protection = row.bytes(row.column("DeletionProtectionEnabled"));
  table.protected_from_deletion = protection == "true" || protection == "1";
  table.most_read_units = row.number(row.column("MaxReadRequestUnits"), -1);
  table.most_write_units = row.number(row.column("MaxWriteRequestUnits"), -1);
  return table;
}

/// Reads the items of a table, one row each.
class LocalItems final : public item_files::ItemSource {
 public:
  LocalItems(sqlite3* database, const std::string& table, std::uint64_t most_bytes,
             item_files::FileWarnings warnings)
      : rows_(database, "SELECT ObjectJSON FROM " + quoted_name(table)),
        table_(table),
        most_bytes_(most_bytes),
        warnings_(std::move(warnings)) {}

  ReadResult<std::optional<std::string_view>> next() override {
    ++number_;
    if (!rows_.next()) {
      if (rows_.failed()) return Failure{ReadError("cannot be read: " + rows_.error())};
      return std::optional<std::string_view>();
    }
    const std::string_view text = rows_.bytes(0);
    // Pages that are used several times would have far more rows than the file has bytes.
    bytes_ += text.size() + 1;
    if (bytes_ > most_bytes_)
      return Failure{ReadError("is damaged: its table has more items than fit into it")};
    auto item = text_.read(text, warnings_, place());
    if (!item) return Failure{ReadError("in ObjectJSON " + item.error())};
    return std::optional(*item);
  }

  std::uint64_t line() const override { return number_; }
  std::string place() const override { return "table " + table_ + ", row " + std::to_string(number_); }
  std::uint64_t bytes_read() const override { return bytes_; }

 private:
  Statement rows_;
  const std::string table_;
  const std::uint64_t most_bytes_;
  const item_files::FileWarnings warnings_;
  item_files::ItemText text_;
  std::uint64_t number_ = 0;
  std::uint64_t bytes_ = 0;
};

/// Returns a file with changes that SQLite would have to finish, next to a database.
std::optional<fs::path> unfinished_changes(const fs::path& path) {
  for (const char* const ending : {"-wal", "-journal"}) {
    const fs::path file = path.string() + ending;
    std::error_code error;
    const auto size = fs::file_size(file, error);
    if (!error && size > 0) return file;
  }
  return std::nullopt;
}

}  // namespace

LocalDataFile::LocalDataFile(fs::path path, std::string bytes)
    : path_(std::move(path)), bytes_(std::move(bytes)) {}

LocalDataFile::~LocalDataFile() {
  sqlite3_close(database_);
}

Outcome<std::unique_ptr<LocalDataFile>> LocalDataFile::open(const fs::path& path) {
  if (const auto changes = unfinished_changes(path))
    return Failure{path.string() + " has unfinished changes in " + changes->filename().string() +
                   ": stop DynamoDB Local first; if it was killed, start and stop it once with this file"};
  std::unique_ptr<LocalDataFile> file(new LocalDataFile(path, {}));
  std::error_code error;
  file->size_ = fs::file_size(path, error);
  if (error) return Failure{path.string() + " cannot be read: " + error.message()};
  DINETTE_CHECK(file->connect(immutable_uri(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI));
  return file;
}

Outcome<std::unique_ptr<LocalDataFile>> LocalDataFile::of_bytes(std::string bytes, const std::string& name) {
  std::unique_ptr<LocalDataFile> file(new LocalDataFile(name, std::move(bytes)));
  file->size_ = file->bytes_.size();
  DINETTE_CHECK(file->connect(":memory:", SQLITE_OPEN_READWRITE));
  return file;
}

Outcome<void> LocalDataFile::connect(const std::string& name, int flags) {
  const int opened = sqlite3_open_v2(name.c_str(), &database_, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  if (opened != SQLITE_OK) return Failure{path_.string() + " cannot be opened: " + sqlite3_errstr(opened)};
  lock_down(database_);
  if (!bytes_.empty()) {
    const auto size = static_cast<sqlite3_int64>(bytes_.size());
    sqlite3_deserialize(database_, "main", reinterpret_cast<unsigned char*>(bytes_.data()), size, size,
                        SQLITE_DESERIALIZE_READONLY);
  }
  const auto count = [](void* object) {
    const auto* const file = static_cast<const LocalDataFile*>(object);
    return ++file->steps_ > least_calls + file->size_ / bytes_per_call ? 1 : 0;
  };
  sqlite3_progress_handler(database_, steps_per_call, count, this);
  return {};
}

Outcome<std::vector<FoundTable>> LocalDataFile::tables() const {
  if (!is_plain_table(database_, "dm") || !is_plain_table(database_, "cf"))
    return Failure{path_.string() +
                   " is a database of SQLite, but not one of DynamoDB Local, or it is damaged: it has no "
                   "tables dm and cf (" +
                   sqlite3_errmsg(database_) + ")"};
  const auto streaming = streaming_tables(database_);
  std::vector<FoundTable> tables;
  Statement rows(database_, "SELECT * FROM dm");
  while (rows.next()) {
    const LocalTable table = table_in(rows);
    if (!is_table_name(table.name)) return Failure{path_.string() + ": " + bad_table_name(table.name)};
    if (!is_plain_table(database_, table.name))
      return Failure{path_.string() + " is damaged: there are no items of its table " + table.name};
    auto definition = definition_of(table);
    if (!definition) return Failure{path_.string() + ", table " + table.name + " " + definition.error()};
    FoundTable found{
        path_.parent_path(), path_.string(), table.name, std::move(definition).value(), {}, {}, {}};
    found.files.push_back(
        {path_.filename().string(), false, {}, {}, item_files::FileFormat::database, table.name});
    found.warnings.emplace_back(no_expiry);
    if (streaming.contains(table.name)) found.warnings.emplace_back(no_stream);
    tables.push_back(std::move(found));
  }
  if (rows.failed()) return Failure{path_.string() + " cannot be read: " + rows.error()};
  if (tables.empty()) return Failure{path_.string() + " has no tables"};
  return tables;
}

Outcome<std::unique_ptr<item_files::ItemSource>> LocalDataFile::items(
    const std::string& table, item_files::FileWarnings warnings) const {
  if (!is_table_name(table) || !is_plain_table(database_, table))
    return Failure{path_.string() + " has no table " + table};
  steps_ = 0;
  return std::unique_ptr<item_files::ItemSource>(
      std::make_unique<LocalItems>(database_, table, size_, std::move(warnings)));
}

}  // namespace dinette::app
