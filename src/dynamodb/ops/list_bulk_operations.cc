#include "dynamodb/api/list_bulk_operations.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "dynamodb/api/bulk_operation_summary.h"
#include "dynamodb/bulk/bulk_entry.h"
#include "dynamodb/request/page_token.h"
#include "dynamodb/tables/open_table.h"

// docs/service/export-import.md section 3.
namespace dinette::dynamodb::ops {
namespace {

constexpr std::string_view list_of_bulk = "ListBulkOperations";
api::BulkOperationSummary summarize_bulk(const api::BulkOperationDescription& description) {
  return {*description.bulk_operation_arn, *description.bulk_operation_status, *description.start_time,
          description.end_time};
}

}  // namespace

Answer<api::ListBulkOperationsOutput> list_bulk_operations(const Context& context,
                                                           api::ListBulkOperationsInput&& input) {
  constexpr std::int32_t usual_page = 10;
  const auto limit = static_cast<std::size_t>(input.max_results.value_or(usual_page));
  store::KeyRange range;
  if (input.next_token) {
    const auto position = position_in(list_of_bulk, *input.next_token);
    if (!position) return validation("Invalid Request: Provided nextToken is invalid: " + *input.next_token);
    range.start_after(*position, store::Direction::forward);
  }
  api::ListBulkOperationsOutput output;
  auto& summaries = output.bulk_operations_summary_list.emplace();
  std::string last;
  const auto visit = [&](const api::BulkEntry& entry) {
    if (entry.account != context.account || is_over(entry, now(context))) return true;
    if (summaries.size() == limit) {
      output.next_token = page_token(list_of_bulk, last);
      return false;
    }
    summaries.push_back(summarize_bulk(entry.description));
    last = key_of(entry);
    return true;
  };
  const auto listed = for_each_bulk(context.store, range, visit);
  if (!listed) return storage_failure(listed.error());
  return output;
}

}  // namespace dinette::dynamodb::ops
