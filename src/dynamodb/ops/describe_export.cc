#include "dynamodb/api/describe_export.h"

#include <utility>

#include "dynamodb/exports/export_arn.h"
#include "dynamodb/exports/export_entry.h"
#include "dynamodb/tables/open_table.h"

// docs/service/export-import.md section 1.
namespace dinette::dynamodb::ops {

Answer<api::DescribeExportOutput> describe_export(const Context& context, api::DescribeExportInput&& input) {
  DINETTE_TRY(const ExportArn arn, parse_export_arn(context, input.export_arn));
  DINETTE_STORED(const store::View view, context.store.view());
  DINETTE_STORED(auto entry, read_entry<api::ExportEntry>(view, export_key(arn.table_arn, arn.id)));
  if (!entry || is_over(*entry, context.now)) return export_not_found(arn.text);
  return api::DescribeExportOutput{std::move(entry->description)};
}

}  // namespace dinette::dynamodb::ops
