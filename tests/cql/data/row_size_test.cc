#include "cql/data/row_size.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::cql::data::row_size_test {

schema::Table table_of(std::size_t partition, std::size_t clustering) {
  schema::Table table;
  for (std::size_t i = 0; i < partition + clustering; ++i) {
    table.columns.push_back(
        {.id = static_cast<std::uint32_t>(i),
         .name = "k" + std::to_string(i),
         .kind = i < partition ? schema::ColumnKind::partition_key : schema::ColumnKind::clustering,
         .type = {.kind = Kind::int_}});
  }
  return table;
}

Cell cell_of(std::string_view value, std::uint32_t column = 9) {
  return {.column = column, .stamp = {.timestamp = 1}, .value = value};
}

// docs/service-keyspaces/row-size.md section 1.
TEST_CASE("the size of a row is that of the documents' example") {
  const std::vector<std::string_view> two = {"1234", "1234"};
  const Row row{.clustering = {"1234", "1234"}, .cells = {cell_of("1234")}};
  CHECK(row_size(table_of(2, 2), SizeFormula::earlier, two, row).stored() == 134);
  const std::vector<std::string_view> text = {"abc"};
  const Row of_text{.clustering = {"12345678"}, .cells = {cell_of("0123456789")}};
  CHECK(row_size(table_of(1, 1), SizeFormula::earlier, text, of_text).stored() == 128);
  const std::vector<std::string_view> one = {"1234"};
  CHECK(row_size(table_of(1, 0), SizeFormula::earlier, one, {}).stored() == 107);
  CHECK(row_size(table_of(1, 0), SizeFormula::earlier, one, {}).metered() == 107);
}

// docs/service-keyspaces/row-size.md section 2.
TEST_CASE("static data have a size of their own") {
  const std::vector<std::string_view> two = {"1234", "1234"};
  CHECK(static_size(table_of(2, 2), two, {cell_of("1234")}).stored() == 122);
  CHECK(static_size(table_of(2, 2), two, {}).stored() == 0);
}

// docs/service-keyspaces/row-size.md section 1.
TEST_CASE("a collection that is not frozen counts its elements with their lengths") {
  const std::vector<std::string_view> one = {"1234"};
  const auto element = [](std::string_view key, std::string_view value) {
    Cell cell = cell_of(value);
    cell.path = key.empty() ? "12345678" : key;
    cell.key = key;
    return cell;
  };
  const auto size_of = [&](const Cells& cells) {
    return row_size(table_of(1, 0), SizeFormula::earlier, one, {.cells = cells}).values;
  };
  CHECK(size_of({element("", "abc")}) == 4 + 3);            // of a list
  CHECK(size_of({element("abc", "")}) == 4 + 3);            // of a set
  CHECK(size_of({element("ab", "cde")}) == 4 + 2 + 4 + 3);  // of a map
}

TEST_CASE("an entry of a map has two lengths, also without a key or a value") {
  schema::Table table = table_of(1, 0);
  const Type text{.kind = Kind::text};
  table.columns.push_back({.id = 9, .name = "m", .type = {.kind = Kind::map, .arguments = {text, text}}});
  table.columns.push_back({.id = 10, .name = "s", .type = {.kind = Kind::set, .arguments = {text}}});
  const std::vector<std::string_view> one = {"1234"};
  const auto size_of = [&](std::uint32_t column, std::string_view key, std::string_view value) {
    Cell cell = cell_of(value, column);
    cell.path = "path";
    cell.key = key;
    return row_size(table, SizeFormula::earlier, one, {.cells = {cell}}).values;
  };
  CHECK(size_of(9, "ab", "cde") == 4 + 2 + 4 + 3);
  CHECK(size_of(9, "ab", "") == 4 + 2 + 4);
  CHECK(size_of(9, "", "cde") == 4 + 4 + 3);
  CHECK(size_of(9, "", "") == 4 + 4);
  CHECK(size_of(10, "", "") == 4);
}

// docs/service-keyspaces/row-size.md section 3.
TEST_CASE("a timestamp of a client, or a time to live, adds twenty bytes to a value") {
  schema::Table table = table_of(1, 0);
  const std::vector<std::string_view> one = {"1234"};
  Row row;
  const std::string value(40, 'v');
  for (std::uint32_t i = 0; i < 20; ++i) row.cells.push_back(cell_of(value, i));
  const auto size = [&] { return row_size(table, SizeFormula::earlier, one, row).stored(); };
  CHECK(size() == 107 + 800);
  table.options.client_side_timestamps = true;
  CHECK(size() == 107 + 1'200);
  table.options.client_side_timestamps = false;
  table.options.time_to_live = true;
  CHECK(size() == 107 + 1'200);
}

}  // namespace dinette::cql::data::row_size_test
