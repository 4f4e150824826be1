#include "tablestore/api/parallel_scan.h"

#include "dinette/base/waiting.h"

#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_reader.h"
#include "tablestore/search/parallel_scan.h"

// tablestore/search-index.md section 1
namespace dinette::tablestore::ops {

Answer<api::ParallelScanResponse> parallel_scan(const Context& context, api::ParallelScanRequest&& request) {
  if (!base::may_wait()) return must_wait();
  const auto query = codec::decode_message<api::ScanQuery>(request.scan_query.value_or(std::string_view()));
  if (!query) return refuse::unreadable_message();
  DINETTE_TRY(const auto target, search::open_search_index(context, request.table_name, request.index_name));
  return search::run(context, target, *query, request);
}

}  // namespace dinette::tablestore::ops
