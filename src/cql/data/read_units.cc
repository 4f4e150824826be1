#include "cql/data/read_units.h"

#include <utility>

#include "cql/data/row_size.h"

namespace dinette::cql::data {

void ReadUnits::add_statics(std::span<const std::string_view> partition, const Cells& statics) {
  static_bytes_ = static_size(*table_, partition, statics).metered();
}

std::size_t ReadUnits::add_row(std::span<const std::string_view> partition, const Row& row) {
  const RowSize size = row_size(*table_, sizes_, partition, row);
  units_ += read_units(size.metered() + std::exchange(static_bytes_, 0));
  return size.stored();
}

void ReadUnits::end_partition() {
  units_ += read_units(std::exchange(static_bytes_, 0));
}

}  // namespace dinette::cql::data
