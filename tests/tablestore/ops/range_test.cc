#include <string>

#include <catch2/catch.hpp>

#include "tablestore/table.h"

// tablestore/range.md sections 1 to 4.
namespace dinette::tablestore::range_test {

using namespace test;
using enum api::Direction;

/// Rows 1,a; 1,b; 2,a; 3,a.
class Range {
 public:
  Range() {
    for (const auto& [gid, uid] : {std::pair(1, "a"), {1, "b"}, {2, "a"}, {3, "a"}})
      table_.put(key(gid, uid), {{.name = "c", .value = Value::integer(gid)}});
  }
  Table& table() { return table_; }

 private:
  Server server_;
  Table table_{server_};
};

PrimaryKey bound(const Value& gid, const Value& uid) {
  return {{"gid", gid}, {"uid", uid}};
}

TEST_CASE("a range includes its start and not its end, in both directions") {
  Range rows;
  Table& table = rows.table();
  CHECK(table.range(least(), most()) == "1,a c=1; 1,b c=1; 2,a c=2; 3,a c=3");
  CHECK(table.range(most(), least(), {}, backward) == "3,a c=3; 2,a c=2; 1,b c=1; 1,a c=1");
  CHECK(table.range(key(1, "b"), key(3, "a")) == "1,b c=1; 2,a c=2");
  CHECK(table.range(key(3, "a"), key(1, "b"), {}, backward) == "3,a c=3; 2,a c=2");
  CHECK(table.range(bound(Value::integer(1), Value::inf_min()), bound(Value::integer(1), Value::inf_max())) ==
        "1,a c=1; 1,b c=1");
  CHECK(table.range(bound(Value::integer(1), Value::inf_max()), bound(Value::integer(2), Value::inf_min()))
            .empty());
}

TEST_CASE("the bounds are in the order of the direction") {
  Range rows;
  Table& table = rows.table();
  const std::string forwards = "OTSParameterInvalid: Begin key must less than end key in FORWARD";
  const std::string backwards = "OTSParameterInvalid: Begin key must more than end key in BACKWARD";
  CHECK(table.range(most(), least()) == forwards);
  CHECK(table.range(key(1, "a"), key(1, "a")) == forwards);
  CHECK(table.range(least(), most(), {}, backward) == backwards);
  CHECK(table.range(key(1, "a"), key(1, "a"), {}, backward) == backwards);
}

TEST_CASE("the bounds have the columns of the key") {
  Range rows;
  Table& table = rows.table();
  CHECK(table.range({{"gid", Value::inf_min()}}, most()) ==
        "OTSInvalidPK: Validate PK size fail. Input: 1, Meta: 2.");
  CHECK(table.range({{"uid", Value::inf_min()}, {"gid", Value::inf_min()}}, most()) ==
        "OTSInvalidPK: Validate PK name fail. Input: uid, Meta: gid.");
  CHECK(table.range(bound(Value::string("x"), Value::inf_min()), most()) ==
        "OTSInvalidPK: Validate PK type fail. Input: VT_STRING, Meta: VT_INTEGER.");
  CHECK(table.range(bound(Value::integer(1), Value::auto_increment()), most()) ==
        "OTSParameterInvalid: PKAutoIncr can't be used for read operations.");
}

TEST_CASE("a page ends at the limit, and says where the next begins") {
  Range rows;
  Table& table = rows.table();
  CHECK(table.range(least(), most(), {.limit = 3}) == "1,a c=1; 1,b c=1; 2,a c=2 > 3,a");
  CHECK(table.range(key(3, "a"), most(), {.limit = 3}) == "3,a c=3");
  CHECK(table.range(least(), most(), {.limit = 4}) == "1,a c=1; 1,b c=1; 2,a c=2; 3,a c=3");
  CHECK(table.range(most(), least(), {.limit = 1}, backward) == "3,a c=3 > 2,a");
  CHECK(table.range(least(), most(), {.limit = 0}) ==
        "OTSParameterInvalid: The limit must be greater than 0.");
  CHECK(table.range(least(), most(), {.max_versions = {}}) ==
        "OTSParameterInvalid: No version condition is specified.");
}

TEST_CASE("rows that a filter leaves out count for the limit") {
  Range rows;
  const std::string is_two = column_filter(api::ComparatorType::equal, "c", Value::integer(2));
  CHECK(rows.table().range(least(), most(), {.filter = is_two, .limit = 2}) == " > 2,a");
  CHECK(rows.table().range(least(), most(), {.filter = is_two}) == "2,a c=2");
}

TEST_CASE("a page looks at 5,000 rows") {
  Server server;
  Table table(server);
  for (int gid = 0; gid < 5001; ++gid) table.put(key(gid, ""), {});
  const std::string first = table.range(least(), most());
  CHECK(first.ends_with("; 4999, > 5000,"));
  CHECK(table.range(key(5000, ""), most()) == "5000,");
  CHECK(table.range(key(1, ""), most()).ends_with("; 5000,"));
}

TEST_CASE("a hint for another form of blocks is answered with rows") {
  Range rows;
  const std::string begin = row_bytes(least());
  const std::string end = row_bytes(most());
  api::GetRangeRequest request{.table_name = rows.table().name(), .max_versions = 1};
  request.inclusive_start_primary_key = begin;
  request.exclusive_end_primary_key = end;
  request.data_block_type_hint = api::DataBlockType::simple_row_matrix;
  const auto page = rows.table().server().ok<api::GetRangeResponse>("GetRange", request);
  CHECK(text_of_rows(page.rows) == "1,a c=1; 1,b c=1; 2,a c=2; 3,a c=3");
  CHECK(page.data_block_type.value_or(api::DataBlockType::plain_buffer) == api::DataBlockType::plain_buffer);
}

}  // namespace dinette::tablestore::range_test
