#include "dynamodb/exports/export_task.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "dinette/base/log.h"
#include "dinette/dynamodb/item_files/export_writer.h"
#include "dinette/objects/memory_store.h"
#include "dinette/store/past_rows.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/backups/copies.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/exports/export_entry.h"
#include "dynamodb/exports/export_filter.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/tasks/task.h"
#include "dynamodb/tasks/task_failure.h"

namespace dinette::dynamodb {
namespace {

using store::TablePointer;

std::optional<item_files::ChangeWindow> window_of(const api::ExportDescription& description) {
  const auto& incremental = description.incremental_export_specification;
  if (!incremental) return std::nullopt;
  return item_files::ChangeWindow{incremental->export_from_time->time(), incremental->export_to_time->time(),
                                  incremental->export_view_type == api::ExportViewType::new_and_old_images};
}

item_files::Summary summary_of(const api::ExportEntry& entry) {
  const api::ExportDescription& description = entry.description;
  return {.started = description.start_time->time(),
          .table_arn = *description.table_arn,
          .table_id = *description.table_id,
          .export_time = description.export_time.value_or(*description.start_time).time(),
          .window = window_of(description),
          .bucket = *description.s3_bucket,
          .sse_algorithm = std::string(to_string(*description.s3_sse_algorithm)),
          .sse_key = description.s3_sse_kms_key_id,
          .format = description.export_format == api::ExportFormat::ion
                        ? item_files::DataFormat::ion
                        : item_files::DataFormat::dynamodb_json};
}

item_files::ExportFolder folder_of(objects::ObjectStore* store, const api::ExportEntry& entry) {
  const api::ExportDescription& description = entry.description;
  return {objects::or_no_buckets(store), *description.s3_bucket, description.s3_prefix,
          std::string(id_of(entry))};
}

/// Returns the moment at which a full export reads its table: its time, which is inclusive, unless that is
/// the time of the request, whose place the version of the table tells.
store::PastMoment moment_of(const api::ExportEntry& entry) {
  store::PastMoment moment;
  if (entry.table_version)
    moment.table_version = static_cast<std::uint64_t>(*entry.table_version);
  else
    moment.moment = entry.description.export_time->time();
  return moment;
}

/// The last moment before another one.
store::PastMoment before(base::TimePoint moment) {
  return {moment - std::chrono::microseconds(1)};
}

std::vector<std::string> key_names(const TableSchema& schema) {
  std::vector<std::string> names = {schema.hash_key().name};
  if (schema.range_key()) names.push_back(schema.range_key()->name);
  std::ranges::sort(names);
  return names;
}

/// A row of a full export, or what became of one in the window of an incremental one.
struct FoundRow {
  std::string key;
  kv::Value now;  ///< null: it was deleted
  kv::Value old = {};
  base::TimePoint written = {};

  std::string_view newest() const { return now ? now.view() : old.view(); }
  std::size_t bytes() const { return (now ? now.view().size() : 0) + (old ? old.view().size() : 0); }
};

class ExportTask : public Task {
 public:
  ExportTask(store::Store& store, objects::ObjectStore* objects, api::ExportEntry entry)
      : store_(store),
        entry_(std::move(entry)),
        window_(window_of(entry_.description)),
        writer_(folder_of(objects, entry_), summary_of(entry_), file_bytes) {}

  std::string name() const override { return "export " + *entry_.description.export_arn; }

  kv::Result<base::Jobs::Next> step(const std::stop_token&) override {
    if (!begun_ && !ended_) {
      begun_ = true;
      begin();
    }
    if (!ended_ && !all_read_) {
      DINETTE_CHECK(read_more());
      return base::Jobs::Next(base::Jobs::at_once);
    }
    const base::TimePoint not_before = entry_.not_before.time();
    if (store_.clock().now() < not_before) return base::Jobs::Next(not_before);
    if (!ended_) complete();
    if (!stopped_) DINETTE_CHECK(record_end());
    return base::Jobs::done;
  }

  kv::Result<bool> fail(const std::string&) override {
    if (!ended_) fail_inside();
    DINETTE_CHECK(record_end());
    return true;
  }

 private:
  // A data file is compressed in one step.
  static constexpr std::size_t file_bytes = 4 << 20;
  static constexpr std::size_t rows_per_step = 512;
  static constexpr std::size_t walked_per_step = 4096;
  static constexpr std::size_t bytes_per_step = 1 << 20;
  static constexpr unsigned partitions = 4;

