#include "dinette/observe/notes.h"

#include <algorithm>

namespace dinette::observe {

TableUse& Notes::table(std::string_view name) {
  const auto known = std::ranges::find(tables, name, &TableUse::name);
  return known != tables.end() ? *known : tables.emplace_back(TableUse{.name = std::string(name)});
}

void Notes::add_counts(std::uint64_t scanned, std::uint64_t returned) {
  if (!counts) counts.emplace();
  counts->scanned += scanned;
  counts->returned += returned;
}

double Notes::read_units() const {
  double sum = 0;
  for (const TableUse& table : tables) sum += table.read_units;
  return sum;
}

double Notes::write_units() const {
  double sum = 0;
  for (const TableUse& table : tables) sum += table.write_units;
  return sum;
}

}  // namespace dinette::observe
