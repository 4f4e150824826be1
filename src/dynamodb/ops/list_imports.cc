#include "dynamodb/api/list_imports.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "dynamodb/api/import_summary.h"
#include "dynamodb/imports/import_entry.h"
#include "dynamodb/request/page_token.h"
#include "dynamodb/tables/open_table.h"

// docs/service/export-import.md section 2.
namespace dinette::dynamodb::ops {
namespace {

constexpr std::string_view operation = "ListImports";
constexpr std::int32_t usual_page = 10;

Answer<store::KeyRange> range_after(const std::optional<std::string>& token) {
  store::KeyRange range;
  if (!token) return range;
  const auto position = position_in(operation, *token);
  if (!position) return validation("Invalid Request: Provided nextToken is invalid: " + *token);
  range.start_after(*position, store::Direction::forward);
  return range;
}

api::ImportSummary summarize(const api::ImportTableDescription& import) {
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
  const auto limit = static_cast<std::size_t>(input.page_size.value_or(usual_page));
  DINETTE_TRY(const store::KeyRange range, range_after(input.next_token));
  DINETTE_STORED(const store::View view, context.store.view());
  DINETTE_STORED(store::RowCursor entries, view.scan(imports_space, range, store::Direction::forward));
  api::ListImportsOutput output;
  auto& summaries = output.import_summary_list.emplace();
  for (std::string last;;) {
    DINETTE_STORED(const bool more, entries.next());
    if (!more) return output;
    DINETTE_STORED(const api::ImportEntry entry, decode_import(entries.value()));
    const bool asked_for = !input.table_arn || entry.description.table_arn == input.table_arn;
    if (!asked_for || entry.account != context.account || is_over(entry, now(context))) continue;
    if (summaries.size() == limit) {
      output.next_token = page_token(operation, last);
      return output;
    }
    summaries.push_back(summarize(entry.description));
    last = entries.key();
  }
}

}  // namespace dinette::dynamodb::ops
