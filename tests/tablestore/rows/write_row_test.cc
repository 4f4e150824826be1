#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "tablestore/rows/instance.h"

// tablestore/rows.md sections 1, 2, 4 to 8; tablestore/names-limits.md sections 2 to 4
namespace dinette::tablestore::write_row_test {

using namespace test;
using Expect = api::RowExistenceExpectation;
using Compare = api::ComparatorType;

namespace {

constexpr std::string_view condition_failed = "OTSConditionCheckFail: Condition check failed.";

std::string invalid(std::string_view message) {
  return "OTSParameterInvalid: " + std::string(message);
}

Write expecting(Expect expectation, std::optional<std::string> condition = {}) {
  return {.expectation = expectation, .condition = std::move(condition)};
}

Write returning(api::ReturnType type, std::vector<std::string_view> names = {}) {
  return {.returns = api::ReturnContent{type, std::move(names)}};
}

}  // namespace

TEST_CASE("PutRow replaces the row, and cells get the time of the request") {
  Instance in;
  in.create("t", {.max_versions = 3});
  CHECK(in.put("t", key("a", 1), {text("x", "1"), number("y", 2)}) == "ok");
  in.advance(std::chrono::milliseconds(5));
  CHECK(in.put("t", key("a", 1), {number("z", 3), number("x", 4, start_time + 1)}) == "ok");
  CHECK(in.get("t", key("a", 1), {.max_versions = 3}) == "k=a n=1 | x=4@1 z=3@5");
  CHECK(in.put("t", key("a", 1), {}) == "ok");
  CHECK(in.get("t", key("a", 1)) == "k=a n=1 |");
}

TEST_CASE("a column that is sent twice with one version has the later value") {
  Instance in;
  in.create("t", {.max_versions = 3});
  CHECK(in.put("t", key("a", 1),
               {number("x", 1), number("y", 1, start_time + 2), number("x", 2),
                number("y", 3, start_time + 3)}) == "ok");
  CHECK(in.get("t", key("a", 1), {.max_versions = 5}) == "k=a n=1 | x=2@0 y=3@3 y=1@2");
}

TEST_CASE("UpdateRow puts and deletes versions and columns") {
  Instance in;
  in.create("t", {.max_versions = 2});
  CHECK(in.update("t", key("a", 1), {delete_all("x")}) == "ok");
  CHECK(in.get("t", key("a", 1)) == "none");  // deletions alone make no row
  CHECK(in.update("t", key("a", 1), {number("x", 1, start_time + 1), number("y", 1)}) == "ok");
  CHECK(in.update("t", key("a", 1), {number("x", 2, start_time + 2)}) == "ok");
  CHECK(in.update("t", key("a", 1), {number("x", 3, start_time + 3)}) == "ok");
  CHECK(in.get("t", key("a", 1), {.max_versions = 9}) == "k=a n=1 | x=3@3 x=2@2 y=1@0");
  CHECK(in.update("t", key("a", 1), {delete_one("x", start_time + 3), delete_one("x", start_time + 9)}) ==
        "ok");
  CHECK(in.get("t", key("a", 1), {.max_versions = 9}) == "k=a n=1 | x=2@2 y=1@0");
  CHECK(in.update("t", key("a", 1), {delete_all("x"), number("x", 0, start_time + 1)}) == "ok");
  CHECK(in.get("t", key("a", 1), {.max_versions = 9}) == "k=a n=1 | x=0@1 y=1@0");
  CHECK(in.update("t", key("a", 1), {delete_all("x"), delete_all("y")}) == "ok");
  CHECK(in.get("t", key("a", 1)) == "k=a n=1 |");  // the row stays
}

TEST_CASE("DeleteRow deletes the row; an older version that is written again can be seen") {
  Instance in;
  in.create("t", {.max_versions = 2});
  CHECK(in.remove("t", key("a", 1)) == "ok");
  CHECK(in.put("t", key("a", 1), {number("x", 1)}) == "ok");
  CHECK(in.remove("t", key("a", 1)) == "ok");
  CHECK(in.get("t", key("a", 1)) == "none");
  CHECK(in.update("t", key("a", 1), {number("x", 0, start_time - 1000)}) == "ok");
  CHECK(in.get("t", key("a", 1)) == "k=a n=1 | x=0@-1000");
}

TEST_CASE("increments begin at the newest version, or at zero") {
  Instance in;
  in.create("t", {.max_versions = 2});
  const Write after = returning(api::ReturnType::rt_after_modify, {"x"});
  CHECK(in.update("t", key("a", 1), {add("x", Value::integer(5))}, after) == "k=a n=1 | x=5@0");
  in.advance(std::chrono::milliseconds(1));
  CHECK(in.update("t", key("a", 1), {add("x", Value::integer(-7)), add("d", Value::real(10.5))}, after) ==
        "k=a n=1 | x=-2@1");
  CHECK(in.get("t", key("a", 1), {.max_versions = 9}) == "k=a n=1 | d=10.5@1 x=-2@1 x=5@0");
  CHECK(in.update("t", key("a", 1), {add("x", Value::real(1))}).starts_with("OTSParameterInvalid"));
  CHECK(in.update("t", key("a", 1), {number("x", std::numeric_limits<std::int64_t>::max())}) == "ok");
  CHECK(in.update("t", key("a", 1), {add("x", Value::integer(1))}).starts_with("OTSParameterInvalid"));
  for (const CellChange& other : {number("x", 1), delete_all("x"), delete_one("x", start_time)})
    CHECK(in.update("t", key("a", 1), {add("x", Value::integer(1)), other}) ==
          invalid("Duplicated attribute column name: 'x' while updating row."));
  for (const std::string_view name : {"y", "none"})
    CHECK(in.update("t", key("a", 1), {number("y", 1), add("z", Value::integer(1))},
                    returning(api::ReturnType::rt_after_modify, {name}))
              .starts_with("OTSParameterInvalid"));
  CHECK(in.get("t", key("a", 1), {.columns = {"y", "z"}}) == "none");  // nothing was written
}

TEST_CASE("RT_PK returns the key of every kind of write") {
  Instance in;
  in.create("t");
  const Write pk = returning(api::ReturnType::rt_pk);
  CHECK(in.put("t", key("a", 1), {number("x", 1)}, pk) == "k=a n=1 |");
  CHECK(in.update("t", key("a", 1), {number("x", 1)}, pk) == "k=a n=1 |");
  CHECK(in.remove("t", key("a", 1), pk) == "k=a n=1 |");
}

TEST_CASE("expectations and column conditions decide whether a row is written") {
  Instance in;
  in.create("t", {.max_versions = 2});
  const auto all_of = [&](const Write& write) {
    return std::vector<std::string>{in.put("t", key("a", 1), {number("x", 1)}, write),
                                    in.update("t", key("a", 1), {number("x", 1)}, write),
                                    in.remove("t", key("none", 1), write)};
  };
  CHECK(in.put("t", key("a", 1), {number("x", 1)}, expecting(Expect::expect_exist)) == condition_failed);
  CHECK(in.get("t", key("a", 1)) == "none");
  CHECK(in.put("t", key("a", 1), {number("x", 1)}, expecting(Expect::expect_not_exist)) == "ok");
  CHECK(all_of(expecting(Expect::expect_exist)) ==
        std::vector<std::string>{"ok", "ok", std::string(condition_failed)});
  CHECK(all_of(expecting(Expect::expect_not_exist)) ==
        std::vector<std::string>{std::string(condition_failed), std::string(condition_failed), "ok"});

  const auto is = [](std::int64_t value, bool pass_if_missing = false, bool latest = true) {
    return compares("x", Compare::equal, Value::integer(value), pass_if_missing, latest);
  };
  CHECK(in.update("t", key("a", 1), {number("x", 2)}, expecting(Expect::ignore, is(2))) == condition_failed);
  in.advance(std::chrono::milliseconds(1));
  CHECK(in.update("t", key("a", 1), {number("x", 2)}, expecting(Expect::ignore, is(1))) == "ok");
  CHECK(in.update("t", key("a", 1), {number("y", 2)}, expecting(Expect::ignore, is(1))) == condition_failed);
  CHECK(in.update("t", key("a", 1), {number("y", 2)}, expecting(Expect::ignore, is(1, false, false))) ==
        "ok");
  // A row that does not exist has no columns.
  CHECK(in.put("t", key("b", 1), {}, expecting(Expect::ignore, is(1))) == condition_failed);
  CHECK(in.put("t", key("b", 1), {}, expecting(Expect::ignore, is(1, true))) == "ok");
}

TEST_CASE("a key must be that of the table") {
  Instance in;
  in.create("t");
  const auto put = [&](PrimaryKey key) { return in.put("t", key, {}); };
  CHECK(put({{"k", Value::string("a")}}) == "OTSInvalidPK: Validate PK size fail. Input: 1, Meta: 2.");
  CHECK(put({{"n", Value::integer(1)}, {"k", Value::string("a")}}) ==
        "OTSInvalidPK: Validate PK name fail. Input: n, Meta: k.");
  CHECK(put({{"k", Value::integer(1)}, {"n", Value::integer(1)}}) ==
        "OTSInvalidPK: Validate PK type fail. Input: VT_INTEGER, Meta: VT_STRING.");
  CHECK(put({{"k", Value::string("a")}, {"n", Value::inf_max()}}) ==
        invalid("VT_INF_MAX is an invalid type for the primary key."));
  CHECK(put({{"k", Value()}, {"n", Value::integer(1)}}) ==
        invalid("Cell data broken, PK value cannot be NULL, name: k."));
  CHECK(put({{"k", Value::real(1)}, {"n", Value::integer(1)}}) ==
        invalid("VT_DOUBLE is an invalid type for the primary key."));
  CHECK(put({{"k", Value::string("a")}, {"n", Value::auto_increment()}}) ==
        invalid("VT_AUTO_INCREMENT is an invalid type for the primary key."));
  PrimaryKey five;
  for (const char* name : {"a", "b", "c", "d", "e"}) five.push_back({name, Value::integer(1)});
  CHECK(put(five) == invalid("The number of primary key columns must be in range: [1, 4]."));
  const std::string long_text(1025, 'x');
  CHECK(put(key(long_text, 1)) ==
        invalid("The length of primary key column: 'k' exceeds the MaxLength:1024 with CurrentLength:1025."));
  CHECK(put(key(std::string(1024, '\0'), 1)) == "ok");
  CHECK(in.put("none", key("a", 1), {}) == invalid("Request table not exist"));
  CHECK(in.put("1t", key("a", 1), {}) == invalid("Invalid table name: '1t'."));
}

TEST_CASE("cells must be what the operation allows") {
  Instance in;
  in.create("t");
  const auto put = [&](std::vector<CellChange> cells) { return in.put("t", key("a", 1), cells); };
  const auto update = [&](std::vector<CellChange> cells) { return in.update("t", key("a", 1), cells); };
  CHECK(put({add("x", Value::integer(1))}) == invalid("OpType cannot be given for column name:x in PutRow."));
  CHECK(put({number("k", 1)}) == invalid("Duplicated attribute column name with primary key column: 'k'."));
  CHECK(put({cell("x", Value::real(std::numeric_limits<double>::quiet_NaN()))}) ==
        invalid("NaN can't be set to double value."));
  CHECK(put({cell("x", Value::real(std::numeric_limits<double>::infinity()))}) ==
        invalid("Infinity can't be set to double value."));
  CHECK(put({number("x", 1, -1)}) == invalid("Timestamp must be in range [0, INT64_MAX/1000)."));
  CHECK(put({number("x", 1, 9'223'372'036'854'775)}) ==
        invalid("Timestamp must be in range [0, INT64_MAX/1000)."));
  CHECK(update({}) == invalid("Attribute column is missing."));
  CHECK(update({{"x", Value::integer(1), CellOperation::delete_all_versions, {}}}) ==
        invalid("Column value cannot be given when type is DELETE_ONE_VERSION,DELETE_ALL_VERSION."));
  CHECK(update({{"x", {}, CellOperation::delete_one_version, {}}}) ==
        invalid("Timestamp must be given when type is DELETE_ONE_VERSION."));
  CHECK(update({{"x", {}, CellOperation::delete_all_versions, 1}}) ==
        invalid("Timestamp cannot be given when type is DELETE_ALL_VERSION."));
  CHECK(update({{"x", Value::integer(1), CellOperation::increment, start_time}}) ==
        invalid("Timestamp cannot be given when type is INCREMENT."));
  const std::string too_long(2'097'153, 'x');
  CHECK(put({text("x", too_long)}) ==
        invalid("The length of attribute column: 'x' exceeds the MaxLength:2097152 with "
                "CurrentLength:2097153."));
  std::vector<std::string> names;
  for (int i = 0; i < 1025; ++i) names.push_back("c" + std::to_string(i));
  std::vector<CellChange> many;
  for (const std::string& name : names) many.push_back(delete_all(name));
  CHECK(update(many) == invalid("The number of attribute columns exceeds the limit, limit count: 1024, "
                                "column count: 1025."));
}

TEST_CASE("versions may differ from the time of the write by less than the deviation") {
  // The example of tablestore/names-limits.md section 4.
  Instance in;
  in.create("t", {.time_to_live = -1, .max_versions = 10, .max_deviation = 86'400});
  in.clock().set(base::TimePoint(std::chrono::seconds(1'469'059'200)));  // 2016-07-21T00:00:00Z
  const auto put = [&](CellVersion version) { return in.put("t", key("a", 1), {number("x", 1, version)}); };
  CHECK(put(1'468'972'800'000) == "ok");
  CHECK(put(1'469'145'599'999) == "ok");
  CHECK(put(1'468'972'799'999) == invalid("Invalid timestamp. Cell:x."));
  CHECK(put(1'469'145'600'000) == invalid("Invalid timestamp. Cell:x."));
}

TEST_CASE("a version of 1468944000000 that lives a day is gone at midnight of 21 July 2016 in China") {
  // tablestore/names-limits.md section 4: the example of the service.
  Instance in;
  constexpr CellVersion version = 1'468'944'000'000;
  constexpr base::TimePoint midnight{std::chrono::seconds(1'469'030'400)};
  in.create("t", {.time_to_live = 86'400, .max_versions = 10, .max_deviation = 1'000'000});
  in.clock().set(midnight - std::chrono::milliseconds(1));
  CHECK(in.put("t", key("a", 1), {number("x", 1, version)}) == "ok");
  CHECK(in.get("t", key("a", 1)) != "none");
  in.clock().set(midnight);
  CHECK(in.get("t", key("a", 1)) == "none");
  CHECK(in.put("t", key("a", 1), {number("x", 1, version)}) == invalid("Invalid timestamp. Cell:x."));
  CHECK(in.put("t", key("a", 1), {number("x", 1, version + 999)}) == invalid("Invalid timestamp. Cell:x."));
  CHECK(in.put("t", key("a", 1), {number("x", 1, version + 1000)}) == "ok");

  // Without a time to live, and with a deviation of a day.
  in.create("u", {.time_to_live = -1, .max_versions = 10, .max_deviation = 86'400});
  const auto put = [&](CellVersion one) { return in.put("u", key("a", 1), {number("x", 1, one)}); };
  CHECK(put(version) == "ok");
  CHECK(put(1'469'116'799'999) == "ok");
  CHECK(put(version - 1) == invalid("Invalid timestamp. Cell:x."));
  CHECK(put(1'469'116'800'000) == invalid("Invalid timestamp. Cell:x."));
}

TEST_CASE("the greatest values and versions are accepted, and no null") {
  Instance in;
  in.create("t", {.max_versions = 2, .max_deviation = 9'223'372'036'854});
  CHECK(in.put("t", key("a", 1), {number("x", 1, 9'223'372'036'854'774)}) == "ok");
  const std::string longest(2'097'152, 'x');
  CHECK(in.put("t", key("a", 2), {text("x", longest)}) == "ok");
  CHECK(in.put("t", key("a", 2), {cell("x", Value())}) ==
        invalid("VT_NULL is an invalid type for the attribute column."));
  std::vector<std::string> names;
  for (int i = 0; i < 1024; ++i) names.push_back("c" + std::to_string(i));
  std::vector<CellChange> many;
  for (const std::string& name : names) many.push_back(number(name, 1));
  CHECK(in.put("t", key("a", 3), many) == "ok");
  many.push_back(number("one_more", 1));
  CHECK(in.put("t", key("a", 3), many) == invalid("The number of attribute columns exceeds the limit, limit "
                                                  "count: 1024, column count: 1025."));
}

TEST_CASE("a column may have another type in each version, and empty values") {
  Instance in;
  in.create("t", {.max_versions = 3});
  CHECK(in.update("t", key("a", 1), {number("x", 1, start_time)}) == "ok");
  CHECK(in.update("t", key("a", 1), {text("x", "", start_time + 1)}) == "ok");
  CHECK(in.update("t", key("a", 1), {cell("x", Value::boolean(true), start_time + 2)}) == "ok");
  CHECK(in.get("t", key("a", 1), {.max_versions = 3}) == "k=a n=1 | x=true@2 x=@1 x=1@0");
  CHECK(in.put("t", key("", 1), {}) == "ok");  // also of keys
  CHECK(in.get("t", key("", 1)) == "k= n=1 |");
}

TEST_CASE("zero keeps its sign, also in a row of many bytes") {
  Instance in;
  in.create("t");
  const std::string large(100'000, 'x');
  for (const double zero : {0.0, -0.0}) {
    CHECK(in.update("t", key("a", 1), {text("x", large), cell("z", Value::real(zero))}) == "ok");
    CHECK(in.get("t", key("a", 1), {.columns = {"z"}}) ==
          (std::signbit(zero) ? "k=a n=1 | z=-0.@0" : "k=a n=1 | z=0.@0"));
  }
}

TEST_CASE("columns are returned only after increments") {
  // tablestore/rows.md section 5.
  Instance in;
  in.create("t");
  CHECK(in.update("t", key("a", 1), {add("x", Value::integer(1))}, returning(api::ReturnType::rt_pk, {"x"}))
            .starts_with("OTSParameterInvalid"));
  CHECK(in.get("t", key("a", 1)) == "none");
  CHECK(in.update("t", key("a", 1), {add("x", Value::real(10.9))}) == "ok");
  CHECK(in.update("t", key("a", 1), {add("x", Value::real(1.8)), add("y", Value::real(10.54))},
                  returning(api::ReturnType::rt_after_modify)) == "k=a n=1 | x=12.7@0 y=10.54@0");
}

TEST_CASE(
    "every operation on rows says first that the name is wrong, and at last that the table is missing") {
  // tablestore/rows.md section 1, tablestore/range.md section 1.
  Instance in;
  const std::string missing = invalid("Request table not exist");
  const std::string wrong_name = invalid("Invalid table name: '1t'.");
  const PrimaryKey wrong = {{"k", Value::inf_min()}};
  const std::string wrong_key = invalid("VT_INF_MIN is an invalid type for the primary key.");
  const auto everything = [&](std::string_view table, const PrimaryKey& key, Read read) {
    return std::vector<std::string>{in.put(table, key, {number("x", 1)}),
                                    in.update(table, key, {number("x", 1)}), in.remove(table, key),
                                    in.get(table, key, read)};
  };
  using Lines = std::vector<std::string>;
  CHECK(everything("t", key("a", 1), {}) == Lines(4, missing));
  CHECK(everything("1t", wrong, {.max_versions = {}}) == Lines(4, wrong_name));
  CHECK(everything("t", wrong, {.max_versions = {}}) == Lines(4, wrong_key));
  CHECK(in.get("t", key("a", 1), {.max_versions = {}}) == invalid("No version condition is specified."));
  CHECK(in.range("1t", wrong, wrong, {.max_versions = {}}).next == wrong_name);
  CHECK(in.range("t", key("a", 1), key("a", 1), {.max_versions = {}}).next ==
        invalid("No version condition is specified."));
  CHECK(in.range("t", key("a", 1), key("a", 1)).next == missing);
  PrimaryKey five;
  for (const char* name : {"a", "b", "c", "d", "e"}) five.push_back({name, Value::integer(1)});
  CHECK(in.remove("t", five) == invalid("The number of primary key columns must be in range: [1, 4]."));
}

TEST_CASE("expired cells are gone for reads and existence checks") {
  Instance in;
  in.create("t", {.time_to_live = 100, .max_versions = 2, .max_deviation = 1'000'000});
  CHECK(in.put("t", key("a", 1), {number("x", 1), number("y", 2, start_time + 50'000)}) == "ok");
  CHECK(in.put("t", key("b", 1), {}) == "ok");
  in.advance(std::chrono::milliseconds(99'999));
  CHECK(in.get("t", key("a", 1)) == "k=a n=1 | x=1@0 y=2@50000");
  in.advance(std::chrono::milliseconds(1));
  CHECK(in.get("t", key("a", 1)) == "k=a n=1 | y=2@50000");
  in.advance(std::chrono::seconds(50));
  CHECK(in.get("t", key("a", 1)) == "none");
  CHECK(in.range("t", bound(Value::inf_min(), Value::inf_min()), bound(Value::inf_max(), Value::inf_max()))
            .rows == std::vector<std::string>{"k=b n=1 |"});
  CHECK(in.put("t", key("a", 1), {}, expecting(Expect::expect_exist)) == condition_failed);
  CHECK(in.update("t", key("a", 1), {delete_all("z")}) == "ok");
  CHECK(in.get("t", key("a", 1)) == "none");
  CHECK(in.put("t", key("a", 1), {number("x", 1, start_time)}) == invalid("Invalid timestamp. Cell:x."));
}

TEST_CASE("updates may be forbidden") {
  Instance in;
  TableOptions options;
  options.allow_update = false;
  in.create("t", options);
  CHECK(in.put("t", key("a", 1), {number("x", 1)}) == "ok");
  CHECK(in.update("t", key("a", 1), {number("x", 1)}) ==
        invalid("Update operation is not allowed in this table"));
  CHECK(in.remove("t", key("a", 1)) == "ok");
}

TEST_CASE("new rows get rising numbers in an AUTO_INCREMENT column") {
  // tablestore/tables.md section 7
  Instance in;
  TableMeta meta;
  meta.name = "t";
  meta.key = {{"k", ValueType::string}, {"n", ValueType::integer, true}};
  in.create(meta);
  const PrimaryKey fresh = {{"k", Value::string("a")}, {"n", Value::auto_increment()}};
  const Write pk = returning(api::ReturnType::rt_pk);
  CHECK(in.put("t", fresh, {number("x", 1)}, pk) == "k=a n=1791633600000000 |");
  CHECK(in.update("t", fresh, {add("x", Value::integer(2))}, pk) == "k=a n=1791633600000001 |");
  CHECK(in.get("t", key("a", 1'791'633'600'000'001)) == "k=a n=1791633600000001 | x=2@0");
  CHECK(in.put("t", fresh, {}, expecting(Expect::expect_not_exist))
            .starts_with("OTSParameterInvalid: Invalid expect:"));
  CHECK(in.put("t", fresh, {}, expecting(Expect::ignore, compares("x", Compare::equal, Value::integer(1)))) ==
        invalid("Can't set condition when modify row with pk auto increment"));
  CHECK(in.remove("t", fresh) == invalid("Invalid row to delete which with pk auto increment"));
  CHECK(in.get("t", fresh) == invalid("PKAutoIncr can't be used for read operations."));
  CHECK(in.put("t", key("a", 7), {}) == "ok");
  CHECK(in.remove("t", key("a", 7), expecting(Expect::expect_exist)) == "ok");
}

}  // namespace dinette::tablestore::write_row_test
