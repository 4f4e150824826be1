#include <string>

#include <catch2/catch.hpp>

#include "tablestore/table.h"

// tablestore/tables.md section 8.
namespace dinette::tablestore::split_points_test {

using namespace test;

api::ComputeSplitPointsBySizeResponse split(Server& server, std::int64_t size,
                                            std::optional<std::int64_t> unit,
                                            std::optional<std::int32_t> limit = {}) {
  return server.ok<api::ComputeSplitPointsBySizeResponse>(
      "ComputeSplitPointsBySize", api::ComputeSplitPointsBySizeRequest{.table_name = "T",
                                                                       .split_size = size,
                                                                       .split_size_unit_in_byte = unit,
                                                                       .split_point_limit = limit});
}

TEST_CASE("a small table is one part") {
  Server server;
  Table table(server);
  table.put(key(1, "a"), {});
  const auto parts = split(server, 1, {});
  CHECK(parts.split_points.empty());
  REQUIRE(parts.schema.size() == 2);
  CHECK(parts.schema[1].name == "uid");
  REQUIRE(parts.locations.size() == 1);
  CHECK(parts.locations[0].location.size() == 32);
  CHECK(parts.locations[0].repeat == 1);
  CHECK(parts.consumed.capacity_unit.read == 1);
}

TEST_CASE("a table is divided where the next row would not fit") {
  Server server;
  Table table(server);
  const std::string text(85, 'x');  // with the key and the name 100 bytes
  for (int gid = 0; gid < 7; ++gid) table.put(key(gid, ""), {{.name = "c", .value = Value::string(text)}});
  const auto parts = split(server, 3, 100);
  REQUIRE(parts.split_points.size() == 2);
  CHECK(text_of_rows(parts.split_points[0]) == "3,");
  CHECK(text_of_rows(parts.split_points[1]) == "6,");
  CHECK(parts.locations[0].repeat == 3);
  CHECK(parts.consumed.capacity_unit.read == 3);
  CHECK(split(server, 3, 100, 1).split_points.size() == 1);
  CHECK(split(server, 1, 10).split_points.size() == 6);
}

TEST_CASE("the table must be there, and the size be more than nothing") {
  Server server;
  api::ComputeSplitPointsBySizeRequest request{.table_name = "T", .split_size = 0};
  CHECK(server.refusal("ComputeSplitPointsBySize", request) ==
        "OTSObjectNotExist: Requested table does not exist.");
  Table table(server);
  CHECK(server.call("ComputeSplitPointsBySize", request).status == 400);
}

}  // namespace dinette::tablestore::split_points_test
