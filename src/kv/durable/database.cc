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
#include "kv/durable/examine.h"
#include "kv/durable/file_system.h"
#include "kv/durable/memtable.h"
#include "kv/durable/status.h"

namespace dinette::kv::durable {
namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;

constexpr int filter_bits_per_key = 10;  // 1 % false positives
constexpr int open_files = 512;          // of one database
/// While entries are read: otherwise a counter costs more to read with every add(). To know that there are so
/// many, RocksDB looks for them with every add().
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

/// Has counters put together even where that has to read a file. RocksDB always did so until version 9, which
/// does not by default (facebook/rocksdb#12365).
template <class Options>
void put_counters_together(Options& options, std::size_t most_unmerged) {
  options.max_successive_merges = most_unmerged;
  if constexpr (requires { options.strict_max_successive_merges; })
    options.strict_max_successive_merges = true;
}

rocksdb::Options options_of(const DatabaseSettings& settings, rocksdb::Env* env,
                            std::shared_ptr<const std::atomic<bool>> is_read) {
  rocksdb::Options options;
  options.env = env;
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
  put_counters_together(options, settings.resident ? 0 : most_adds_unmerged);
  options.memtable_factory = make_memtable_factory(std::move(is_read));
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table_options(settings)));
  return options;
}

std::vector<rocksdb::ColumnFamilyDescriptor> families_of(const rocksdb::Options& options) {
  return {{rocksdb::kDefaultColumnFamilyName, rocksdb::ColumnFamilyOptions(options)},
          {"notes", rocksdb::ColumnFamilyOptions(options)}};
}

}  // namespace

void log_notice(std::string_view sentence) {
  base::log(base::LogLevel::warn, sentence);
}

DatabaseSettings make_database_settings(std::size_t cache_bytes) {
  DatabaseSettings settings;
  settings.cache = rocksdb::NewLRUCache(cache_bytes);
  settings.write_buffers = std::make_shared<rocksdb::WriteBufferManager>(cache_bytes, settings.cache);
  return settings;
}

Result<std::shared_ptr<Database>> Database::open(std::shared_ptr<const DatabaseFolder> folder,
                                                 const DatabaseSettings& settings) {
  std::shared_ptr<Database> database(new Database(std::move(folder), settings.failures));
  DINETTE_CHECK(database->take_inventory(settings.notice, settings.read_only));
  DINETTE_CHECK(database->open_files(settings));
  return database;
}

/// Looks at the files before RocksDB does, which takes what is missing at the end for what never was.
Result<void> Database::take_inventory(Notice notice, bool read_only) {
  Examination examination;
  if (folder_->is_kept()) examination = examine(folder_->path(), notice);
  if (examination.damage) return base::Failure{Error{ErrorKind::corrupt, examination.damage->what}};
  if (read_only) return {};
  std::error_code error;
  std::filesystem::create_directories(folder_->path(), error);
  DINETTE_TRY(inventory_, Inventory::open(folder_->path(), std::move(examination.found), folder_->is_kept()));
  return {};
}

Result<void> Database::open_files(const DatabaseSettings& settings) {
  const std::string folder = folder_->path().string();
  const auto files = settings.files ? settings.files : rocksdb::FileSystem::Default();
  env_ = rocksdb::NewCompositeEnv(make_file_system(files, inventory_.get()));
  rocksdb::Options options = options_of(settings, env_.get(), is_read_);
  options.create_if_missing = options.create_missing_column_families = !folder_->is_kept();
  const rocksdb::DBOptions of_database(options);
  const auto families = families_of(options);
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  DINETTE_CHECK(checked(settings.read_only
                            ? rocksdb::DB::OpenForReadOnly(of_database, folder, families, &handles, &db)
                            : rocksdb::DB::Open(of_database, folder, families, &handles, &db)));
  db_.reset(db);
  entries_ = handles[0];
  notes_ = handles[1];
  opened_at_ = db_->GetLatestSequenceNumber();
  return {};
}

Result<void> Database::rebuild(const std::filesystem::path& folder, const DatabaseSettings& settings) {
  rocksdb::Options options =
      options_of(settings, rocksdb::Env::Default(), std::make_shared<std::atomic<bool>>(true));
  const auto families = families_of(options);
  DINETTE_CHECK(checked(rocksdb::RepairDB(folder.string(), rocksdb::DBOptions(options), families)));
  // It leaves out families in which it has found nothing.
  options.create_missing_column_families = true;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  DINETTE_CHECK(
      checked(rocksdb::DB::Open(rocksdb::DBOptions(options), folder.string(), families, &handles, &opened)));
  const std::unique_ptr<rocksdb::DB> db(opened);
  for (rocksdb::ColumnFamilyHandle* const handle : handles) db->DestroyColumnFamilyHandle(handle);
  return checked(db->Close());
}

Database::~Database() {
  if (!db_) return;
  if (has_failed_) failures_->remove(*this);
  if (const auto closed = close(); !closed)
    base::log(base::LogLevel::error, "a database cannot be closed", {{"reason", closed.error().message}});
}

void Database::note_failure(std::string_view reason) const {
  if (!has_failed_.exchange(true)) failures_->add(*this, reason);
}

void Database::begin_reads() const {
  *is_read_ = true;
  // The memtable of now gets no more entries. If this fails, reads are slow until it is full.
  rocksdb::FlushOptions options;
  options.wait = false;
  options.allow_write_stall = true;
  db_->Flush(options, {entries_, notes_}).PermitUncheckedError();
  db_->SetOptions(entries_, {{"max_successive_merges", std::to_string(most_adds_unmerged)}})
      .PermitUncheckedError();
}

/// What was written is on the disk before the inventory says that all of it must be there.
Result<void> Database::close() {
  const bool says_closed = inventory_ && folder_->is_kept() && !has_failed_;
  const bool was_written = db_->GetLatestSequenceNumber() != opened_at_;
  const auto synced = says_closed && was_written ? checked(db_->SyncWAL()) : Result<void>();
  db_->DestroyColumnFamilyHandle(entries_);
  db_->DestroyColumnFamilyHandle(notes_);
  DINETTE_CHECK(checked(db_->Close()));
  DINETTE_CHECK(synced);
  return says_closed ? inventory_->close() : Result<void>();
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
