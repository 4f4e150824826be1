#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dynamodb/api/enums.h"
#include "dynamodb/reads/item_filter.h"
#include "dynamodb/reads/item_page.h"
#include "dynamodb/reads/item_selection.h"
#include "dynamodb/reads/read_target.h"
#include "dynamodb/request/context.h"
#include "dynamodb/tables/open_table.h"

/// Steps that Query and Scan share (docs/service/query-scan.md).
namespace dinette::dynamodb {

/// Checks Select against the projection and the index of the request, where `projection` is the member that
/// was given (ProjectionExpression, AttributesToGet), if any.
Answer<void> check_select(const Context& context, std::optional<api::Select> select,
                          std::string_view projection, bool has_index);

/// Returns the index that is named, null for none. Refuses one that cannot be read now, or not consistently
/// if that is asked for, or only searched (docs/service/vector-search.md, "Query, Scan, PartiQL").
Answer<const IndexSchema*> index_to_read(const Context& context, const OpenTable& table,
                                         const std::optional<std::string>& name, bool consistent,
                                         bool by_key_condition);

/// Returns the index of vectors of that name. Refuses one that is not filled yet.
Answer<const IndexSchema*> index_to_search(const Context& context, const OpenTable& table,
                                           const std::string& name);

/// Returns for what, if anything, each row's item must be fetched from the table. Refuses to ask a global
/// index for attributes that it does not project; for a local one they are fetched.
Answer<ReachBack> reach_back_of(const ReadTarget& target, std::optional<api::Select> select,
                                const ItemSelection& selection, const ItemFilter& filter);

/// Returns ProjectionExpression or AttributesToGet, whichever the request has; empty for neither.
template <class Input>
std::string_view projection_member(const Input& input) {
  if (input.projection_expression) return "ProjectionExpression";
  return input.attributes_to_get ? "AttributesToGet" : "";
}

/// The attributes of the key that is queried belong into the key condition.
Answer<void> check_filter_leaves_key(const ReadTarget& target, const ItemFilter& filter);

inline constexpr std::string_view invalid_start_key = "The provided starting key is invalid";

/// Checks the values of ExclusiveStartKey as far as that needs no table.
Answer<void> check_start_values(const std::optional<codec::ItemInput>& start);

/// How an operation words what does not fit the schema in a start key (docs/service/query-scan.md section 2).
struct StartKeyWording {
  std::string_view other_attributes;  ///< some are missing, or there are more
  std::string_view other_types;
};

/// Returns the store's key of ExclusiveStartKey. Its values must be as those of any key
/// (docs/service/values.md section 4).
Answer<std::string> start_position(const ReadTarget& target, const model::Item& start,
                                   const StartKeyWording& wording);

}  // namespace dinette::dynamodb
