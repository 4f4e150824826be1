#pragma once

#include "tablestore/api/parallel_scan.h"
#include "tablestore/request/context.h"
#include "tablestore/search/search_target.h"

namespace dinette::tablestore::search {

/// Returns the next rows of a scan, in the order of their keys.
Answer<api::ParallelScanResponse> run(const Context& context, const SearchTarget& target,
                                      const api::ScanQuery& query, const api::ParallelScanRequest& request);

}  // namespace dinette::tablestore::search
