#include "dynamodb/imports/import_task.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <utility>
#include <vector>

#include "dinette/base/log.h"
#include "dinette/objects/memory_store.h"
#include "dinette/tenancy/upkeep.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/imports/import_entry.h"
#include "dynamodb/imports/import_source.h"
#include "dynamodb/imports/imported_item.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/tasks/task.h"
#include "dynamodb/tasks/task_failure.h"
#include "dynamodb/writes/item_batch.h"

namespace dinette::dynamodb {
namespace {

using store::TablePointer;

constexpr std::size_t items_per_step = 128;
constexpr std::size_t bytes_per_step = 1 << 20;
constexpr std::int64_t logged_errors = 100;

TaskFailure items_failed() {
  return {"ItemValidationError",
          "Some of the items failed validation checks and were not imported. Please check CloudWatch error "
          "logs for more details."};
}

TaskFailure table_exists(const std::string& name) {
  return {"TableAlreadyExists", "Table already exists: " + name};
}

/// Items to be put together, each under another key.
struct Batch {
  std::vector<std::unique_ptr<PutAction>> puts;
  std::set<std::string_view> keys = {};  ///< of the store
  std::size_t bytes = 0;                 ///< of their texts

  bool is_full() const { return puts.size() >= items_per_step || bytes >= bytes_per_step; }
};

class ImportTask : public Task {
 public:
  ImportTask(store::Store& store, objects::ObjectStore* objects, std::string key)
      : store_(store), objects_(objects::or_no_buckets(objects)), key_(std::move(key)) {}

  std::string name() const override { return "import " + key_; }

  kv::Result<base::Jobs::Next> step(const std::stop_token& stop) override {
    if (!entry_) DINETTE_CHECK(begin(stop));
    if (!is_running(*entry_)) return base::Jobs::done;
    if (!entry_->table_made) return make_table();
    DINETTE_TRY(const TablePointer table, open_table());
    if (!table) return end(nullptr, table_exists(entry_->table.table_name));
    if (!opened_) {
      DINETTE_TRY(const bool more, open_object(*table));
      if (stopped_) return base::Jobs::done;
      if (!more) return end(table.get(), failure_);
    }
    DINETTE_CHECK(put_some(*table));
    // The next start of the server continues with what is kept.
    return stopped_ ? base::Jobs::done : base::Jobs::Next(base::Jobs::at_once);
  }

  kv::Result<bool> fail(const std::string&) override {
    if (!entry_) DINETTE_CHECK(begin({}));
    DINETTE_TRY(const TablePointer table, open_table());
    DINETTE_TRY(const base::Jobs::Next later,
                end(table.get(), TaskFailure{"InternalServerError", "Internal server error"}));
    return !later;
  }

 private:
  /// Reads the entry, which says how far the import has come.
  kv::Result<void> begin(const std::stop_token& stop) {
    DINETTE_TRY(const store::View view, store_.view());
    DINETTE_TRY(auto entry, read_entry<api::ImportEntry>(view, key_));
    if (!entry) return base::Failure{kv::Error{kv::ErrorKind::corrupt, "the entry of an import is gone"}};
    source_.emplace(objects_, objects_of(*entry), stop);
    entry_ = std::move(entry);
    return {};
  }

  kv::Result<TablePointer> open_table() const {
    DINETTE_TRY(TablePointer table, store_.catalog().open(entry_->table.table_name));
    if (!table || table->schema_as<TableSchema>().record().import_key != key_) return TablePointer();
    return table;
  }

  /// Looks for the bucket first: without it no table is created.
  kv::Result<base::Jobs::Next> make_table() {
    if (entry_->description.s3_bucket_source->s3_bucket_owner.value_or(entry_->account) != entry_->account)
      return end(nullptr, why({objects::ErrorKind::access_denied, "the bucket has another owner"}));
    const auto first = source_->open_next("");
    if (!first) fail(first.error());
    if (stopped_) return base::Jobs::done;
    if (failure_) return end(nullptr, failure_);
    api::ImportEntry made = *entry_;
    made.table_made = true;
    const store::EntryWrite write = write_of(made);
    DINETTE_TRY(
        const TablePointer table,
        store_.catalog().create(made.table.table_name, encode_record(made.table), std::span(&write, 1)));
    if (!table) return end(nullptr, table_exists(made.table.table_name));
    entry_ = std::move(made);
    return base::Jobs::Next(base::Jobs::at_once);
  }

