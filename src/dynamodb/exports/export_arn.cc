#include "dynamodb/exports/export_arn.h"

#include <string>

#include "dinette/aws/arn.h"
#include "dinette/aws/region.h"

#include "dynamodb/model/resource_arn.h"

namespace dinette::dynamodb {
namespace {

base::Failure<ApiError> access_denied() {
  return base::Failure{ApiError{api::ErrorCode::access_denied_exception, "Access is denied"}};
}

base::Failure<ApiError> not_found(const std::string& sentence) {
  return base::Failure{ApiError{api::ErrorCode::export_not_found_exception, "Export not found: " + sentence}};
}

}  // namespace

base::Failure<ApiError> export_not_found(std::string_view arn) {
  return not_found("Export not found: " + std::string(arn));
}

Answer<ExportArn> parse_export_arn(const Context& context, std::string_view text) {
  constexpr std::string_view part = "export/";
  const auto arn = aws::parse_arn(text);
  if (!arn) return validation("Invalid Export ARN");
  if (arn->account != context.account) return access_denied();
  const auto table = model::parse_table_resource(arn->resource);
  const bool of_service = arn->service == "dynamodb" && arn->partition == aws::partition_of(arn->region);
  if (!table || !table->part.starts_with(part) || !of_service) return validation("Invalid Export ARN");
  const std::string_view id = table->part.substr(part.size());
  if (!model::is_dated_id(id)) return validation("Invalid Export ARN");
  if (arn->region != context.region) return not_found("Invalid export arn");
  return ExportArn{text, text.substr(0, text.size() - id.size() - part.size() - 1), id};
}

Answer<void> check_source_arn(const Context& context, std::string_view text) {
  const auto arn = aws::parse_arn(text);
  const auto table = arn ? model::parse_table_resource(arn->resource) : std::nullopt;
  if (!table || arn->service != "dynamodb") return invalid("tableArn is not a valid ARN");
  if (arn->account != context.account) return access_denied();
  return table->part.empty() ? Answer<void>() : validation("Invalid Request: Table ARN is invalid.");
}

bool is_in_region(const Context& context, std::string_view arn) {
  return aws::parse_arn(arn)->region == context.region;
}

}  // namespace dinette::dynamodb
