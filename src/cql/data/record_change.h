#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "dinette/store/row.h"

#include "cql/data/record.h"
#include "cql/schema/schema.h"

/// What the store keeps of a record besides its bytes: its part of the table's size, and an entry that says
/// when there is something to remove of it (src/cql/FORMAT.md, Rows).
namespace dinette::cql::data {

/// Returns when the sweeper must look at a record: when a cell expires, or when a tombstone has been kept for
/// ten days. Depends on the record alone. Nothing if it can stay as it is for ever.
std::optional<Seconds> due_of(const Row& row);
std::optional<Seconds> due_of(const Partition& partition);

struct Footprint {
  bool exists = false;
  std::int64_t bytes = 0;
  std::optional<Seconds> due{};
};

/// `partition`: the values of its key. An empty record does not exist.
Footprint footprint_of(std::span<const std::string_view> partition, const Row& row);
Footprint footprint_of(std::span<const std::string_view> partition, const Partition& record);

/// Returns the change from one to the other, which has this value; without a change nothing exists.
store::RowChange record_change(std::string_view key, bool is_row, const Footprint& before,
                               const Footprint& after, kv::Value value);

/// Return the changes that put a record where there is none, and that erase one. Fail if it cannot be read.
kv::Result<store::RowChange> put_record(const schema::Table& table, std::string_view key, kv::Value value);
kv::Result<store::RowChange> erase_record(const schema::Table& table, std::string_view key,
                                          const kv::Value& value);

/// Returns the entries of records that are due up to a moment, and reads one.
store::KeyRange due_entries(Seconds until);
Seconds due_in_entry(std::string_view entry);
std::string_view record_key_in_entry(std::string_view entry);
/// Returns the key of the entry of a record.
std::string entry_key(Seconds due, std::string_view record_key);

}  // namespace dinette::cql::data