  /// Opens the object to continue with. Returns false if there is none, or if the objects cannot be read.
  kv::Result<bool> open_object(const store::Table& table) {
    if (entry_->object) {
      const auto again = source_->open(*entry_->object, entry_->object_items);
      if (!again) return fail(again.error());
    } else {
      const auto key = source_->open_next(entry_->last_key);
      if (!key) return fail(key.error());
      if (!*key) return false;
      api::ImportEntry begun = *entry_;
      begun.object = **key;
      begun.object_items = 0;
      DINETTE_CHECK(write(table, {}, std::move(begun)));
    }
    opened_ = true;
    return true;
  }

  bool fail(const objects::Error& error) {
    stopped_ = error.kind == objects::ErrorKind::stopped;
    if (!stopped_) failure_ = why(error);
    return false;
  }

  TaskFailure why(const objects::Error& error) const {
    base::log(base::LogLevel::warn, "an import cannot read its objects",
              {{"import", *entry_->description.import_arn}, {"reason", error.message}});
    return failure_of(error, store_.ids());
  }

  /// Puts some more items of the open object. On failure it must be reopened: the reader has moved on.
  kv::Result<void> put_some(const store::Table& table) {
    const auto& schema = table.schema_as<TableSchema>();
    opened_ = false;
    api::ImportEntry next = *entry_;
    Batch batch;
    std::unique_ptr<PutAction> held = std::exchange(held_, nullptr);
    if (held) add(batch, next, std::move(held));
    while (!batch.is_full()) {
      const auto item = source_->items().next();
      stopped_ = !item && item.error().stopped;
      if (stopped_) return {};
      if (!item) note_error(next, item.error().message);
      if (item ? !*item : item.error().ends_file) {
        close_object(next);
        break;
      }
      if (!item) {
        ++next.object_items;
        continue;
      }
      auto put = put_of(schema, **item);
      if (!put) {
        note_error(next, put.error().message);
        ++next.object_items;
        continue;
      }
      batch.bytes += (*item)->size();
      if (batch.keys.contains((*put)->key())) {
        held = std::move(put).value();
        break;
      }
      add(batch, next, std::move(put).value());
    }
    DINETTE_CHECK(write(table, batch.puts, std::move(next)));
    opened_ = entry_->object.has_value();
    held_ = std::move(held);
    return {};
  }

  static void add(Batch& batch, api::ImportEntry& entry, std::unique_ptr<PutAction> put) {
    batch.keys.insert(put->key());
    batch.puts.push_back(std::move(put));
    ++entry.object_items;
    ++entry.imported;
  }

  void close_object(api::ImportEntry& entry) {
    entry.last_key = *entry.object;
    entry.object.reset();
    entry.object_items = 0;
    entry.size_bytes += static_cast<std::int64_t>(source_->items().bytes_read());
  }

  void note_error(api::ImportEntry& entry, const std::string& reason) const {
    ++entry.errors;
    if (entry.errors > logged_errors) return;
    base::log(base::LogLevel::warn,
              entry.errors < logged_errors ? "an item was not imported"
                                           : "an item was not imported; further ones are not logged",
              {{"import", *entry.description.import_arn},
               {"bucket", entry.description.s3_bucket_source->s3_bucket},
               {"key", *entry.object},
               {"item", entry.object_items},
               {"reason", reason}});
  }

