#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dynamodb/api/update_table.h"
#include "dynamodb/request/api_error.h"

/// What an UpdateTable asks for (docs/service/tables.md section 4).
namespace dinette::dynamodb {

/// Checks what does not depend on the table: that there are changes, and that they can be
/// combined.
Answer<void> check_update_request(const api::UpdateTableInput& input);

/// Returns true for a change of billing mode or throughput, which the service calls "table IOPS".
bool changes_throughput(const api::UpdateTableInput& input);

bool updates_global_indexes(const api::UpdateTableInput& input);
bool updates_vector_indexes(const api::UpdateTableInput& input);
bool updates_indexes(const api::UpdateTableInput& input);

/// What an UpdateTable asks for one index.
struct IndexAction {
  enum class Kind : std::uint8_t { create, change, remove };

  std::string_view name;
  Kind kind;
  bool vector;
};

/// Returns what it asks for: first of global indexes. Refers to the request, which must have passed
/// check_update_request.
std::vector<IndexAction> index_actions(const api::UpdateTableInput& input);
bool creates_or_deletes_indexes(const api::UpdateTableInput& input);

/// The change takes its time, or even makes the table UPDATING meanwhile. Only deletion protection takes
/// effect at once.
bool takes_time(const api::UpdateTableInput& input);
bool makes_table_updating(const api::UpdateTableInput& input);

}  // namespace dinette::dynamodb
