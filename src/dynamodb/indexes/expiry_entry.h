#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/kv/error.h"
#include "dinette/kv/value.h"
#include "dinette/store/placement.h"
#include "dinette/store/row.h"

#include "dynamodb/items/item_image.h"
#include "dynamodb/tables/table_schema.h"

/// The index of a table by the ends of its items' time to live (docs/service/ttl-tags.md section 1;
/// FORMAT.md). It is written with the items, so that expired ones are found without looking at the others.
namespace dinette::dynamodb {

/// Milliseconds since 1970.
using ExpiryTime = std::uint64_t;

/// Returns when the item's time to live ends; nothing if it never does: the table's attribute is missing, is
/// no number, or too large or negative. `record` may be null, and the table may have no time to live.
kv::Result<std::optional<ExpiryTime>> expiry_of(const TableSchema& schema, const kv::Value& record);

/// Returns true if an item that ends then is deleted at `now`: neither too early, nor so late that the
/// service takes it for a mistake.
bool is_expired(ExpiryTime end, base::TimePoint now);

/// The entries of items that are expired at `now`.
store::KeyRange expired_entries(base::TimePoint now);

std::string expiry_key(ExpiryTime end, std::string_view row_key);
/// The two parts of a key that expiry_key() made.
ExpiryTime end_in_expiry_key(std::string_view key);
std::string_view row_in_expiry_key(std::string_view key);
store::KeyWrite expiry_entry(ExpiryTime end, std::string_view row_key);

/// Adds to `change` what becomes of the item's entry. Returns the end of the time to live, if it is a new
/// one.
kv::Result<std::optional<ExpiryTime>> update_expiry(store::RowChange& change, const TableSchema& schema,
                                                    std::string_view row_key, const ItemImage& before,
                                                    const ItemImage& after);

}  // namespace dinette::dynamodb
