#include "dynamodb/bulk/bulk_task.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "dinette/base/log.h"
#include "dinette/objects/memory_store.h"
#include "dinette/tenancy/upkeep.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/bulk/bulk_batch.h"
#include "dynamodb/bulk/bulk_entry.h"
#include "dynamodb/bulk/bulk_report.h"
#include "dynamodb/expr/cache.h"
#include "dynamodb/imports/import_source.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/tasks/task.h"
#include "dynamodb/tasks/task_failure.h"
#include "dynamodb/writes/expiration.h"

namespace dinette::dynamodb {
namespace {

using store::TablePointer;

constexpr std::size_t objects_per_step = 1000;

TaskFailure bulk_cancelled() {
  return {"Cancelled", "The bulk operation was cancelled."};
}

TaskFailure table_gone(const std::string& name) {
  return {"ResourceNotFound", "Requested resource not found: Table: " + name + " not found"};
}

TaskFailure too_much(const std::string& sentence) {
  return {"InputLimitExceeded", sentence};
}

SourceObjects bulk_objects_of(const api::BulkEntry& entry) {
  const api::InputS3Configuration& input = *entry.description.input_s3_configuration;
  const bool ion = input.input_format == api::BulkOperationInputFormat::ion;
  return {.bucket = input.s3_bucket,
          .prefix = input.s3_key_prefix.value_or(""),
          .format = ion ? api::InputFormat::ion : api::InputFormat::dynamodb_json,
          .compression = input.input_compression_type};
}

class BulkTask : public Task {
 public:
  BulkTask(const BulkWorld& world, std::string key)
      : world_(world),
        store_(world.store),
        objects_(objects::or_no_buckets(world.objects)),
        key_(std::move(key)) {}

  std::string name() const override { return "bulk operation " + key_; }

  kv::Result<base::Jobs::Next> step(const std::stop_token& stop) override {
    if (stopped_) return base::Jobs::done;
    if (!entry_) DINETTE_CHECK(begin(stop));
    if (!entry_ || !is_running(*entry_)) return base::Jobs::done;
    if (is_cancelling(*entry_)) return end(bulk_cancelled());
    if (failure_) return end(failure_);
    if (!entry_->description.total_input_bytes) return list_some();
    DINETTE_TRY(const TablePointer table, open_table());
    if (!table) return fail(table_gone(entry_->table_name));
    if (const auto report = report_to_write(*entry_, false)) return write_report(*report);
    if (!opened_) {
      DINETTE_TRY(const bool more, open_object());
      if (stopped_) return base::Jobs::done;
      if (!more) return end(failure_);
    }
    return put_some(*table);
  }

  /// Fails without the rest of the reports, if those cannot be written.
  kv::Result<bool> fail(const std::string&) override {
    if (!entry_) DINETTE_CHECK(begin({}));
    if (!entry_ || !is_running(*entry_)) return true;
    output_failed_ = true;
    DINETTE_TRY(const base::Jobs::Next next,
                end(TaskFailure{"InternalServerError", "Internal server error"}));
    return !next || (entry_ && !is_running(*entry_));
  }

 private:
  /// Reads the entry, which says how far the operation has come.
  kv::Result<void> begin(const std::stop_token& stop) {
    DINETTE_TRY(const store::View view, store_.view());
    DINETTE_TRY(const auto kept, view.read(KeptEntry<api::BulkEntry>::space, key_));
    if (!kept) return {};
    DINETTE_TRY(api::BulkEntry entry, decode_entry<api::BulkEntry>(kept->view()));
    kept_ = *kept;
    source_.emplace(objects_, bulk_objects_of(entry), stop);
    opened_ = false;
    held_.reset();
    entry_ = std::move(entry);
    return {};
  }

  base::Jobs::Next fail(TaskFailure failure) {
    failure_ = std::move(failure);
    return base::Jobs::at_once;
  }

  base::Jobs::Next fail(const objects::Error& error) {
    stopped_ = error.kind == objects::ErrorKind::stopped;
    if (stopped_) return base::Jobs::done;
    base::log(base::LogLevel::warn, "a bulk operation fails at its objects",
              {{"operation", *entry_->description.bulk_operation_arn}, {"reason", error.message}});
    return fail(failure_of(error, store_.ids()));
  }

  bool is_foreign(const std::optional<std::string>& owner) const {
    return owner && *owner != entry_->account;
  }