  void begin() {
    const api::ExportDescription& description = entry_.description;
    if (description.s3_bucket_owner.value_or(entry_.account) != entry_.account)
      return fail(objects::Error{objects::ErrorKind::access_denied, ""});
    if (description.filter_specification) {
      auto filter = ExportFilter::make(*description.filter_specification);
      if (!filter) return static_cast<void>(fail_inside(filter.error().message));
      filter_ = std::move(filter).value();
    }
    check(writer_.begin());
  }

  kv::Result<void> read_more() {
    DINETTE_TRY(const TablePointer source, open_source(store_, entry_));
    if (!source) return fail_inside("the table is gone");
    const auto& schema = source->schema_as<TableSchema>();
    store::KeyRange range;
    if (filter_) {
      auto matched = filter_->range_in(schema);
      if (!matched) return fail_inside(matched.error().message);
      range = std::move(matched).value();
    }
    std::string last;
    DINETTE_TRY(const std::vector<FoundRow> rows,
                window_ ? read_changes(*source, range, last) : read_rows(*source, range, last));
    for (const FoundRow& row : rows) {
      const kv::Result<bool> added = add(schema, row);
      if (!added) return fail_inside(added.error().message);
      if (ended_) return {};
    }
    if (!last.empty()) {
      last_key_ = std::move(last);
      return {};
    }
    all_read_ = true;
    enter_partition(partitions);
    return {};
  }

  /// Sets `last` to the key to continue after, and leaves it empty at the end.
  kv::Result<std::vector<FoundRow>> read_rows(const store::Table& source, const store::KeyRange& range,
                                              std::string& last) const {
    DINETTE_TRY(const store::View view, store_.view());
    DINETTE_TRY(store::PastRows past, view.scan_past(source, moment_of(entry_), last_key_, range));
    std::vector<FoundRow> rows;
    for (std::size_t bytes = 0;;) {
      if (rows.size() == rows_per_step || bytes >= bytes_per_step) {
        last = rows.back().key;
        return rows;
      }
      DINETTE_TRY(const bool more, past.next());
      if (!more) return rows;
      rows.push_back({.key = past.key(), .now = past.value()});
      bytes += rows.back().bytes();
    }
  }

  /// The same of rows that changed in the window.
  kv::Result<std::vector<FoundRow>> read_changes(const store::Table& source, const store::KeyRange& range,
                                                 std::string& last) const {
    DINETTE_TRY(const store::View view, store_.view());
    DINETTE_TRY(store::PastChanges past,
                view.scan_changes(source, before(window_->from), before(window_->to), last_key_, range));
    std::vector<FoundRow> rows;
    for (std::size_t bytes = 0;;) {
      DINETTE_TRY(const bool more, past.next());
      if (!more) return rows;
      // An item that was put and deleted again did not change.
      if (past.changed() && (past.before() || past.after())) {
        rows.push_back(
            {.key = past.key(), .now = past.after(), .old = past.before(), .written = *past.changed()});
        bytes += rows.back().bytes();
      }
      if (past.walked() < walked_per_step && bytes < bytes_per_step) continue;
      last = past.key();
      return rows;
    }
  }

  /// Fails if the row is corrupt. Returns false if the export has failed.
  kv::Result<bool> add(const TableSchema& schema, const FoundRow& row) {
    read_bytes_ += codec::record_size(row.newest());
    if (filter_) {
      DINETTE_TRY(const bool admitted, filter_->admits(row.newest()));
      if (!admitted) return true;
    }
    constexpr unsigned bits_per_hash = 64;
    constexpr unsigned bits_per_partition = 2;
    if (!enter_partition(store::hash_at(row.key) >> (bits_per_hash - bits_per_partition))) return false;
    DINETTE_TRY(const std::string now, text_of(row.now));
    if (!window_) return check(writer_.add(now));
    const bool with_old = window_->old_images;
    DINETTE_TRY(const std::string old, text_of(with_old ? row.old : kv::Value()));
    return check(writer_.add(item_files::ItemChange{keys_text(schema, row.newest()), row.written, now, old}));
  }

  /// Returns what is exported of an item; empty if there is none.
  kv::Result<std::string> text_of(const kv::Value& record) const {
    if (!record) return std::string();
    if (!codec::is_record(record.view())) return base::Failure{codec::corrupt_record()};
    std::string text;
    if (filter_)
      DINETTE_CHECK(filter_->append_selected(text, record.view()));
    else
      text = codec::record_text(record.view());
    return text;
  }

