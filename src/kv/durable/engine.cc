#include "kv/durable/engine.h"

#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "dinette/base/log.h"

#include "kv/durable/commits.h"
#include "kv/durable/reads.h"
#include "kv/durable/resident_copy.h"
#include "kv/latches.h"
#include "kv/limits.h"

namespace dinette::kv::durable {
namespace {

/// A fill holds up commits while it reads so many bytes.
constexpr std::size_t fill_bytes = 256 * 1024;
/// So many are read before the engine answers its first call, which is quicker than to begin a thread.
constexpr std::size_t bytes_filled_at_once = 4 * 1024 * 1024;

/// The latest state of a database.
class DatabaseReader final : public Reader {
 public:
  explicit DatabaseReader(std::shared_ptr<const Database> database) : database_(std::move(database)) {}

  Result<std::optional<Value>> get(std::string_view key) const override { return read(*database_, key); }
  Result<Values> get_many(std::span<const std::string_view> keys) const override {
    return read_many(*database_, keys);
  }
  Result<std::unique_ptr<Cursor>> cursor(Range range) const override {
    return make_cursor(*database_, range, database_);
  }

 private:
  std::shared_ptr<const Database> database_;
};

class DurableEngine final : public FolderEngine {
 public:
  DurableEngine(std::shared_ptr<const DatabaseFolder> folder, std::shared_ptr<const Database> database,
                const EngineSettings& settings, NewDatabaseFolder new_folder)
      : settings_(settings),
        new_folder_(std::move(new_folder)),
        folder_(std::move(folder)),
        database_(std::move(database)),
        reader_(database_),
        resident_(*database_, settings.resident_bytes) {}

  /// Must be called once, before anything else. `copy`: of the database's contents, or null.
  Result<void> start(std::unique_ptr<memory::NumberedEngine> copy);

  const std::shared_ptr<const DatabaseFolder>& folder() const override { return folder_; }

  Capabilities capabilities() const override { return {.may_block = true, .forks = true, .durable = true}; }

  Result<std::optional<Value>> get(std::string_view key) const override {
    if (const auto copy = resident_.complete()) return copy->get(key);
    return reader_.get(key);
  }
  Result<Values> get_many(std::span<const std::string_view> keys) const override {
    if (const auto copy = resident_.complete()) return copy->get_many(keys);
    return reader_.get_many(keys);
  }
  Result<std::unique_ptr<Cursor>> cursor(Range range) const {
    if (const auto copy = resident_.complete()) {
      DINETTE_TRY(const auto snapshot, copy->snapshot());
      return snapshot->cursor(range);
    }
    return reader_.cursor(range);
  }
  Result<std::shared_ptr<const Snapshot>> snapshot() const override {
    if (const auto copy = resident_.complete()) return copy->snapshot();
    return make_snapshot(database_);
  }

  Result<CommitNumber> write(const WriteBatch& batch) override {
    DINETTE_CHECK(check_limits(batch));
    if (!commits_) return base::Failure{Error{ErrorKind::unsupported, "the data folder is open to be read"}};
    return commits_->commit(batch);
  }

  Result<CommitNumber> transact(const TransactionPlan& plan, Deadline deadline, Body body) override;
  Result<std::unique_ptr<Engine>> fork() const override;

 private:
  class DurableTransaction;

  Result<void> fill_step();
  void fill_in_background(const std::stop_token& stop);

  const EngineSettings settings_;
  const NewDatabaseFolder new_folder_;
  const std::shared_ptr<const DatabaseFolder> folder_;
  const std::shared_ptr<const Database> database_;
  const DatabaseReader reader_;
  ResidentCopy resident_;
  std::unique_ptr<Commits> commits_;  ///< null if the data are only read
  Latches latches_;
  std::jthread filler_;  ///< destroyed first, because it refers to the rest
};

class DurableEngine::DurableTransaction final : public Transaction {
 public:
  explicit DurableTransaction(const DurableEngine& engine) : engine_(engine) {}