  /// Looks for the objects, and adds up their sizes.
  kv::Result<base::Jobs::Next> list_some() {
    const api::BulkOperationDescription& description = entry_->description;
    output_failed_ = is_foreign(description.output_s3_configuration->s3_bucket_owner);
    if (output_failed_ || is_foreign(description.input_s3_configuration->s3_bucket_owner))
      return fail(objects::Error{objects::ErrorKind::access_denied, "the bucket has another owner"});
    if (entry_->listed_key.empty()) {
      if (const auto begun = begin_reports(objects_, *entry_); !begun) return fail_at_output(begun.error());
    }
    const auto listing = objects_.list(description.input_s3_configuration->s3_bucket,
                                       {description.input_s3_configuration->s3_key_prefix.value_or(""),
                                        entry_->listed_key, objects_per_step});
    if (!listing) return fail(listing.error());
    api::BulkEntry next = *entry_;
    for (const objects::ObjectInfo& object : listing->objects) {
      if (object.size > model::limits::bulk_object_bytes)
        return fail(too_much("An object is larger than 5 GB: " + object.key));
      next.listed_key = object.key;
      ++next.listed_objects;
      next.listed_bytes += static_cast<std::int64_t>(object.size);
    }
    if (next.listed_objects > static_cast<std::int64_t>(model::limits::bulk_objects))
      return fail(too_much("There are more than 50,000 objects"));
    if (!listing->more) next.description.total_input_bytes = next.listed_bytes;
    DINETTE_CHECK(keep(std::move(next)));
    return base::Jobs::Next(base::Jobs::at_once);
  }

  /// Returns null if the table is gone, or is about to be.
  kv::Result<TablePointer> open_table() const {
    DINETTE_TRY(TablePointer table, store_.catalog().open(entry_->table_name));
    if (!table) return table;
    const api::TableRecord& record = table->schema_as<TableSchema>().record();
    const bool there = record.table_id == entry_->table_id &&
                       state_at(record, store_.clock().now()).status != api::TableStatus::deleting;
    return there ? table : TablePointer();
  }

  /// Opens the object to continue with. Returns false if there is none, or if the objects cannot be read.
  kv::Result<bool> open_object() {
    if (entry_->object) {
      const auto again = source_->open(*entry_->object, entry_->object_items);
      if (!again) fail(again.error());
      return opened_ = again.ok();
    }
    const auto key = source_->open_next(entry_->last_key);
    if (!key) fail(key.error());
    if (!key || !*key) return false;
    api::BulkEntry begun = *entry_;
    begun.object = **key;
    begun.object_items = 0;
    begun.object_bytes = static_cast<std::int64_t>(source_->size());
    DINETTE_TRY(opened_, keep(std::move(begun)));
    return true;
  }

  /// Puts some more items of the open object. On failure it must be reopened: the reader has moved on.
  kv::Result<base::Jobs::Next> put_some(const store::Table& table) {
    if (!std::exchange(opened_, false)) return base::Jobs::Next(base::Jobs::at_once);
    const api::BulkEntry before = *entry_;
    BulkBatch batch(before, kept_);
    std::optional<BulkPut> held = read_batch(table.schema_as<TableSchema>(), batch);
    if (stopped_) return base::Jobs::done;
    DINETTE_TRY(const BulkBatch::Outcome outcome, batch.commit(store_, table));
    if (outcome == BulkBatch::Outcome::entry_changed) entry_.reset();
    if (outcome != BulkBatch::Outcome::applied) return base::Jobs::Next(base::Jobs::at_once);
    if (batch.expires())
      expire_later(store_, world_.jobs, table, *batch.expires(), world_.time_to_live_delay);
    DINETTE_TRY(entry_, decode_entry<api::BulkEntry>(batch.written().view()));
    kept_ = batch.written();
    opened_ = entry_->object.has_value();
    held_ = std::move(held);
    return base::Jobs::Next(base::Jobs::at_once);
  }

  /// Fills a batch with what comes next. Returns an item that does not fit, as another one of the batch has
  /// its key.
  std::optional<BulkPut> read_batch(const TableSchema& schema, BulkBatch& batch) {
    if (auto held = std::exchange(held_, std::nullopt)) batch.add(*std::move(held));
    std::optional<BulkPut> held;
    bool ended = false;
    while (!batch.is_full() && !ended && !held) {
      const auto item = source_->items().next();
      stopped_ = !item && item.error().stopped;
      if (stopped_) return std::nullopt;
      ended = item ? !*item : item.error().ends_file;
      if (!item) batch.add_failure(item.error().message);
      if (!item || !*item) continue;
      auto put = bulk_put_of(schema, expressions_, **item, source_->items().condition());
      if (!put) {
        batch.add_failure(put.error().message, **item);
        continue;
      }
      if (batch.has(*put->action))
        held = std::move(put).value();
      else
        batch.add(std::move(put).value());
    }
    note_progress(batch.after(), ended);
    return held;
  }

