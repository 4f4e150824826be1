#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dinette::dynamodb {

/// What a request takes of one table's throughput, in capacity units (docs/service/capacity.md section 2).
/// It is computed for every request, whether the client asks for it or not.
struct Charge {
  struct Index {
    std::string name;
    bool local = false;
    double units = 0;
  };

  /// An index of vectors, whose throughput is apart: in bytes.
  struct VectorIndex {
    std::string name;
    std::size_t bytes = 0;
  };

  double table = 0;                              ///< without indexes
  std::vector<Index> indexes = {};               ///< those that were touched, each once
  double failed = 0;                             ///< of writes that were refused for what is stored
  bool writes = false;                           ///< write units; otherwise all but `failed` are read units
  std::vector<VectorIndex> vector_indexes = {};  ///< that were written

  /// Returns the units of table, indexes and failed writes together.
  double units() const;
  /// Adds what another part of the request takes of the same table.
  void add(const Charge& other);
  void add(Index index);
  void add(VectorIndex index);
};

/// Returns the cost of reading `bytes`; 0 bytes cost as much as one. Eventually consistent reads cost half.
double read_units(std::size_t bytes, bool consistent);

/// Returns the cost of writing `bytes`; 0 bytes cost as much as one.
double write_units(std::size_t bytes);

}  // namespace dinette::dynamodb
