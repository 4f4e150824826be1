#include "dynamodb/request/charge.h"

#include <algorithm>
#include <utility>

#include "dynamodb/api/limits.h"

namespace dinette::dynamodb {
namespace {

double whole_units(std::size_t bytes, std::size_t unit) {
  return static_cast<double>(std::max<std::size_t>(1, (bytes + unit - 1) / unit));
}

}  // namespace

double Charge::units() const {
  double sum = table + failed;
  for (const Index& index : indexes) sum += index.units;
  return sum;
}

void Charge::add(const Charge& other) {
  table += other.table;
  failed += other.failed;
  writes = writes || other.writes;
  for (const Index& index : other.indexes) add(index);
  for (const VectorIndex& index : other.vector_indexes) add(index);
}

void Charge::add(Index index) {
  const auto same = std::ranges::find(indexes, index.name, &Index::name);
  if (same == indexes.end())
    indexes.push_back(std::move(index));
  else
    same->units += index.units;
}

void Charge::add(VectorIndex index) {
  const auto same = std::ranges::find(vector_indexes, index.name, &VectorIndex::name);
  if (same == vector_indexes.end())
    vector_indexes.push_back(std::move(index));
  else
    same->bytes += index.bytes;
}

double read_units(std::size_t bytes, bool consistent) {
  const double units = whole_units(bytes, model::limits::read_unit_bytes);
  return consistent ? units : units / double{model::limits::eventual_reads_per_unit};
}

double write_units(std::size_t bytes) {
  return whole_units(bytes, model::limits::write_unit_bytes);
}

}  // namespace dinette::dynamodb