  void note_progress(api::BulkEntry& after, bool ended) {
    if (ended) {
      after.last_key = *std::exchange(after.object, std::nullopt);
      after.done_bytes += after.object_bytes;
      after.object_items = after.object_bytes = 0;
    }
    const auto taken = static_cast<std::int64_t>(source_->bytes_taken());
    after.description.processed_input_bytes = after.done_bytes + (ended ? 0 : taken);
  }

  /// Makes an object of the lines of a report.
  kv::Result<base::Jobs::Next> write_report(std::size_t report) {
    std::vector<store::KeyWrite> erasures;
    DINETTE_TRY(auto listed, write_lines(store_, objects_, *entry_, report, erasures));
    if (!listed) return fail_at_output(listed.error());
    DINETTE_CHECK(keep(*std::move(listed), std::move(erasures)));
    return base::Jobs::Next(base::Jobs::at_once);
  }

  base::Jobs::Next fail_at_output(const objects::Error& error) {
    output_failed_ = true;
    return fail(error);
  }

  /// Says how the operation has ended, when it may, after its reports.
  kv::Result<base::Jobs::Next> end(const std::optional<TaskFailure>& failure) {
    const base::TimePoint not_before = entry_->not_before.time();
    if (store_.clock().now() < not_before) return base::Jobs::Next(not_before);
    std::vector<store::KeyWrite> erasures;
    if (!output_failed_) {
      if (const auto report = report_to_write(*entry_, true)) return write_report(*report);
    } else {
      DINETTE_CHECK(erase_lines(store_, *entry_, erasures));
    }
    api::BulkEntry ended = *entry_;
    describe_end(ended, failure);
    if (!output_failed_) {
      if (const auto written = finish_reports(objects_, ended); !written)
        return fail_at_output(written.error());
    }
    DINETTE_CHECK(keep(std::move(ended), std::move(erasures)));
    return base::Jobs::Next(base::Jobs::at_once);
  }

  void describe_end(api::BulkEntry& entry, const std::optional<TaskFailure>& failure) const {
    using Status = api::BulkOperationStatus;
    api::BulkOperationDescription& description = entry.description;
    const Status whole =
        *description.failed_item_count > 0 ? Status::completed_with_errors : Status::completed;
    description.bulk_operation_status = is_cancelling(entry) ? Status::cancelled
                                        : failure            ? Status::failed
                                                             : whole;
    description.end_time = store_.clock().now();
    if (!failure) return;
    description.failure_code = failure->code;
    description.failure_message = failure->message;
  }

  /// Writes the entry, and what goes with it, unless others have written it: then it is read again. Returns
  /// false in that case. The table may have another operation when this one has ended.
  kv::Result<bool> keep(api::BulkEntry next, std::vector<store::KeyWrite> entries = {}) {
    const kv::Value value(encode_kept(next));
    const std::array targets{store::WriteTarget::entry(KeptEntry<api::BulkEntry>::space, key_),
                             store::WriteTarget::entry(bulk_tables_space, next.table_id)};
    const auto decide = [&](const store::Rows& rows, store::RowChanges changes) {
      if (!rows[0] || rows[0]->view() != kept_.view()) return false;
      changes[0].row = store::RowChange::Row::put;
      changes[0].value = value;
      changes[0].entries = entries;
      if (!is_running(next)) changes[1].row = store::RowChange::Row::erase;
      return true;
    };
    DINETTE_TRY(const auto written, store_.write(targets, decide));
    const bool kept = written.outcome == store::WriteOutcome::applied;
    entry_.reset();
    if (kept) {
      entry_ = std::move(next);
      kept_ = value;
    }
    return kept;
  }

  const BulkWorld world_;
  store::Store& store_;
  objects::ObjectStore& objects_;
  const std::string key_;
  expr::Cache expressions_{{.entries = 256, .bytes = 1 << 20}};
  std::optional<api::BulkEntry> entry_;  ///< as it is kept; nothing: to be read
  kv::Value kept_;                       ///< the same, as bytes
  std::optional<ImportSource> source_;
  bool opened_ = false;          ///< the object is open, after the items already done
  std::optional<BulkPut> held_;  ///< read ahead: the batch before it already has this key
  std::optional<TaskFailure> failure_;
  bool output_failed_ = false;
  bool stopped_ = false;  ///< the process is ending: its next start continues
};

}  // namespace

void run_bulk(const BulkWorld& world, std::string key) {
  const std::string name = tenancy::job_name(world.store, "bulk operation " + key);
  run_task(world.jobs, Pace::slow, name, std::make_shared<BulkTask>(world, std::move(key)));
}

void resume_bulk(const BulkWorld& world) {
  resume_operations<api::BulkEntry>(world.store, world.jobs,
                                    [world](const api::BulkEntry& entry) { run_bulk(world, key_of(entry)); });
}

}  // namespace dinette::dynamodb
