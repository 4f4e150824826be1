#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "tablestore/model/row.h"
#include "tablestore/model/table_meta.h"

namespace dinette::tablestore {

/// Most columns of a completed index key: four that were named, and all of the table's key.
inline constexpr std::size_t most_index_key_columns = 2 * most_key_columns;

/// Appends one column of a key, so that encoded bytes order as the values do: an Integer, String or Binary.
void append_key_value(std::string& out, const Value& value);

/// Returns the store's key of a row. The columns must be complete, and have values.
std::string encode_key(const PrimaryKey& key);

/// Returns the beginning of the keys of all rows with that partition key.
std::string encode_partition(const Value& partition_key);

/// Returns a partition key as messages show it.
std::string text_of(const Value& partition_key);

/// A key that was read from the store's. Owns its texts; its columns' names are those of the table.
class DecodedKey {
 public:
  DecodedKey() = default;
  DecodedKey(const DecodedKey&) = delete;
  DecodedKey& operator=(const DecodedKey&) = delete;

  /// Reads the columns at the beginning of `encoded`. Returns false if that is not possible. `columns` must
  /// outlive the key.
  bool read(std::string_view encoded, std::span<const KeyColumnMeta> columns);

  const PrimaryKey& key() const { return key_; }
  /// Returns how many bytes the columns took.
  std::size_t size() const { return size_; }

 private:
  PrimaryKey key_;
  std::array<std::string, most_index_key_columns> texts_;
  std::size_t size_ = 0;
};

/// Returns the bytes of a key as capacity units count them (tablestore/names-limits.md
/// section 5).
std::size_t size_of(const PrimaryKey& key);

}  // namespace dinette::tablestore
