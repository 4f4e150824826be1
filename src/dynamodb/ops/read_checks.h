#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dynamodb/api/types.h"
#include "dynamodb/ops/context.h"
#include "dynamodb/ops/expression_families.h"
#include "dynamodb/ops/item_filter.h"
#include "dynamodb/ops/item_page.h"
#include "dynamodb/ops/item_selection.h"
#include "dynamodb/ops/open_table.h"
#include "dynamodb/ops/read_target.h"

/// Steps that Query and Scan share (facts: query-scan.md).
namespace dinette::dynamodb::ops {

/// Select against the projection and the index of the request, of which `projection` is the member that was
/// given (ProjectionExpression, AttributesToGet), if any. The operations word a missing projection in an
/// envelope or without it.
Answer<void> check_select(std::optional<api::Select> select, std::string_view projection, bool has_index,
                          Envelope missing_projection);

/// The index that is named, null for none; one that can be read now, and consistently if that is wanted.
Answer<const IndexSchema*> index_to_read(const Context& context, const OpenTable& table,
                                         const std::optional<std::string>& name, bool consistent);

/// Whether what the request wants of an index is there to be had: a global index answers with what it
/// projects or not at all, a local one can reach back to the table. Gives what for it has to.
Answer<ReachBack> check_reach(const ReadTarget& target, std::optional<api::Select> select,
                              const ItemSelection& selection, const ItemFilter& filter);

/// ProjectionExpression or AttributesToGet, whichever the request has; empty for neither.
template <class Input>
std::string_view projection_member(const Input& input) {
  if (input.projection_expression) return "ProjectionExpression";
  return input.attributes_to_get ? "AttributesToGet" : "";
}

/// The store's key that ExclusiveStartKey says. One that does not have the attributes of a position is told
/// `misfit`; its values are held to what holds for those of any key (facts: values.md section 4).
Answer<std::string> start_position(const ReadTarget& target, const model::Item& start,
                                   std::string_view misfit);

}  // namespace dinette::dynamodb::ops
