#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/store/placement.h"

#include "cql/schema/schema.h"

/// Keys of the store (src/cql/FORMAT.md, Rows): the token of a partition, its key, then one byte; of rows
/// their clustering columns follow.
namespace dinette::cql::data {

/// Returns the beginning of all keys of a partition; `values` are those of its key's columns.
std::string partition_prefix(std::span<const std::string_view> values);

/// Returns the key of what a partition has besides rows.
std::string partition_record_key(std::string_view prefix);
/// Returns the beginning of the keys of a partition's rows.
std::string rows_prefix(std::string_view prefix);
/// Makes a partition_prefix() the key of a row: `part` is clustering_part() of its values.
void make_row_key(std::string& prefix, std::string_view part);

/// Returns the part of a row's key that follows rows_prefix(): of all clustering columns, or of the first
/// ones for the beginning of the keys of several rows.
std::string clustering_part(const schema::Table& table, std::span<const std::string_view> values);

/// A key that was read. Views are of it, and of this.
struct ReadKey {
  std::string partition_key{};                ///< as token.h makes it
  std::vector<std::string_view> partition{};  ///< values of the key's columns
  std::size_t prefix_size = 0;                ///< of the partition's part of the key
  bool is_row = false;                        ///< or what the partition has besides
};

/// Reads a key into `out`. Returns false if it is none.
bool read_key(const schema::Table& table, std::string_view key, ReadKey& out);

/// Returns the keys of partitions whose tokens lie between two, both included; nothing for none.
std::optional<store::KeyRange> token_range(std::int64_t first, std::int64_t last);

/// Returns the token of the partition that a key belongs to.
std::int64_t token_at(std::string_view key);

}  // namespace dinette::cql::data
