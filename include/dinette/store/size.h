#pragma once

#include <cstdint>

#include "dinette/store/row.h"

namespace dinette::store {

/// What the tables of a store, or of several, hold.
struct Size {
  std::uint64_t tables = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;  ///< as the front ends count the bytes of rows; indexes are not included

  Size& operator+=(const Size& other);
};

/// What is kept for some time after it was replaced: it goes as the clock goes on.
struct KeptHistory {
  Count stream_records;
  Count former_values;  ///< of rows, for point-in-time recovery

  KeptHistory& operator+=(const KeptHistory& other);
};

}  // namespace dinette::store
