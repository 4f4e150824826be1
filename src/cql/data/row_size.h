#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "dinette/cql/row_size.h"

#include "cql/data/record.h"
#include "cql/schema/schema.h"

/// Sizes as quotas and units count them. Tombstones count like nulls, until they are removed.
namespace dinette::cql::data {

inline constexpr std::size_t most_row_bytes = 1'048'576;
inline constexpr std::size_t most_static_bytes = 1'048'576;

/// Returns the sizes that tables count of their rows and static data: by the earlier formula, without what
/// timestamps add, because formula and timestamps can be chosen later.
std::size_t counted_size(std::span<const std::string_view> partition, const Row& row);
std::size_t counted_static_size(std::span<const std::string_view> partition, const Cells& statics);

/// Returns the size of a row; `partition` are the values of its partition key.
RowSize row_size(const schema::Table& table, SizeFormula formula, std::span<const std::string_view> partition,
                 const Row& row);

/// Returns the size of the static data of a partition, which is the same by both formulas: 0 without any.
RowSize static_size(const schema::Table& table, std::span<const std::string_view> partition,
                    const Cells& statics);

}  // namespace dinette::cql::data