  Result<std::optional<Value>> get(std::string_view key) const override { return engine_.get(key); }
  Result<Values> get_many(std::span<const std::string_view> keys) const override {
    return engine_.get_many(keys);
  }
  Result<std::unique_ptr<Cursor>> cursor(Range range) const override { return engine_.cursor(range); }
  WriteBatch& batch() override { return batch_; }

 private:
  const DurableEngine& engine_;
  WriteBatch batch_;
};

Result<void> DurableEngine::start(std::unique_ptr<memory::NumberedEngine> copy) {
  if (settings_.database.read_only) return {};
  DINETTE_TRY(commits_, Commits::open(database_, resident_, settings_.sync));
  if (settings_.resident_bytes == 0) return {};
  if (copy) {
    resident_.start_from(std::move(copy));
    return {};
  }
  resident_.start_filling();
  for (std::size_t filled = 0; resident_.is_filling() && filled < bytes_filled_at_once; filled += fill_bytes)
    DINETTE_CHECK(fill_step());
  if (resident_.is_filling())
    filler_ = std::jthread([this](const std::stop_token& stop) { fill_in_background(stop); });
  return {};
}

Result<void> DurableEngine::fill_step() {
  const std::lock_guard order(commits_->order());
  if (!resident_.is_filling()) return {};
  return resident_.fill(reader_, fill_bytes);
}

void DurableEngine::fill_in_background(const std::stop_token& stop) {
  while (!stop.stop_requested() && resident_.is_filling()) {
    const auto filled = fill_step();
    if (filled) continue;
    base::log(base::LogLevel::warn, "the data cannot be read into memory; the disk answers",
              {{"reason", filled.error().message}});
    const std::lock_guard order(commits_->order());
    resident_.give_up();
  }
}

/// `copy`: of what the database at `folder` holds, or null.
Result<std::unique_ptr<FolderEngine>> open(std::shared_ptr<const DatabaseFolder> folder,
                                           const EngineSettings& settings, NewDatabaseFolder new_folder,
                                           std::unique_ptr<memory::NumberedEngine> copy) {
  DatabaseSettings of_database = settings.database;
  of_database.resident = settings.resident_bytes > 0;
  DINETTE_TRY(auto database, Database::open(folder, of_database));
  auto engine = std::make_unique<DurableEngine>(std::move(folder), std::move(database), settings,
                                                std::move(new_folder));
  DINETTE_CHECK(engine->start(std::move(copy)));
  return std::unique_ptr<FolderEngine>(std::move(engine));
}

Result<CommitNumber> DurableEngine::transact(const TransactionPlan& plan, Deadline deadline, Body body) {
  Latches::Hold hold;
  if (!latches_.acquire(plan.locks, deadline, hold)) {
    return base::Failure{
        Error{ErrorKind::timed_out, "the locks of a transaction were held beyond its deadline"}};
  }
  DurableTransaction transaction(*this);
  DINETTE_TRY(const Decision decision, body(transaction));
  if (decision == Decision::abandon) return CommitNumber{0};
  DINETTE_CHECK(transaction.batch().settle(transaction));
  return write(transaction.batch());
}

Result<std::unique_ptr<Engine>> DurableEngine::fork() const {
  if (!commits_) return Engine::fork();
  DINETTE_TRY(std::shared_ptr<const DatabaseFolder> folder, new_folder_());
  std::unique_ptr<memory::NumberedEngine> copy;
  {
    const std::lock_guard order(commits_->order());
    DINETTE_CHECK(database_->copy_to(folder->path()));
    copy = resident_.fork();
  }
  DINETTE_TRY(auto fork, open(std::move(folder), settings_, new_folder_, std::move(copy)));
  return std::unique_ptr<Engine>(std::move(fork));
}

}  // namespace

Result<std::unique_ptr<FolderEngine>> open_engine(std::shared_ptr<const DatabaseFolder> folder,
                                                  const EngineSettings& settings,
                                                  NewDatabaseFolder new_folder) {
  return open(std::move(folder), settings, std::move(new_folder), nullptr);
}

}  // namespace dinette::kv::durable
