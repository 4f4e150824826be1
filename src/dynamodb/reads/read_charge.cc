#include "dynamodb/reads/read_charge.h"

namespace dinette::dynamodb {
namespace {

/// Returns the units of the rows that were read.
double walked_units(const ItemPage& page, bool consistent) {
  if (page.partitions.empty()) return read_units(page.bytes, consistent);
  double sum = 0;
  for (const std::size_t bytes : page.partitions) sum += read_units(bytes, consistent);
  return sum;
}

}  // namespace

Charge charge_of(const ReadTarget& target, const ItemPage& page, bool consistent) {
  const double walked = walked_units(page, consistent);
  if (!target.index()) return {.table = walked};
  Charge charge;
  for (const std::size_t bytes : page.fetched) charge.table += read_units(bytes, consistent);
  charge.add({target.index()->name, target.index()->local, walked});
  return charge;
}

}  // namespace dinette::dynamodb
