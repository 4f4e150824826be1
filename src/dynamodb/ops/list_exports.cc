#include "dynamodb/api/list_exports.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/base64.h"
#include "dinette/base/sha256.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/export_summary.h"
#include "dynamodb/exports/export_arn.h"
#include "dynamodb/exports/export_listing.h"
#include "dynamodb/tables/export_entry.h"
#include "dynamodb/tables/open_table.h"

// docs/service/export-import.md section 1.
namespace dinette::dynamodb::ops {
namespace {

constexpr std::size_t digest_bytes = 16;

/// Returns the digest of a token of this operation.
std::string digest_of(std::string_view key) {
  const base::Sha256Digest digest = base::sha256("ListExports " + std::string(key));
  return {digest.begin(), digest.begin() + digest_bytes};
}

/// Returns a token, which is only a position: the key of the last listed export.
std::string token_of(const std::string& key) {
  return base::base64_encode(digest_of(key) + key);
}

Answer<std::string> read_token(const std::string& token) {
  const auto bytes = base::base64_decode(token);
  if (bytes && bytes->size() > digest_bytes && bytes->starts_with(digest_of(bytes->substr(digest_bytes))))
    return bytes->substr(digest_bytes);
  return validation("Invalid Request: Provided nextToken is invalid: " + token + " for ListExports");
}

/// The table that the request names, if it is there now.
Answer<OpenTable> find_source(const Context& context, const std::string& arn) {
  DINETTE_CHECK(check_source_arn(context, arn));
  return is_in_region(context, arn) ? find_table(context, arn) : OpenTable();
}

api::ExportSummary summarize(const api::ExportEntry& entry) {
  const api::ExportDescription& description = entry.description;
  return {description.export_arn, description.export_status,
          description.export_type.value_or(api::ExportType::full_export)};
}

}  // namespace

Answer<api::ListExportsOutput> list_exports(const Context& context, api::ListExportsInput&& input) {
  constexpr std::int32_t usual_page = 10;
  const auto limit = static_cast<std::size_t>(input.max_results.value_or(usual_page));
  store::KeyRange range;
  if (input.next_token) {
    DINETTE_TRY(const std::string after, read_token(*input.next_token));
    range.start_after(after, store::Direction::forward);
  }
  api::ListExportsOutput output;
  auto& summaries = output.export_summaries.emplace();
  std::optional<std::string> table_id;
  if (input.table_arn) {
    DINETTE_TRY(const OpenTable table, find_source(context, *input.table_arn));
    if (!table.table) return output;
    table_id = table.record().table_id;
  }
  std::string last;
  const auto visit = [&](const api::ExportEntry& entry) {
    if (is_over(entry, now(context)) || (table_id && entry.description.table_id != table_id)) return true;
    if (summaries.size() == limit) {
      output.next_token = token_of(last);
      return false;
    }
    summaries.push_back(summarize(entry));
    last = key_of(entry);
    return true;
  };
  const auto listed = for_each_export(context.store, range, visit);
  if (!listed) return storage_failure(listed.error());
  return output;
}

}  // namespace dinette::dynamodb::ops
