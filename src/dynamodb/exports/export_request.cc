#include "dynamodb/exports/export_request.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/base/time_text.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/backups/restore.h"
#include "dynamodb/exports/export_arn.h"
#include "dynamodb/request/request_digest.h"
#include "dynamodb/tables/recovery.h"

namespace dinette::dynamodb {
namespace {

using Input = api::ExportTableToPointInTimeInput;

base::Failure<ApiError> invalid_time(std::string message) {
  return base::Failure{ApiError{api::ErrorCode::invalid_export_time_exception, std::move(message)}};
}

bool is_key_id(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ':' ||
           c == '/' || c == '_' || c == '-';
  });
}

Answer<void> check_type_members(const Input& input) {
  const auto& specification = input.incremental_export_specification;
  if (specification && !input.export_type) {
    return invalid_request(
        "Export Type expected to be Incremental Export when incremental export specification is provided");
  }
  const bool incremental = input.export_type == api::ExportType::incremental_export;
  if (specification && !incremental) {
    return invalid_request(
        "When Export Type is Full Export , Incremental Export Specification should not be provided");
  }
  if (!incremental) return {};
  if (!specification) {
    return invalid_request(
        "Incremental Export Specification expected when export type is set as Incremental Export");
  }
  if (specification->export_from_time) return {};
  return invalid_request("ExportFromTime must be provided in IncrementalExportSpecification");
}

Answer<void> check_recovery(const api::TableRecord& table) {
  if (table.recovery) return {};
  return base::Failure{
      ApiError{api::ErrorCode::point_in_time_recovery_unavailable_exception,
               "Point in time recovery is not enabled for table '" + table.table_name + "'"}};
}

base::Failure<ApiError> not_available() {
  return invalid_time("Point in Time Recovery is not available for specified export time");
}

/// Returns `2026-10-08T22:51:50Z`.
std::string to_seconds(codec::Timestamp moment) {
  const std::string text = base::format_time(moment.time());
  return text.substr(0, text.find('.')) + "Z";
}

Answer<codec::Timestamp> full_export_time(const Context& context, const Input& input,
                                          const api::TableRecord& table) {
  DINETTE_CHECK(check_recovery(table));
  if (!input.export_time) return codec::Timestamp(context.now);
  const RecoveryWindow window =
      recovery_window(*table.recovery, context.now, context.settings.recovery_window);
  const codec::Timestamp wanted = *input.export_time;
  if (wanted > context.now || wanted < window.earliest) return invalid_time("Export Time is invalid");
  if (wanted > window.latest) return not_available();
  return *input.export_time;
}

Answer<api::IncrementalExportSpecification> incremental_window(const Context& context, const Input& input,
                                                               const api::TableRecord& table) {
  constexpr std::chrono::milliseconds shortest = std::chrono::minutes(15);
  constexpr std::chrono::milliseconds longest = std::chrono::hours(24);
  api::IncrementalExportSpecification window = *input.incremental_export_specification;
  const codec::Timestamp from = *window.export_from_time;
  // A table is created at a moment, but times are sent as whole seconds.
  if (from < table.created.whole_seconds()) {
    return invalid_time("Incremental export period from time cannot be less than the table creation time : " +
                        to_seconds(from));
  }
  DINETTE_CHECK(check_recovery(table));
  const RecoveryWindow recovery =
      recovery_window(*table.recovery, context.now, context.settings.recovery_window);
  if (!window.export_to_time) window.export_to_time = recovery.latest;
  const codec::Timestamp to = *window.export_to_time;
  if (to > context.now) {
    return invalid_time("Incremental export period to time cannot be greater than the current time : " +
                        to_seconds(to));
  }
  const std::chrono::milliseconds period = to - from;
  if (period < shortest) {
    return invalid_time(
        "Difference between export period from time and export period to time is less than 15 minutes");
  }
  if (period > longest) {
    return invalid_time(
        "Difference between export period from time and export period to time is greater than 24 hours");
  }
  if (from < recovery.earliest || to > recovery.latest) return not_available();
  if (!window.export_view_type) window.export_view_type = api::ExportViewType::new_and_old_images;
  return window;
}

void add(RequestDigest& digest, const std::optional<codec::Timestamp>& moment) {
  digest.add(moment ? std::to_string(moment->milliseconds) : "");
}

template <class Enum>
void add(RequestDigest& digest, const std::optional<Enum>& value) {
  digest.add(value ? to_string(*value) : "");
}

}  // namespace

Answer<void> check_encryption(std::optional<api::S3SseAlgorithm> algorithm,
                              const std::optional<std::string>& kms_key_id) {
  if (!kms_key_id) return {};
  if (algorithm != api::S3SseAlgorithm::kms)
    return invalid_request("KMS Key Id is not supported for this encryption type");
  if (is_key_id(*kms_key_id)) return {};
  return invalid_request("1 validation error detected: Value '" + *kms_key_id +
                         "' at 's3SseKmsKeyId' failed to satisfy constraint: Member must satisfy regular "
                         "expression pattern: [a-zA-Z0-9:/_-]+");
}

Answer<std::unique_ptr<const ExportFilter>> check_export_members(const Context& context, const Input& input) {
  DINETTE_CHECK(check_source_arn(context, input.table_arn));
  DINETTE_CHECK(check_encryption(input.s3_sse_algorithm, input.s3_sse_kms_key_id));
  DINETTE_CHECK(check_type_members(input));
  if (!input.filter_specification) return std::unique_ptr<const ExportFilter>();
  return ExportFilter::make(*input.filter_specification);
}

Answer<ExportTimes> export_times(const Context& context, const Input& input, const api::TableRecord& table) {
  if (!input.incremental_export_specification) {
    DINETTE_TRY(const codec::Timestamp time, full_export_time(context, input, table));
    return ExportTimes{time, std::nullopt};
  }
  DINETTE_TRY(api::IncrementalExportSpecification window, incremental_window(context, input, table));
  return ExportTimes{std::nullopt, std::move(window)};
}

base::Sha256Digest digest_of(const Input& input) {
  RequestDigest digest("ExportTableToPointInTime");
  digest.add(input.table_arn);
  digest.add(input.s3_bucket);
  digest.add_optional(input.s3_bucket_owner);
  digest.add_optional(input.s3_prefix);
  digest.add_optional(input.s3_sse_kms_key_id);
  add(digest, input.s3_sse_algorithm);
  add(digest, input.export_format);
  add(digest, input.export_type);
  add(digest, input.export_time);
  const auto window = input.incremental_export_specification.value_or(api::IncrementalExportSpecification());
  add(digest, window.export_from_time);
  add(digest, window.export_to_time);
  add(digest, window.export_view_type);
  if (const auto& filter = input.filter_specification) {
    digest.add_optional(filter->filter_expression);
    digest.add_optional(filter->projection_expression);
    digest.add_optional(filter->key_condition_expression);
    digest.add(filter->expression_attribute_names);
    digest.add(filter->expression_attribute_values);
  }
  return digest.finish();
}

}  // namespace dinette::dynamodb