  std::string_view keys_text(const TableSchema& schema, std::string_view record) {
    keys_.clear();
    const std::vector<std::string> names = key_names(schema);
    const std::vector<std::string_view> views(names.begin(), names.end());
    for (const std::string_view attribute : codec::attribute_texts(record, views))
      keys_.append(keys_.empty() ? "{" : ",").append(attribute);
    return keys_ += '}';
  }

  /// Ends the data files of the partitions before this one. Returns false if the export has failed.
  bool enter_partition(std::uint64_t partition) {
    for (; partition_ < partition; ++partition_) {
      if (!check(writer_.end_partition())) return false;
    }
    return true;
  }

  /// Returns false, and lets the export fail, if the bucket did not take something.
  bool check(const objects::Result<void>& written) {
    if (!written) fail(written.error());
    return written.ok();
  }

  void complete() {
    const base::TimePoint now = store_.clock().now();
    if (!check(writer_.finish(now, billed_bytes()))) return;
    ended_ = entry_;
    api::ExportDescription& description = ended_->description;
    description.export_status = api::ExportStatus::completed;
    description.end_time = now;
    description.export_manifest = writer_.summary_key();
    description.billed_size_bytes = static_cast<std::int64_t>(billed_bytes());
    description.item_count = static_cast<std::int64_t>(writer_.items());
  }

  std::uint64_t billed_bytes() const {
    constexpr std::uint64_t least_of_incremental = 10'000'000;
    constexpr std::uint64_t megabyte = 1'000'000;
    return window_ ? std::max<std::uint64_t>(read_bytes_, least_of_incremental)
                   : read_bytes_ / megabyte * megabyte;
  }

  void fail(const objects::Error& error) {
    // The next start of the server begins it again.
    stopped_ = error.kind == objects::ErrorKind::stopped;
    if (error.kind == objects::ErrorKind::failed) {
      base::log(base::LogLevel::error, "an export cannot be written",
                {{"export", *entry_.description.export_arn}, {"reason", error.message}});
    }
    fail(failure_of(error, store_.ids()));
  }

  kv::Result<void> fail_inside(const std::string& reason) {
    base::log(base::LogLevel::error, "an export cannot be read",
              {{"export", *entry_.description.export_arn}, {"reason", reason}});
    fail_inside();
    return {};
  }

  void fail_inside() { fail(TaskFailure{"InternalServerError", "Internal server error"}); }

  void fail(TaskFailure failure) {
    ended_ = entry_;
    api::ExportDescription& description = ended_->description;
    description.export_status = api::ExportStatus::failed;
    description.failure_code = std::move(failure.code);
    description.failure_message = std::move(failure.message);
  }

  kv::Result<void> record_end() {
    if (!ended_->description.end_time) ended_->description.end_time = store_.clock().now();
    const store::EntryWrite write = write_of(*ended_);
    DINETTE_TRY(const TablePointer source, open_source(store_, entry_));
    if (source) {
      DINETTE_TRY(const bool released, release_source(store_, *source, write));
      if (released) return {};
    }
    return write_entry(store_, write);
  }

  store::Store& store_;
  const api::ExportEntry entry_;
  const std::optional<item_files::ChangeWindow> window_;
  item_files::ExportWriter writer_;
  std::unique_ptr<const ExportFilter> filter_;  ///< null: all of all items
  bool begun_ = false;
  bool stopped_ = false;
  bool all_read_ = false;
  std::string last_key_;  ///< empty: none was read
  std::uint64_t partition_ = 0;
  std::uint64_t read_bytes_ = 0;
  std::string keys_;                       ///< of the item that is added
  std::optional<api::ExportEntry> ended_;  ///< what is to be written at the end
};

}  // namespace

void run_export(store::Store& store, base::Jobs& jobs, objects::ObjectStore* objects,
                const api::ExportEntry& entry) {
  run_task(jobs, Pace::slow, "export " + *entry.description.export_arn,
           std::make_shared<ExportTask>(store, objects, entry));
}

void resume_exports(store::Store& store, base::Jobs& jobs, objects::ObjectStore* objects) {
  resume_operations<api::ExportEntry>(store, jobs, [&store, &jobs, objects](const api::ExportEntry& entry) {
    run_export(store, jobs, objects, entry);
  });
}

}  // namespace dinette::dynamodb
