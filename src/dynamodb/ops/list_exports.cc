#include "dynamodb/api/list_exports.h"

#include <cstddef>
#include <optional>
#include <string>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/export_summary.h"
#include "dynamodb/exports/export_arn.h"
#include "dynamodb/exports/export_entry.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tasks/operation_page.h"

// docs/service/export-import.md section 1.
namespace dinette::dynamodb::ops {
namespace {

/// The table that the request names, if it is there now.
Answer<OpenTable> find_source(const Context& context, const std::string& arn) {
  DINETTE_CHECK(check_source_arn(context, arn));
  return is_in_region(context, arn) ? find_table(context, arn) : OpenTable();
}

api::ExportSummary summarize_export(const api::ExportEntry& entry) {
  const api::ExportDescription& description = entry.description;
  return {description.export_arn, description.export_status,
          description.export_type.value_or(api::ExportType::full_export)};
}

}  // namespace

Answer<api::ListExportsOutput> list_exports(const Context& context, api::ListExportsInput&& input) {
  const auto limit = static_cast<std::size_t>(input.max_results.value_or(usual_operations_per_page));
  api::ListExportsOutput output;
  auto& summaries = output.export_summaries.emplace();
  std::optional<std::string> table_id;
  if (input.table_arn) {
    DINETTE_TRY(const OpenTable table, find_source(context, *input.table_arn));
    if (table.table) table_id = table.record().table_id;
  }
  const auto admits = [&](const api::ExportEntry& entry) {
    return !input.table_arn || (table_id && entry.description.table_id == table_id);
  };
  const auto add = [&](const api::ExportEntry& entry) { summaries.push_back(summarize_export(entry)); };
  DINETTE_TRY(output.next_token, list_operations<api::ExportEntry>(context, "ListExports", input.next_token,
                                                                   limit, admits, add));
  return output;
}

}  // namespace dinette::dynamodb::ops
