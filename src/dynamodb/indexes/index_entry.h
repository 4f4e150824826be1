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
  std::string key;   ///< the store's key of the entry
  std::size_t size;  ///< of the projected attributes, as the service counts them
};

/// Returns nothing if the item is not in the index (docs/service/indexes.md section 2): a key attribute is
/// missing, or has an invalid value, as in rows that are older than the index.
std::optional<IndexEntry> index_entry(const TableSchema& schema, const IndexSchema& index,
                                      const ItemImage& image, EntryKeys& keys);

/// The record of that entry: the projected attributes, as they are in the item's; the item's own record
/// where everything is projected.
kv::Value entry_record(const TableSchema& schema, const IndexSchema& index, const ItemImage& image,
                       const IndexEntry& entry);

/// Returns true if the records of two items' entries say the same.
bool same_entry_records(const TableSchema& schema, const IndexSchema& index, const ItemImage& a,
                        const ItemImage& b);

/// Returns the size of an item of `size` bytes for the item size limit: with its entries in the table's local
/// indexes (docs/service/values.md section 6, "Other size limits"; all of them together: "Item size for
/// tables with local secondary indexes" of the developer guide). Of `item` TableSchema::indexed_attributes()
/// suffice.
std::size_t size_with_local_entries(const TableSchema& schema, const model::Item& item, std::size_t size);

}  // namespace dinette::dynamodb
