#include "dynamodb/api/list_bulk_operations.h"

#include <cstddef>

#include "dynamodb/api/bulk_operation_summary.h"
#include "dynamodb/bulk/bulk_entry.h"
#include "dynamodb/tasks/operation_page.h"

// docs/service/export-import.md section 3.
namespace dinette::dynamodb::ops {
namespace {

api::BulkOperationSummary summarize_bulk(const api::BulkOperationDescription& description) {
  return {*description.bulk_operation_arn, *description.bulk_operation_status, *description.start_time,
          description.end_time};
}

}  // namespace

Answer<api::ListBulkOperationsOutput> list_bulk_operations(const Context& context,
                                                           api::ListBulkOperationsInput&& input) {
  const auto limit = static_cast<std::size_t>(input.max_results.value_or(usual_operations_per_page));
  const auto admits = [&](const api::BulkEntry& entry) { return entry.account == context.account; };
  api::ListBulkOperationsOutput output;
  auto& summaries = output.bulk_operations_summary_list.emplace();
  const auto add = [&](const api::BulkEntry& entry) {
    summaries.push_back(summarize_bulk(entry.description));
  };
  DINETTE_TRY(output.next_token, list_operations<api::BulkEntry>(context, "ListBulkOperations",
                                                                 input.next_token, limit, admits, add));
  return output;
}

}  // namespace dinette::dynamodb::ops
