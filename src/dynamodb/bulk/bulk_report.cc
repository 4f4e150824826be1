#include "dynamodb/bulk/bulk_report.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "dinette/aws/json_writer.h"
#include "dinette/base/time_text.h"
#include "dinette/dynamodb/item_files/manifest.h"
#include "dinette/store/scan.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/bulk/bulk_entry.h"
#include "dynamodb/item_files/json_text.h"

namespace dinette::dynamodb {
namespace {

using item_files::write_number;
using item_files::write_optional;
using item_files::write_raw;
using item_files::write_text;

/// The members that all lines begin with.
void begin_line(aws::JsonWriter& json, const api::BulkEntry& entry, api::OutputTypeEnum type,
                std::int64_t place) {
  json.begin_object();
  write_text(json, "outputType", to_string(type));
  json.key("itemS3Pointer");
  json.begin_object();
  write_text(json, "bucket", entry.description.input_s3_configuration->s3_bucket);
  write_text(json, "key", *entry.object);
  write_number(json, "itemIndex", place);
  json.end_object();
}

item_files::ExportFolder reports_folder(objects::ObjectStore& objects, const api::BulkEntry& entry) {
  const api::OutputS3Configuration& output = *entry.description.output_s3_configuration;
  return {objects, output.s3_bucket, output.s3_key_prefix, std::string(id_of(entry))};
}

/// Counts the files of all reports: an object is named by its number.
std::size_t files_in(const api::BulkEntry& entry) {
  std::size_t files = 0;
  for (const api::BulkReport& report : entry.reports) files += report.files.size();
  return files;
}

store::KeyWrite line_write(std::string key, kv::Value value) {
  return {.area = store::Area::of_face(bulk_lines_space), .key = std::move(key), .value = std::move(value)};
}

std::vector<item_files::ListedFile> listed_files(const api::BulkEntry& entry) {
  std::vector<item_files::ListedFile> files;
  for (const api::BulkReport& report : entry.reports) {
    for (const api::BulkReportFile& file : report.files)
      files.push_back({static_cast<std::uint64_t>(file.items), file.md5, file.etag, file.key,
                       std::string(to_string(report.type))});
  }
  return files;
}

std::string time_text(const std::optional<codec::Timestamp>& moment) {
  return base::format_time(moment->time());
}

std::string summary_text(const item_files::ExportFolder& folder, const api::BulkEntry& entry) {
  const api::BulkOperationDescription& description = entry.description;
  const api::OutputS3Configuration& output = *description.output_s3_configuration;
  std::string text;
  aws::JsonWriter json(text);
  json.begin_object();
  write_text(json, "bulkOperationArn", *description.bulk_operation_arn);
  write_text(json, "bulkOperationStatus", to_string(*description.bulk_operation_status));
  write_text(json, "startTime", time_text(description.start_time));
  write_text(json, "endTime", time_text(description.end_time));
  write_text(json, "tableArn", entry.table_arn);
  write_text(json, "tableId", entry.table_id);
  write_text(json, "s3Bucket", output.s3_bucket);
  write_optional(json, "s3Prefix", output.s3_key_prefix);
  write_text(json, "s3SseAlgorithm",
             to_string(output.s3_sse_algorithm.value_or(api::S3SseAlgorithm::aes256)));
  write_optional(json, "s3SseKmsKeyId", output.s3_sse_kms_key_id);
  write_text(json, "manifestFilesS3Key", folder.key_of(item_files::files_name));
  write_number(json, "processedItemCount", *description.processed_item_count);
  write_number(json, "failedItemCount", *description.failed_item_count);
  write_number(json, "conditionCheckFailureCount", entry.condition_failures);
  json.end_object();
  return text;
}

}  // namespace

BulkReportLine error_line(const api::BulkEntry& entry, std::int64_t place, std::string_view reason,
                          std::string_view item) {
  BulkReportLine line{api::OutputTypeEnum::error, ""};
  aws::JsonWriter json(line.text);
  begin_line(json, entry, line.type, place);
  json.key("errorMessages");
  json.begin_array();
  json.string(reason);
  json.end_array();
  if (!item.empty()) write_raw(json, "item", item);
  json.end_object();
  return line;
}

BulkReportLine condition_line(const api::BulkEntry& entry, std::int64_t place, std::string_view item,
                              std::optional<std::string_view> existing) {
  BulkReportLine line{api::OutputTypeEnum::condition_check_failure, ""};
  aws::JsonWriter json(line.text);
  begin_line(json, entry, line.type, place);
  write_raw(json, "item", item);
  if (existing) write_raw(json, "existingItem", *existing);
  json.end_object();
  return line;
}

void keep_line(api::BulkEntry& entry, const BulkReportLine& line, std::vector<store::KeyWrite>& writes) {
  const auto report = std::ranges::find(entry.reports, line.type, &api::BulkReport::type);
  if (report == entry.reports.end()) return;
  const auto index = static_cast<std::size_t>(report - entry.reports.begin());
  writes.push_back(line_write(bulk_line_key(key_of(entry), index, report->next_line), kv::Value(line.text)));
  ++report->next_line;
  report->pending_bytes += static_cast<std::int64_t>(line.text.size());
}

std::optional<std::size_t> report_to_write(const api::BulkEntry& entry, bool all) {
  const auto wanted = [all](const api::BulkReport& report) {
    return all ? report.next_line > report.first_line
               : report.pending_bytes >= static_cast<std::int64_t>(bulk_report_bytes);
  };
  const auto report = std::ranges::find_if(entry.reports, wanted);
  if (report == entry.reports.end()) return std::nullopt;
  return static_cast<std::size_t>(report - entry.reports.begin());
}

kv::Result<objects::Result<api::BulkEntry>> write_lines(const store::Store& store,
                                                        objects::ObjectStore& objects,
                                                        const api::BulkEntry& entry, std::size_t report,
                                                        std::vector<store::KeyWrite>& erasures) {
  std::string text;
  std::int64_t lines = 0;
  {
    DINETTE_TRY(const store::View view, store.view());
    const auto range = store::KeyRange::of_prefix(bulk_lines_prefix(key_of(entry), report));
    DINETTE_TRY(store::RowCursor kept, view.scan(bulk_lines_space, range, store::Direction::forward));
    for (;; ++lines) {
      DINETTE_TRY(const bool more, kept.next());
      if (!more) break;
      text.append(kept.value()).append("\n");
      erasures.push_back(line_write(std::string(kept.key()), {}));
    }
  }
  const item_files::ExportFolder folder = reports_folder(objects, entry);
  const std::string key = folder.key_of(folder.data_file_name(files_in(entry), ".json.gz"));
  auto file = folder.put_data_file(key, text);
  if (!file) return objects::Result<api::BulkEntry>(std::move(file).failure());
  api::BulkEntry listed = entry;
  api::BulkReport& changed = listed.reports[report];
  changed.files.push_back({lines, file->md5, file->etag, file->key});
  changed.first_line = changed.next_line;
  changed.pending_bytes = 0;
  return objects::Result<api::BulkEntry>(std::move(listed));
}

kv::Result<void> erase_lines(const store::Store& store, const api::BulkEntry& entry,
                             std::vector<store::KeyWrite>& erasures) {
  DINETTE_TRY(const store::View view, store.view());
  for (std::size_t report = 0; report < entry.reports.size(); ++report) {
    const auto range = store::KeyRange::of_prefix(bulk_lines_prefix(key_of(entry), report));
    DINETTE_TRY(store::RowCursor kept, view.scan(bulk_lines_space, range, store::Direction::forward));
    for (;;) {
      DINETTE_TRY(const bool more, kept.next());
      if (!more) break;
      erasures.push_back(line_write(std::string(kept.key()), {}));
    }
  }
  return {};
}

objects::Result<void> begin_reports(objects::ObjectStore& objects, const api::BulkEntry& entry) {
  return reports_folder(objects, entry).put(item_files::started_name, "");
}

objects::Result<void> finish_reports(objects::ObjectStore& objects, const api::BulkEntry& ended) {
  const item_files::ExportFolder folder = reports_folder(objects, ended);
  DINETTE_CHECK(begin_reports(objects, ended));  // which it may have been cancelled before
  DINETTE_CHECK(folder.put_manifest(item_files::files_name, item_files::files_digest_name,
                                    item_files::text_of(listed_files(ended))));
  return folder.put_manifest(item_files::summary_name, item_files::summary_digest_name,
                             summary_text(folder, ended));
}

}  // namespace dinette::dynamodb
