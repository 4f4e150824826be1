#include "dynamodb/api/describe_bulk_operation.h"

#include <string>
#include <utility>

#include "dynamodb/bulk/bulk_arn.h"
#include "dynamodb/bulk/bulk_entry.h"
#include "dynamodb/tables/open_table.h"

// docs/service/export-import.md section 3.
namespace dinette::dynamodb::ops {

Answer<api::DescribeBulkOperationOutput> describe_bulk_operation(const Context& context,
                                                                 api::DescribeBulkOperationInput&& input) {
  DINETTE_TRY(const std::string key, key_in_bulk_arn(context, input.bulk_operation_arn));
  DINETTE_STORED(const store::View view, context.store.view());
  DINETTE_STORED(auto entry, read_entry<api::BulkEntry>(view, key));
  if (!entry || is_over(*entry, context.now)) return bulk_not_found(input.bulk_operation_arn);
  return api::DescribeBulkOperationOutput{std::move(entry->description)};
}

}  // namespace dinette::dynamodb::ops
