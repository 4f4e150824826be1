#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/observe/heavy_hitters.h"
#include "dinette/observe/prices.h"
#include "dinette/observe/request_details.h"

namespace dinette::observe {

/// The requests of an operation to a table. Items scanned and returned are not known per table: a request to
/// several tables counts them in its first line.
struct ReportLine {
  std::string table = {};  ///< empty: none
  std::string operation = {};
  std::uint64_t requests = 0;
  std::map<std::string, std::uint64_t> errors = {};  ///< by type
  double read_units = 0;
  double write_units = 0;
  std::uint64_t scanned = 0;
  std::uint64_t returned = 0;
  std::uint64_t scans = 0;  ///< requests that read a list without a key

  /// Returns the share of scanned items that filters left out: 0 to 1.
  double filtered_share() const;
};

/// The totals of the requests of a world.
struct Report {
  struct Key {
    std::string table;
    std::string key;
  };
  struct HotKey {
    Key key;
    std::uint64_t requests = 0;      ///< the number of requests, or more
    std::uint64_t at_most_over = 0;  ///< by how much that may be too high
  };
  struct BigItem {
    Key key;
    std::uint64_t bytes = 0;
  };

  std::string world = {};
  base::TimePoint since = {};               ///< real time
  base::TimePoint until = {};               ///< likewise
  std::vector<ReportLine> lines = {};       ///< by table and operation
  std::vector<HotKey> hot_partitions = {};  ///< the hottest first
  std::vector<BigItem> biggest_items = {};  ///< the biggest first

  double read_units() const;
  double write_units() const;
  double read_dollars() const { return read_units() * prices::read_unit; }
  double write_dollars() const { return write_units() * prices::write_unit; }
};

/// Returns the report as readable text.
std::string text_of(const Report& report);

/// Sums up the requests of each world while it is switched on. Thread-safe.
class Reports {
 public:
  /// Further worlds are summed up together, as the world "(others)"; further lines of a world as those of the
  /// table "(others)".
  static constexpr std::size_t most_worlds = 1000;
  static constexpr std::size_t most_lines = 1000;
  static constexpr std::size_t keys_listed = 10;

  /// `clock`, the real one, must outlive it.
  explicit Reports(const base::Clock& clock) : clock_(clock), began_(clock.now()) {}
  Reports(const Reports&) = delete;
  Reports& operator=(const Reports&) = delete;

  /// Returns true if requests are to be added. One relaxed load.
  bool recording() const { return recording_.load(std::memory_order_relaxed); }
  /// Turns recording on or off. Keeps what was recorded before.
  void set_recording(bool on) { recording_ = on; }

  /// Adds a request. `error`: its type; empty for a success. `notes` name the world.
  void add(std::string_view operation, std::string_view error, const RequestDetails& details);

  Report of(std::string_view world) const;
  /// Returns the worlds that had requests, ascending.
  std::vector<std::string> worlds() const;
  /// Forgets what was recorded of a world.
  void clear(std::string_view world);

 private:
  struct World {
    explicit World(base::TimePoint begin) : since(begin) {}

    ReportLine& line(std::string_view table, std::string_view operation);
    void note(const Touch& touch);
    void note_size(const Touch& touch);

    base::TimePoint since;
    std::map<std::pair<std::string, std::string>, ReportLine> lines;  ///< by table and operation
    HeavyHitters partitions{256};                                     ///< table, zero byte, key
    std::vector<Report::BigItem> biggest;                             ///< descending
  };

  World& world(const std::string& name);

  const base::Clock& clock_;
  const base::TimePoint began_;
  std::atomic<bool> recording_ = false;
  mutable std::mutex mutex_;
  std::map<std::string, World, std::less<>> worlds_;  ///< guarded by mutex_
};

}  // namespace dinette::observe
