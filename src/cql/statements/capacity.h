#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "cql/data/row_write.h"
#include "cql/error.h"
#include "cql/frames/consistency.h"
#include "cql/schema/place.h"
#include "cql/schema/table_schema.h"

/// What reads and writes cost, and how much of it a table has (docs/service-keyspaces/capacity.md).
namespace dinette::cql::statements {

/// Returns what a statement, or a batch, has written. Statements that write a row and static cells, and
/// logged batches, cost twice as much.
std::uint64_t units_of(std::span<const data::WrittenRecord> records, bool logged);

/// Notes what a request has consumed. Reads at ONE and LOCAL_ONE cost half.
void charge_read(const Place& place, const store::Table& table, std::uint64_t units,
                 frames::Consistency level);
void charge_write(const Place& place, const store::Table& table, std::uint64_t units);

/// The capacity that tables have left, in token buckets of one second. Thread-safe.
class Throttle {
 public:
  enum class Axis : std::uint8_t { read, write };

  /// Returns false if the table has consumed more than it has.
  bool admits(const store::Table& table, Axis axis, base::TimePoint now);
  void consume(const store::Table& table, Axis axis, double units);

 private:
  struct Bucket {
    double units = 0;
    base::TimePoint filled{};
    bool begun = false;
  };

  std::mutex mutex_;                                                   ///< held briefly
  std::map<std::string, std::array<Bucket, 2>, std::less<>> buckets_;  ///< by table; guarded
};

/// Fails with a timeout of the service if the table has no capacity left (section 5). `type`: of the write,
/// as the protocol names it.
Answer<void> check_read_capacity(const Place& place, const store::Table& table);
Answer<void> check_write_capacity(const Place& place, const store::Table& table, std::string_view type);

}  // namespace dinette::cql::statements
