#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dinette::observe {

/// What a service tells of one request besides its answer. Not thread-safe.
struct Notes {
  struct Table {
    std::string name;
    double read_units = 0;   ///< of capacity, with indexes
    double write_units = 0;  ///< likewise
  };
  struct Counts {
    std::uint64_t scanned = 0;   ///< items that were looked at
    std::uint64_t returned = 0;  ///< of these
  };

  std::string world = {};
  std::vector<Table> tables = {};     ///< each once
  std::optional<Counts> counts = {};  ///< of operations that read lists

  /// Returns the table of that name, which is added if it is new.
  Table& table(std::string_view name);
  /// Adds what one part of the request read.
  void add_counts(std::uint64_t scanned, std::uint64_t returned);

  double read_units() const;
  double write_units() const;
};

}  // namespace dinette::observe