  /// Puts items, and says in the same commit how far the import has come then.
  kv::Result<void> write(const store::Table& table, const std::vector<std::unique_ptr<PutAction>>& puts,
                         api::ImportEntry progress) {
    ItemBatch batch;
    for (const auto& put : puts) batch.add(table, *put);
    std::vector<store::WriteTarget> targets = batch.targets();
    targets.push_back(store::WriteTarget::entry(KeptEntry<api::ImportEntry>::space, key_));
    const store::EntryWrite entry = write_of(progress);
    const WriteOrigin origin{store_.clock().now()};
    std::string refusal = "their table was altered";
    const auto decide = [&](const store::Rows& rows, store::RowChanges changes) {
      for (std::size_t i = 0; i < batch.size(); ++i) {
        WrittenItem item;
        if (const auto decided = batch.decide(i, rows, origin, item); !decided) {
          refusal = decided.error().message;
          return false;
        }
        changes[i] = std::move(item.plan.change);
      }
      changes.back().row = store::RowChange::Row::put;
      changes.back().value = entry.value;
      return true;
    };
    DINETTE_TRY(const auto written, store_.write(targets, decide));
    if (written.outcome != store::WriteOutcome::applied)
      return base::Failure{kv::Error{kv::ErrorKind::unsupported, "items cannot be put: " + refusal}};
    entry_ = std::move(progress);
    return {};
  }

  /// Says how the import has ended, when it may. The table, null for none, is there then, whatever failed.
  kv::Result<base::Jobs::Next> end(const store::Table* table, std::optional<TaskFailure> failure) {
    const base::TimePoint not_before = entry_->not_before.time();
    if (store_.clock().now() < not_before) return base::Jobs::Next(not_before);
    if (!failure && entry_->errors > 0) failure = items_failed();
    api::ImportEntry ended = *entry_;
    describe_end(ended, failure);
    const store::EntryWrite entry = write_of(ended);
    DINETTE_TRY(const bool with_table, table ? open_to_all(*table, entry) : kv::Result<bool>(false));
    if (!with_table) DINETTE_CHECK(write_entry(store_, entry));
    entry_ = std::move(ended);
    return base::Jobs::done;
  }

  /// Lets the table be ACTIVE, and writes `entry` in the same commit. Returns false if it is gone.
  kv::Result<bool> open_to_all(const store::Table& table, const store::EntryWrite& entry) {
    const auto opened = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
      api::TableRecord record = current.schema_as<TableSchema>().record();
      record.import_key.reset();
      store::TableUpdate update(encode_record(record));
      update.entries.push_back(entry);
      return update;
    };
    store_.forget_history();  // who may see the past must not see the table half full
    DINETTE_TRY(const TablePointer marked, store_.catalog().update(table, opened));
    return marked != nullptr;
  }

  void describe_end(api::ImportEntry& entry, const std::optional<TaskFailure>& failure) const {
    api::ImportTableDescription& description = entry.description;
    description.import_status = failure ? api::ImportStatus::failed : api::ImportStatus::completed;
    description.end_time = store_.clock().now();
    description.error_count = entry.errors;
    description.imported_item_count = entry.imported;
    description.processed_item_count = entry.imported + entry.errors;
    if (entry.table_made) description.processed_size_bytes = entry.size_bytes;
    if (!failure) return;
    description.failure_code = failure->code;
    description.failure_message = failure->message;
  }

  store::Store& store_;
  objects::ObjectStore& objects_;
  const std::string key_;
  std::optional<api::ImportEntry> entry_;  ///< as it is kept; nothing: not read yet
  std::optional<ImportSource> source_;
  bool opened_ = false;              ///< the object is open, after the items already done
  std::unique_ptr<PutAction> held_;  ///< read ahead: the batch before it already has this key
  bool stopped_ = false;             ///< the process is ending
  std::optional<TaskFailure> failure_;
};

}  // namespace

void import_items(store::Store& store, base::Jobs& jobs, objects::ObjectStore* objects, std::string key) {
  const std::string name = tenancy::job_name(store, "import " + key);
  run_task(jobs, Pace::slow, name, std::make_shared<ImportTask>(store, objects, std::move(key)));
}

void resume_imports(store::Store& store, base::Jobs& jobs, objects::ObjectStore* objects) {
  resume_operations<api::ImportEntry>(store, jobs, [&store, &jobs, objects](const api::ImportEntry& entry) {
    import_items(store, jobs, objects, key_of(entry));
  });
}

}  // namespace dinette::dynamodb
