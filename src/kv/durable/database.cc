#include "kv/durable/database.h"

#include <cstdarg>
#include <cstdio>
#include <limits>
#include <utility>
#include <vector>

#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/write_buffer_manager.h>

#include "dinette/base/log.h"

#include "kv/durable/counters.h"
#include "kv/durable/file_system.h"
#include "kv/durable/status.h"

namespace dinette::kv::durable {
namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;

constexpr int filter_bits_per_key = 10;  // one absent key in a hundred is looked for in vain
constexpr int open_files = 512;          // of one database
constexpr std::size_t most_adds_unmerged = 8;

/// Passes RocksDB's warnings and errors on to the log of the program, instead of files of its own.
class LogForwarder final : public rocksdb::Logger {
 public:
  LogForwarder() : Logger(rocksdb::InfoLogLevel::WARN_LEVEL) {}

  using rocksdb::Logger::Logv;
  void Logv(const rocksdb::InfoLogLevel level, const char* format, va_list arguments) override {
    if (level < GetInfoLogLevel()) return;
    char text[512];
    std::vsnprintf(text, sizeof text, format, arguments);
    const bool is_error = level >= rocksdb::InfoLogLevel::ERROR_LEVEL;
    base::log(is_error ? base::LogLevel::error : base::LogLevel::info, "RocksDB", {{"says", text}});
  }
  void Logv(const char*, va_list) override {}
};

rocksdb::BlockBasedTableOptions table_options(const DatabaseSettings& settings) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = settings.cache;
  table.block_size = 16 * kib;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(filter_bits_per_key));
  table.format_version = 5;
  return table;
}

rocksdb::Options options_of(const DatabaseSettings& settings, rocksdb::Env* env) {
  rocksdb::Options options;
  options.env = env;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.info_log = std::make_shared<LogForwarder>();
  options.allow_fallocate = false;  // a log would take 70 MB at once
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;

  options.write_buffer_manager = settings.write_buffers;
  // A flush of the entries flushes the notes as well, so that no log is kept for notes that rarely change.
  options.atomic_flush = true;
  // The engine hands RocksDB one batch at a time (commits.h).
  options.allow_concurrent_memtable_write = false;
  options.enable_write_thread_adaptive_yield = false;
  options.max_open_files = open_files;
  options.max_background_jobs = 2;
  options.bytes_per_sync = mib;
  options.level_compaction_dynamic_level_bytes = true;
  options.compression = rocksdb::kLZ4Compression;

  options.merge_operator = make_counter_operator();
  options.max_successive_merges = most_adds_unmerged;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table_options(settings)));
  return options;
}

}  // namespace

DatabaseSettings make_database_settings(std::size_t cache_bytes) {
  DatabaseSettings settings;
  settings.cache = rocksdb::NewLRUCache(cache_bytes);
  settings.write_buffers = std::make_shared<rocksdb::WriteBufferManager>(cache_bytes, settings.cache);
  return settings;
}

Result<std::shared_ptr<Database>> Database::open(const std::filesystem::path& folder,
                                                 const DatabaseSettings& settings,
                                                 std::shared_ptr<const void> holder) {
  std::error_code ignored;  // RocksDB says what is wrong
  std::filesystem::create_directories(folder, ignored);
  std::shared_ptr<Database> database(new Database(std::move(holder)));
  const auto files = settings.files ? settings.files : rocksdb::FileSystem::Default();
  database->env_ = rocksdb::NewCompositeEnv(without_recovery(files));
  const rocksdb::Options options = options_of(settings, database->env_.get());
  const std::vector<rocksdb::ColumnFamilyDescriptor> families = {
      {rocksdb::kDefaultColumnFamilyName, rocksdb::ColumnFamilyOptions(options)},
      {"notes", rocksdb::ColumnFamilyOptions(options)}};
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  DINETTE_CHECK(
      checked(rocksdb::DB::Open(rocksdb::DBOptions(options), folder.string(), families, &handles, &db)));
  database->db_.reset(db);
  database->entries_ = handles[0];
  database->notes_ = handles[1];
  return database;
}

Database::~Database() {
  if (!db_) return;
  db_->DestroyColumnFamilyHandle(entries_);
  db_->DestroyColumnFamilyHandle(notes_);
  if (const auto closed = checked(db_->Close()); !closed)
    base::log(base::LogLevel::error, "a database cannot be closed", {{"reason", closed.error().message}});
}

Result<void> Database::copy_to(const std::filesystem::path& folder) const {
  rocksdb::Checkpoint* made = nullptr;
  DINETTE_CHECK(checked(rocksdb::Checkpoint::Create(db_.get(), &made)));
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  // A log of usual size is copied, which is quicker than writing what it holds into a file of its own.
  constexpr std::uint64_t copied_log_bytes = 16 * mib;
  return checked(checkpoint->CreateCheckpoint(folder.string(), copied_log_bytes));
}

}  // namespace dinette::kv::durable
