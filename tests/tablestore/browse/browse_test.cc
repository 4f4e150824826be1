// Tables and rows for another front end (dinette/tablestore/browse.h).
#include "dinette/tablestore/browse.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/table.h"

namespace dinette::tablestore::browse_test {

using test::key;
using test::Server;
using test::Table;

namespace {

/// Returns a page as text: "1,a; 1,b", and " >" if the range goes on.
std::string keys_of(const RowAnswer& answer) {
  std::string text;
  for (const BrowsedRow& row : answer.rows) {
    text += text.empty() ? "" : "; ";
    text += std::to_string(std::get<std::int64_t>(row.key[0].value)) + "," +
            std::get<std::string>(row.key[1].value);
  }
  return text + (answer.next ? " >" : "");
}

std::string read(Server& server, const RowQuestion& question) {
  const auto answer = read_rows(server.world(), question);
  return answer ? keys_of(*answer) : answer.error().code + ": " + answer.error().message;
}

RowQuestion question(std::vector<std::string> begin = {}, std::vector<std::string> end = {}) {
  return {.instance = "inst", .table = "T", .begin = std::move(begin), .end = std::move(end), .limit = 10};
}

}  // namespace

TEST_CASE("instances are listed with their tables, of which an index is a part") {
  Server server;
  CHECK(list_instances(server.world())->empty());
  auto table = test::table_of("T");
  table.table_options->time_to_live = 86'400;
  table.table_options->allow_update = false;  // with an index
  table.table_options->deviation_cell_version_in_sec = 1000;
  table.table_meta.defined_column = {{.name = "city", .type = api::DefinedColumnType::string}};
  table.index_metas = {{.name = "by_city",
                        .primary_key = {"city"},
                        .index_update_mode = api::IndexUpdateMode::async_index,
                        .index_type = api::IndexType::global_index}};
  server.ok<api::CreateTableResponse>("CreateTable", table);
  const auto instances = list_instances(server.world());
  REQUIRE(instances->size() == 1);
  const ListedInstance& instance = instances->front();
  CHECK(instance.name == "inst");
  REQUIRE(instance.tables.size() == 1);
  const ListedTable& one = instance.tables.front();
  CHECK(one.name == "T");
  CHECK(one.max_versions == 1);
  CHECK(one.time_to_live == 86'400);
  CHECK(one.max_version_offset == 1000);
  REQUIRE(one.key.size() == 2);
  CHECK(one.key[0].name == "gid");
  CHECK(one.key[0].type == ColumnType::integer);
  CHECK(one.key[1].type == ColumnType::string);
  REQUIRE(one.indexes.size() == 1);
  CHECK(one.indexes[0].name == "by_city");
  CHECK_FALSE(one.indexes[0].is_local);
  CHECK(one.indexes[0].key.size() == 3);  // city, gid, uid
}

TEST_CASE("a range is the rows between values of the first columns, also backward") {
  Server server;
  Table table(server);
  for (const auto& [gid, uid] : {std::pair(1, "a"), {1, "b"}, {2, "a"}, {2, "b"}, {3, "a"}})
    REQUIRE(table.put(key(gid, uid), {}) == "200");
  CHECK(read(server, question()) == "1,a; 1,b; 2,a; 2,b; 3,a");
  CHECK(read(server, question({"2"})) == "2,a; 2,b; 3,a");
  CHECK(read(server, question({"2"}, {"2"})) == "2,a; 2,b");
  CHECK(read(server, question({}, {"2", "b"})) == "1,a; 1,b; 2,a");  // a whole key is excluded
  CHECK(read(server, question({"1", "b"}, {"2"})) == "1,b; 2,a; 2,b");
  RowQuestion backward = question({"2"}, {"1", "a"});
  backward.backward = true;
  CHECK(read(server, backward) == "2,b; 2,a; 1,b");
}

TEST_CASE("a page ends at its limit, and the next one goes on") {
  Server server;
  Table table(server);
  for (const char* uid : {"a", "b", "c"}) REQUIRE(table.put(key(1, uid), {}) == "200");
  RowQuestion asked = question();
  asked.limit = 2;
  const auto first = read_rows(server.world(), asked);
  CHECK(keys_of(*first) == "1,a; 1,b >");
  asked.next = *first->next;
  CHECK(read(server, asked) == "1,c");
}

TEST_CASE("rows have all versions of their cells, or those that were asked for, with their types") {
  Server server;
  auto definition = test::table_of("T");
  definition.table_options->max_versions = 5;
  server.ok<api::CreateTableResponse>("CreateTable", definition);
  const std::int64_t now =
      std::chrono::duration_cast<std::chrono::milliseconds>(server.clock().now().time_since_epoch()).count();
  const std::vector<CellChange> cells{
      {"n", Value::integer(std::numeric_limits<std::int64_t>::min()), {}, now},
      {"n", Value::real(0.1), {}, now + 1},
      {"n", Value::boolean(true), {}, now + 2},
      {"n", Value::string("text"), {}, now + 3},
      {"n", Value::binary(std::string_view("\0\xff", 2)), {}, now + 4}};
  const std::string row = test::row_bytes(key(1, "a"), cells);
  server.ok<api::PutRowResponse>(
      "PutRow", api::PutRowRequest{.table_name = "T",
                                   .row = row,
                                   .condition = {.row_existence = api::RowExistenceExpectation::ignore}});
  const auto all = read_rows(server.world(), question());
  REQUIRE(all->rows.size() == 1);
  const auto& found = all->rows[0].cells;
  REQUIRE(found.size() == 5);
  CHECK(found[0].version == now + 4);
  CHECK(std::get<BinaryValue>(found[0].value).bytes == std::string("\0\xff", 2));
  CHECK(std::get<std::string>(found[1].value) == "text");
  CHECK(std::get<bool>(found[2].value));
  CHECK(std::get<double>(found[3].value) == 0.1);
  CHECK(std::get<std::int64_t>(found[4].value) == std::numeric_limits<std::int64_t>::min());
  RowQuestion newest = question();
  newest.max_versions = 2;
  CHECK(read_rows(server.world(), newest)->rows[0].cells.size() == 2);
  RowQuestion between = question();
  between.time_range.emplace(now + 1, now + 3);
  CHECK(read_rows(server.world(), between)->rows[0].cells.size() == 2);
}

TEST_CASE("what cannot be read is refused as clients get it, and nothing is made") {
  Server server;
  Table table(server);
  CHECK(read(server, question({"x"})) ==
        "OTSParameterInvalid: The value of 'gid' must be an integer of 64 bits.");
  CHECK(read(server, question({"9223372036854775808"})) ==
        "OTSParameterInvalid: The value of 'gid' must be an integer of 64 bits.");
  CHECK(read(server, question({"1", "a", "b"})) ==
        "OTSParameterInvalid: The key has 2 columns, fewer than values.");
  CHECK(read(server, question({"2"}, {"1"})).starts_with("OTSParameterInvalid: Begin key must less than"));
  RowQuestion other = question();
  other.table = "U";
  CHECK(read(server, other) == "OTSParameterInvalid: Request table not exist");
  other = question();
  other.instance = "1";
  CHECK(read(server, other) == "OTSParameterInvalid: Invalid instance name: 1.");
  other.instance = "other";
  CHECK(read(server, other) == "OTSParameterInvalid: Request table not exist");
  other = question();
  other.next = "no key";
  CHECK(read(server, other).starts_with("OTSParameterInvalid: "));
  CHECK(list_instances(server.world())->size() == 1);
}

}  // namespace dinette::tablestore::browse_test
