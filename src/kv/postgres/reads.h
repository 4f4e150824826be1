#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/kv/engine.h"

#include "kv/postgres/counters.h"
#include "kv/postgres/read_source.h"

/// Reads of keys and pages, of one world.
namespace dinette::kv::postgres {

Result<FoundEntry> read_entry(const ReadSource& source, std::int64_t world, std::string_view key);

/// Returns what is at the keys, in their order, in one round trip.
Result<std::vector<FoundEntry>> read_entries(const ReadSource& source, std::int64_t world,
                                             std::span<const std::string_view> keys);

/// Returns the parameters of Statement::get_many.
Parameters many_parameters(std::int64_t world, std::span<const std::string_view> keys);
/// Returns what it found. There were `count` keys.
std::vector<FoundEntry> found_among(const Rows& rows, std::size_t count);

/// Returns the value, or nothing if the key is absent.
std::optional<Value> value_in(FoundEntry&& entry);
Values values_in(std::vector<FoundEntry>&& entries);

struct Entry {
  std::string key;
  Value value;
};

struct Page {
  std::vector<Entry> entries = {};
  bool complete = false;  ///< there are no more in the range
};

enum class Direction : bool { up, down };

/// Returns up to `limit` entries of the range from `begin` to `end` (none: all that follow): the first ones,
/// or the last ones with the last one first.
Result<Page> read_page(const ReadSource& source, std::int64_t world, Direction direction,
                       std::string_view begin, std::optional<std::string_view> end, std::size_t limit);

std::unique_ptr<Cursor> make_cursor(std::shared_ptr<const ReadSource> source, std::int64_t world,
                                    Range range);

}  // namespace dinette::kv::postgres
