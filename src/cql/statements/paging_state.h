#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cql/data/row_scan.h"
#include "cql/error.h"

namespace dinette::cql::statements {

/// Where a page has ended (docs/service-keyspaces/dml.md section 4, Paging).
struct PagingState {
  std::uint64_t fingerprint = 0;  ///< of the statement and its values
  std::uint32_t subquery = 0;     ///< the number of the one that is to be continued
  bool begun = false;             ///< there is a position in it
  data::ReadPosition position{};
  std::uint64_t returned = 0;      ///< rows, of all pages so far
  std::uint64_t of_partition = 0;  ///< of them those of the last partition
};

std::string encode(const PagingState& state);
/// Fails with a protocol error unless it is one of a statement with that fingerprint.
Answer<PagingState> decode_paging_state(std::string_view bytes, std::uint64_t fingerprint);

}  // namespace dinette::cql::statements
