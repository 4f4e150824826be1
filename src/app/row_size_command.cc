#include "app/row_size_command.h"

#include <cstdio>
#include <iostream>
#include <string_view>

#include "app/read_file.h"

namespace dinette::app {
namespace {

std::string line(std::string_view name, std::size_t earlier, std::size_t current) {
  char text[80];
  std::snprintf(text, sizeof text, "%-26.*s %10zu %10zu\n", static_cast<int>(name.size()), name.data(),
                earlier, current);
  return text;
}

}  // namespace

std::string row_size_text(const cql::RowEstimate& earlier, const cql::RowEstimate& current) {
  const cql::RowSize& one = earlier.row;
  const cql::RowSize& other = current.row;
  std::string text = "                              earlier    current\n";
  text += line("partition key", one.partition_key, other.partition_key);
  text += line("clustering columns", one.clustering, other.clustering);
  text += line("regular columns", one.values, other.values);
  text += line("timestamps, time to live", one.timestamps, other.timestamps);
  text += line("row", one.row, other.row);
  text += line("bytes stored", one.stored(), other.stored());
  text += line("bytes read or written", one.metered(), other.metered());
  text += line("units of a read", cql::read_units(one.metered()), cql::read_units(other.metered()));
  text += line("units of a write", cql::write_units(one.metered()), cql::write_units(other.metered()));
  if (earlier.statics && current.statics)
    text += line("static data of partition", earlier.statics->stored(), current.statics->stored());
  return text;
}

base::Result<void, std::string> run_row_size(const Options& options) {
  DINETTE_TRY(const std::string schema, read_file(options.source, "file of a table"));
  DINETTE_TRY(const auto earlier, cql::estimate_row(schema, options.row, cql::SizeFormula::earlier));
  DINETTE_TRY(const auto current, cql::estimate_row(schema, options.row, cql::SizeFormula::current));
  std::cout << row_size_text(earlier, current);
  return {};
}

}  // namespace dinette::app
