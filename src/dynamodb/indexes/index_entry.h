#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "dinette/kv/value.h"

#include "dynamodb/indexes/index_key.h"
#include "dynamodb/items/item_image.h"
#include "dynamodb/model/attribute_value.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// What an index holds of an item.
struct IndexEntry {
  std::string key;          ///< the store's key of the entry
  std::size_t size;         ///< of the projected attributes, as the service counts them
  std::string vector = {};  ///< the floats of an index of vectors
};

/// Returns nothing if the item is not in the index (docs/service/indexes.md section 2, vector-search.md,
/// "Writes to a vector-indexed table"): a key attribute or the vector is missing, or has an invalid value, as
/// in rows that are older than the index.
std::optional<IndexEntry> index_entry(const TableSchema& schema, const IndexSchema& index,
                                      const ItemImage& image, EntryKeys& keys);

/// The value of that entry: a record of the projected attributes, as they are in the item's; the item's own
/// record where everything is projected. In an index of vectors it follows the vector (vector_entry.h).
kv::Value entry_record(const TableSchema& schema, const IndexSchema& index, const ItemImage& image,
                       const IndexEntry& entry);

/// Returns true if the records of two items' entries say the same, whatever the vectors.
bool same_entry_records(const TableSchema& schema, const IndexSchema& index, const ItemImage& a,
                        const ItemImage& b);

/// Returns the size of an item that a write is charged by: a vector counts as the floats that indexes keep of
/// it (docs/service/vector-search.md, "Capacity").
std::size_t written_size(const TableSchema& schema, const ItemImage& image);

/// Returns the size of an item of `size` bytes for the item size limit: with its entries in the table's local
/// indexes (docs/service/values.md section 6, "Other size limits"; all of them together: "Item size for
/// tables with local secondary indexes" of the developer guide). Of `item` TableSchema::indexed_attributes()
/// suffice.
std::size_t size_with_local_entries(const TableSchema& schema, const model::Item& item, std::size_t size);

}  // namespace dinette::dynamodb
