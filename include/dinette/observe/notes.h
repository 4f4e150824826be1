#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dinette::observe {

/// What one request took of a table.
struct TableUse {
  std::string name;
  double read_units = 0;   ///< of capacity, with indexes
  double write_units = 0;  ///< likewise
};

struct ReadCounts {
  std::uint64_t scanned = 0;   ///< items that were looked at
  std::uint64_t returned = 0;  ///< of these
};

/// What a service tells of one request besides its answer. Not thread-safe.
struct Notes {
  std::string world = {};
  std::vector<TableUse> tables = {};      ///< each once
  std::optional<ReadCounts> counts = {};  ///< of operations that read lists

  /// Returns the table of that name, which is added if it is new.
  TableUse& table(std::string_view name);
  /// Adds what one part of the request read.
  void add_counts(std::uint64_t scanned, std::uint64_t returned);

  double read_units() const;
  double write_units() const;
};

}  // namespace dinette::observe
