#include "dynamodb/api/describe_import.h"

#include <string>
#include <utility>

#include "dynamodb/imports/import_arn.h"
#include "dynamodb/imports/import_entry.h"
#include "dynamodb/tables/open_table.h"

// docs/service/export-import.md section 2.
namespace dinette::dynamodb::ops {

Answer<api::DescribeImportOutput> describe_import(const Context& context, api::DescribeImportInput&& input) {
  DINETTE_TRY(const std::string key, key_in_import_arn(context, input.import_arn));
  DINETTE_STORED(const store::View view, context.store.view());
  DINETTE_STORED(auto entry, read_entry<api::ImportEntry>(view, key));
  if (!entry || is_over(*entry, context.now)) {
    return base::Failure{ApiError{api::ErrorCode::import_not_found_exception,
                                  "Import not found: Import not found: " + input.import_arn}};
  }
  return api::DescribeImportOutput{std::move(entry->description)};
}

}  // namespace dinette::dynamodb::ops
