#include "app/row_size_command.h"

#include <string>

#include <catch2/catch.hpp>

namespace dinette::app::row_size_command_test {

// docs/service-keyspaces/row-size.md sections 1, 2 and 4.
TEST_CASE("row-size prints the parts of a row by both formulas") {
  const std::string schema =
      "CREATE TABLE t (pk1 int, pk2 int, ck1 int, ck2 int, v int, s int static, "
      "PRIMARY KEY ((pk1, pk2), ck1, ck2));";
  const std::string row = R"({"pk1": 1, "pk2": 2, "ck1": 3, "ck2": 4, "v": 5, "s": 6})";
  const auto earlier = cql::estimate_row(schema, row, cql::SizeFormula::earlier);
  const auto current = cql::estimate_row(schema, row, cql::SizeFormula::current);
  REQUIRE((earlier && current));
  CHECK(row_size_text(*earlier, *current) ==
        "                              earlier    current\n"
        "partition key                      14         16\n"
        "clustering columns                 16         12\n"
        "regular columns                     4          3\n"
        "timestamps, time to live            0          0\n"
        "row                               100        100\n"
        "bytes stored                      134        131\n"
        "bytes read or written             134         31\n"
        "units of a read                     1          1\n"
        "units of a write                    1          1\n"
        "static data of partition          122        122\n");
}

TEST_CASE("row-size names a file that it cannot read") {
  Options options;
  options.source = "/nowhere/table.cql";
  options.row = "{}";
  const auto failed = run_row_size(options);
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.error().find("/nowhere/table.cql") != std::string::npos);
}

}  // namespace dinette::app::row_size_command_test
