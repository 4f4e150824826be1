#include "tablestore/search/parallel_scan.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/search/query.h"
#include "tablestore/search/row_columns.h"
#include "tablestore/search/scan.h"
#include "tablestore/search/scan_session.h"

namespace dinette::tablestore::search {
namespace {

Answer<void> check_parallel(const api::ScanQuery& query) {
  const std::int32_t most = query.max_parallel.value_or(1);
  const std::int32_t current = query.current_parallel_id.value_or(0);
  if (most < 1 || most > most_parallel_scans) return refuse::invalid_max_parallel(most_parallel_scans, most);
  if (current < 0 || current >= most) return refuse::invalid_parallel_id(most, current);
  return {};
}

/// A scan reads what the index has; a client that asks for no columns gets keys.
Answer<void> check_scanned_columns(const std::optional<api::ColumnsToGet>& columns) {
  if (columns && columns->return_type == api::ColumnReturnType::all) return refuse::scan_of_all_columns();
  return {};
}

Answer<ScanSession> session_of(const Context& context, std::string_view text) {
  const auto session = ScanSession::decode(text);
  if (!session || session->expired(context.now)) return refuse::scan_session_expired();
  return *session;
}

/// A scan without a session is one of a single request at a time.
Answer<ScanSession> open_session(const Context& context, const api::ScanQuery& query,
                                 const api::ParallelScanRequest& request) {
  ScanSession session{context.now};
  const std::string_view token = query.token.value_or(std::string_view());
  if (!token.empty()) {
    DINETTE_TRY(session, session_of(context, token));
  } else if (request.session_id && !request.session_id->empty()) {
    DINETTE_TRY(session, session_of(context, *request.session_id));
  }
  session.used = context.now;
  if (query.alive_time && *query.alive_time > 0) session.lifetime = std::chrono::seconds(*query.alive_time);
  return session;
}

}  // namespace

Answer<api::ParallelScanResponse> run(const Context& context, const SearchTarget& target,
                                      const api::ScanQuery& query, const api::ParallelScanRequest& request) {
  DINETTE_CHECK(check_parallel(query));
  DINETTE_CHECK(check_scanned_columns(request.columns_to_get));
  DINETTE_TRY(ScanSession session, open_session(context, query, request));
  DINETTE_TRY(const RowColumns columns,
              RowColumns::read(request.columns_to_get, target.schema, context.switches));
  api::Query everything{.type = api::QueryType::match_all};
  DINETTE_TRY(const Condition condition, read_query(query.query.value_or(everything), target.schema));
  const std::int32_t most = limits::scan_page;
  const auto limit = static_cast<std::size_t>(std::clamp(query.limit.value_or(most), 1, most));
  DINETTE_TABLESTORE_STORED(const store::View view, context.store.view());
  std::vector<std::string> rows;
  const auto take = [&](Document&& document) {
    rows.push_back(std::move(document.row_key));
    return rows.size() <= limit;
  };
  DINETTE_CHECK(scan(context, view, target, condition, session.last_row, take));
  api::ParallelScanResponse response;
  const bool more = rows.size() > limit;
  if (more) rows.pop_back();
  for (const std::string& row_key : rows) {
    DINETTE_TRY(std::string row, columns.row(view, context.now, target.rows, row_key));
    response.rows.push_back(std::move(row));
  }
  if (more) {
    session.last_row = rows.back();
    response.next_token = session.encode();
  }
  return response;
}

}  // namespace dinette::tablestore::search
