#include "tablestore/api/compute_splits.h"

#include "tablestore/api/refusals.h"
#include "tablestore/search/scan_session.h"
#include "tablestore/search/search_target.h"

// tablestore/search-index.md section 1
namespace dinette::tablestore::ops {

Answer<api::ComputeSplitsResponse> compute_splits(const Context& context,
                                                  api::ComputeSplitsRequest&& request) {
  if (!request.search_index_splits_options) return refuse::missing_splits_options();
  DINETTE_CHECK(search::open_search_index(context, request.table_name,
                                          request.search_index_splits_options->index_name));
  return api::ComputeSplitsResponse{.session_id = search::ScanSession{context.now}.encode(),
                                    .splits_size = search::most_parallel_scans};
}

}  // namespace dinette::tablestore::ops
