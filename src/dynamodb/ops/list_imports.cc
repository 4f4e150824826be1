#include "dynamodb/api/list_imports.h"

#include <cstddef>

#include "dynamodb/api/import_summary.h"
#include "dynamodb/imports/import_entry.h"
#include "dynamodb/tasks/operation_page.h"

// docs/service/export-import.md section 2.
namespace dinette::dynamodb::ops {
namespace {

api::ImportSummary summarize_import(const api::ImportTableDescription& import) {
  return {import.import_arn,
          import.import_status,
          import.table_arn,
          import.s3_bucket_source,
          import.cloud_watch_log_group_arn,
          import.input_format,
          import.start_time,
          import.end_time};
}

}  // namespace

Answer<api::ListImportsOutput> list_imports(const Context& context, api::ListImportsInput&& input) {
  const auto limit = static_cast<std::size_t>(input.page_size.value_or(usual_operations_per_page));
  const auto admits = [&](const api::ImportEntry& entry) {
    const bool asked_for = !input.table_arn || entry.description.table_arn == input.table_arn;
    return asked_for && entry.account == context.account;
  };
  api::ListImportsOutput output;
  auto& summaries = output.import_summary_list.emplace();
  const auto add = [&](const api::ImportEntry& entry) {
    summaries.push_back(summarize_import(entry.description));
  };
  DINETTE_TRY(output.next_token, list_operations<api::ImportEntry>(context, "ListImports", input.next_token,
                                                                   limit, admits, add));
  return output;
}

}  // namespace dinette::dynamodb::ops
