#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/observe/counters.h"
#include "dinette/observe/metrics_writer.h"

namespace dinette::observe {

/// Counts the capacity units that tables consume, by the names of the tables. Thread-safe.
class TableCounters {
 public:
  /// Further tables are counted together, as the table "".
  static constexpr std::size_t most_tables = 200;

  TableCounters() = default;
  TableCounters(const TableCounters&) = delete;
  TableCounters& operator=(const TableCounters&) = delete;

  /// Units are counted in halves.
  void add_read(std::string_view table, double units) { add(2 * position_of(table), units); }
  void add_write(std::string_view table, double units) { add(2 * position_of(table) + 1, units); }

  /// `prefix`: of the names of the metrics.
  void write(MetricsWriter& text, std::string_view prefix = "dinette") const;

 private:
  struct Table {
    std::string name;
    std::size_t position;
  };
  static constexpr std::size_t places = 512;  ///< more than twice most_tables, a power of two

  void add(std::size_t number, double units) { halves_.add(number, static_cast<std::uint64_t>(units * 2)); }

  std::size_t position_of(std::string_view table);
  std::size_t add_table(std::string_view table);
  void write(MetricsWriter& text, std::string_view name, std::string_view help, std::size_t kind) const;

  /// Tables by the hashes of their names, each at the first free place from there on. They stay.
  std::array<std::atomic<const Table*>, places> index_ = {};
  std::atomic<bool> is_full_ = false;  ///< changes under mutex_
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<const Table>> tables_;  ///< guarded by mutex_
  Counters halves_{2 * (most_tables + 1)};            ///< of units read and written, by position
};

}  // namespace dinette::observe
