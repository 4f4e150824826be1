#include "dinette/observe/request_details.h"

#include <algorithm>

namespace dinette::observe {

TableUse& RequestDetails::table(std::string_view name) {
  const auto known = std::ranges::find(tables, name, &TableUse::name);
  if (known != tables.end()) return *known;
  TableUse& added = tables.emplace_back();
  added.name = name;
  return added;
}

void RequestDetails::add_counts(std::uint64_t scanned, std::uint64_t returned) {
  if (!counts) counts.emplace();
  counts->scanned += scanned;
  counts->returned += returned;
}

double RequestDetails::read_units() const {
  double sum = 0;
  for (const TableUse& table : tables) sum += table.read_units;
  return sum;
}

double RequestDetails::write_units() const {
  double sum = 0;
  for (const TableUse& table : tables) sum += table.write_units;
  return sum;
}

}  // namespace dinette::observe
