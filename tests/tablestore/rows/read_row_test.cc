#include <catch2/catch.hpp>

#include "tablestore/rows/instance.h"

// tablestore/rows.md section 3, filters.md, range.md
namespace dinette::tablestore::read_row_test {

using namespace test;
using Compare = api::ComparatorType;
using Logical = api::LogicalOperator;
using Lines = std::vector<std::string>;

namespace {

std::string invalid(std::string_view message) {
  return "OTSParameterInvalid: " + std::string(message);
}

const PrimaryKey least = bound(Value::inf_min(), Value::inf_min());
const PrimaryKey greatest = bound(Value::inf_max(), Value::inf_max());

}  // namespace

TEST_CASE("versions are selected by number and by time") {
  Instance in;
  in.create("t", {.max_versions = 5});
  for (int i = 1; i <= 4; ++i) CHECK(in.update("t", key("a", 1), {number("x", i, start_time + i)}) == "ok");
  CHECK(in.update("t", key("a", 1), {number("y", 0, start_time + 4)}) == "ok");
  const auto get = [&](std::optional<std::int32_t> versions, std::optional<api::TimeRange> range) {
    return in.get("t", key("a", 1), {.max_versions = versions, .range = range});
  };
  const auto between = [](std::int64_t from, std::int64_t until) {
    return api::TimeRange{start_time + from, start_time + until, {}};
  };
  CHECK(get(2, {}) == "k=a n=1 | x=4@4 x=3@3 y=0@4");
  CHECK(get(INT32_MAX, {}) == "k=a n=1 | x=4@4 x=3@3 x=2@2 x=1@1 y=0@4");
  CHECK(get({}, between(2, 4)) == "k=a n=1 | x=3@3 x=2@2");
  CHECK(get(1, between(2, 4)) == "k=a n=1 | x=3@3");
  CHECK(get({}, api::TimeRange{{}, {}, start_time + 4}) == "k=a n=1 | x=4@4 y=0@4");
  // Where no cell lies in the range the row has its key alone.
  CHECK(get({}, between(4, 4)) == "k=a n=1 |");
  CHECK(get({}, between(5, 9)) == "k=a n=1 |");
  CHECK(get({}, {}) == invalid("No version condition is specified."));
  CHECK(get(0, {}) == invalid("Invalid max versions: 0 . Reason: Max versions must be positive."));
  CHECK(get({}, api::TimeRange{1, {}, {}}) == invalid("Start and end time must be given at the same time."));
  CHECK(get(1, api::TimeRange{{}, {}, 1}) ==
        invalid("Specific tiemstamp and max versions cannot be given at the same time."));
}

TEST_CASE("columns are selected by name, by range and by page") {
  Instance in;
  in.create("t");
  CHECK(in.put("t", key("a", 1), {number("c3", 3), number("c1", 1), number("c2", 2), number("c4", 4)}) ==
        "ok");
  const auto get = [&](Read read) { return in.get("t", key("a", 1), read); };
  CHECK(get({.columns = {"c4", "c1", "c4", "none"}}) == "k=a n=1 | c1=1@0 c4=4@0");
  CHECK(get({.columns = {"none"}}) == "none");
  CHECK(get({.columns = {"none", "n"}}) == "k=a n=1 |");
  CHECK(get({.start_column = "c2", .end_column = "c4"}) == "k=a n=1 | c2=2@0 c3=3@0");
  CHECK(get({.filter = pages(1, 2)}) == "k=a n=1 | c2=2@0 c3=3@0");
  CHECK(get({.filter = pages(1, 2), .start_column = "c2"}) == "k=a n=1 | c3=3@0 c4=4@0");
  CHECK(get({.filter = pages(9, 1)}) == "k=a n=1 |");
  CHECK(get({.filter = pages(-1, 1)}) ==
        invalid("Offset in ColumnPaginationFilter must be greater than or equal to 0."));
  CHECK(get({.columns = {"#"}}) == invalid("Invalid column name: '#'."));
}

TEST_CASE("a page has all versions of its columns") {
  Instance in;
  in.create("t", {.max_versions = 2});
  for (int i = 0; i < 2; ++i)
    CHECK(in.update("t", key("a", 1),
                    {number("a", i, start_time + i), number("b", i, start_time + i),
                     number("c", i, start_time + i)}) == "ok");
  CHECK(in.get("t", key("a", 1), {.max_versions = 2, .filter = pages(1, 1)}) == "k=a n=1 | b=1@1 b=0@0");
}

TEST_CASE("filters compare values of one type") {
  Instance in;
  in.create("t", {.max_versions = 2});
  CHECK(in.put("t", key("a", 1),
               {number("x", 5), number("x", 9, start_time - 1), text("s", "b"),
                cell("t", Value::boolean(true))}) == "ok");
  const auto passes = [&](std::string filter, std::vector<std::string_view> columns = {}) {
    return in.get("t", key("a", 1), {.columns = columns, .filter = filter}) != "none";
  };
  CHECK(passes(compares("x", Compare::equal, Value::integer(5))));
  CHECK_FALSE(passes(compares("x", Compare::equal, Value::real(5))));
  CHECK(passes(compares("x", Compare::not_equal, Value::string("5"))));
  CHECK_FALSE(passes(compares("x", Compare::less_than, Value::string("9"))));
  CHECK(passes(compares("s", Compare::greater_than, Value::string("a"))));
  CHECK(passes(compares("t", Compare::greater_than, Value::boolean(false))));
  CHECK(passes(compares("none", Compare::equal, Value::integer(1))));
  CHECK_FALSE(passes(compares("none", Compare::equal, Value::integer(1), false)));
  CHECK_FALSE(passes(compares("s", Compare::equal, Value::string("b"), false), {"x"}));  // not read
  CHECK(passes(compares("n", Compare::equal, Value::integer(1), false)));
  CHECK(passes(compares("x", Compare::exist, Value::integer(0))));
  CHECK_FALSE(passes(compares("x", Compare::not_exist, Value::integer(0))));
  const std::string yes = compares("x", Compare::equal, Value::integer(5));
  const std::string no = compares("x", Compare::equal, Value::integer(6));
  CHECK(passes(combines(Logical::and_, {yes, combines(Logical::not_, {no}), yes})));
  CHECK_FALSE(passes(combines(Logical::and_, {yes, no})));
  CHECK(passes(combines(Logical::or_, {no, yes})));
  CHECK_FALSE(passes(combines(Logical::or_, {no, no})));
  CHECK(in.get("t", key("a", 1),
               {.max_versions = 2,
                .filter = compares("x", Compare::equal, Value::integer(9), false, false)}) != "none");
}

TEST_CASE("filters are limited in number and structure") {
  Instance in;
  in.create("t");
  const std::string leaf = compares("x", Compare::equal, Value::integer(5));
  const auto get = [&](std::string filter) { return in.get("t", key("a", 1), {.filter = filter}); };
  CHECK(get(combines(Logical::and_, std::vector(31, leaf))) == "none");
  CHECK(get(combines(Logical::and_, std::vector(32, leaf))) ==
        invalid("The count of filter exceeds the max: 32."));
  CHECK(get(combines(Logical::not_, std::vector(32, leaf))) ==
        invalid("The count of filter exceeds the max: 32."));
  std::string chain = leaf;
  for (int i = 0; i < 31; ++i) chain = combines(Logical::not_, {chain});
  CHECK(get(chain) == "none");
  CHECK(get(combines(Logical::not_, {chain})) == invalid("The count of filter exceeds the max: 32."));
  CHECK(get(combines(Logical::not_, {leaf, leaf})) ==
        invalid("Invalid NOT operator: the number of sub-filters must be 1."));
  CHECK(get(combines(Logical::or_, {leaf})) ==
        invalid("Invalid AND/OR operator: the number of sub-filters must be more than 1."));
  CHECK(get("x") == invalid("Deserialize filter failed."));
  CHECK(in.put("t", key("a", 1), {}, {.condition = pages(1, 1)}) == invalid("Invalid type of filter: 3."));
}

TEST_CASE("GetRange reads rows in both directions") {
  Instance in;
  in.create("t");
  for (const char* k : {"b", "a", "c"})
    for (const int n : {-1, 2, 1}) CHECK(in.put("t", key(k, n), {number("x", n)}) == "ok");
  const auto rows = [&](const PrimaryKey& start, const PrimaryKey& end, bool backward = false) {
    return in
        .range("t", start, end, {.columns = {"k"}}, {},
               backward ? api::Direction::backward : api::Direction::forward)
        .rows;
  };
  CHECK(rows(key("a", 1), key("b", 1)) == Lines{"k=a n=1 |", "k=a n=2 |", "k=b n=-1 |"});
  CHECK(rows(key("b", 1), key("a", 1), true) == Lines{"k=b n=1 |", "k=b n=-1 |", "k=a n=2 |"});
  CHECK(rows(bound(Value::string("b"), Value::inf_min()), bound(Value::string("b"), Value::inf_max())) ==
        Lines{"k=b n=-1 |", "k=b n=1 |", "k=b n=2 |"});
  CHECK(rows(bound(Value::string("b"), Value::inf_max()), bound(Value::string("b"), Value::inf_min()),
             true) == Lines{"k=b n=2 |", "k=b n=1 |", "k=b n=-1 |"});
  CHECK(
      rows(bound(Value::string("a"), Value::inf_max()), bound(Value::string("b"), Value::inf_min())).empty());
  CHECK(rows(least, greatest).size() == 9);
  CHECK(rows(greatest, least, true).size() == 9);
  CHECK(
      rows(bound(Value::inf_min(), Value::integer(1)), bound(Value::string("a"), Value::inf_max())).size() ==
      3);
}

TEST_CASE("the bounds of a range must be in the order of its direction") {
  Instance in;
  in.create("t");
  const auto range = [&](const PrimaryKey& start, const PrimaryKey& end, api::Direction direction) {
    return in.range("t", start, end, {}, {}, direction).next;
  };
  using api::Direction;
  CHECK(range(key("b", 1), key("a", 1), Direction::forward) ==
        invalid("Begin key must less than end key in FORWARD"));
  CHECK(range(key("a", 1), key("a", 1), Direction::forward) ==
        invalid("Begin key must less than end key in FORWARD"));
  CHECK(range(key("a", 1), key("b", 1), Direction::backward) ==
        invalid("Begin key must more than end key in BACKWARD"));
  CHECK(range(greatest, greatest, Direction::backward) ==
        invalid("Begin key must more than end key in BACKWARD"));
  CHECK(range({{"k", Value::inf_min()}}, greatest, Direction::forward) ==
        "OTSInvalidPK: Validate PK size fail. Input: 1, Meta: 2.");
  CHECK(in.range("t", least, greatest, {}, 0).next == invalid("The limit must be greater than 0."));
  CHECK(in.range("t", least, greatest, {.max_versions = {}}).next ==
        invalid("No version condition is specified."));
}

TEST_CASE("a filter looks at the versions that are read") {
  // tablestore/filters.md section 1.
  Instance in;
  in.create("t", {.max_versions = 2});
  CHECK(in.put("t", key("a", 1), {number("x", 5), number("x", 9, start_time - 1)}) == "ok");
  const std::string is_nine = compares("x", Compare::equal, Value::integer(9), false, false);
  CHECK(in.get("t", key("a", 1), {.max_versions = 2, .filter = is_nine}) == "k=a n=1 | x=5@0 x=9@-1");
  CHECK(in.get("t", key("a", 1), {.max_versions = 1, .filter = is_nine}) == "none");
  CHECK(in.get("t", key("a", 1),
               {.max_versions = {},
                .range = api::TimeRange{start_time - 1, start_time, {}},
                .filter = is_nine}) == "k=a n=1 | x=9@-1");
  CHECK(in.get("t", key("a", 1), {.filter = ""}) == "k=a n=1 | x=5@0");
  CHECK(in.get("t", key("a", 1), {.filter = compares("#", Compare::equal, Value::integer(9))}) ==
        invalid("Invalid column name: '#'."));
}

TEST_CASE("a column of a filter has a value of one type") {
  // tablestore/filters.md section 1: all pairs.
  Instance in;
  in.create("t");
  const std::vector<Value> values{Value::integer(1), Value::real(1), Value::boolean(true), Value::string("1"),
                                  Value::binary("1")};
  for (const Value& stored : values) {
    CHECK(in.put("t", key("a", 1), {cell("x", stored)}) == "ok");
    for (const Value& compared : values) {
      CAPTURE(name_of(stored.type()), name_of(compared.type()));
      const auto passes = [&](Compare comparator) {
        return in.get("t", key("a", 1), {.filter = compares("x", comparator, compared)}) != "none";
      };
      const bool same = stored.type() == compared.type();
      CHECK(passes(Compare::equal) == same);
      CHECK(passes(Compare::not_equal) == !same);
      CHECK(passes(Compare::less_equal) == same);
      CHECK(passes(Compare::greater_equal) == same);
    }
  }
}

TEST_CASE("pages of columns and conditions go together, the page last") {
  // tablestore/filters.md section 3.
  Instance in;
  in.create("t");
  CHECK(in.put("t", key("a", 1), {number("a", 1), number("b", 2), number("c", 3)}) == "ok");
  const auto paged = [&](std::int64_t value) {
    return in.get(
        "t", key("a", 1),
        {.filter = combines(Logical::and_,
                            {compares("c", Compare::equal, Value::integer(value), false), pages(0, 2)})});
  };
  CHECK(paged(3) == "k=a n=1 | a=1@0 b=2@0");
  CHECK(paged(4) == "none");
}

TEST_CASE("an infinite column in the middle of a bound is one for the columns after it") {
  // tablestore/range.md section 2.
  Instance in;
  TableMeta meta;
  meta.name = "t";
  meta.key = {{"a", ValueType::string},
              {"b", ValueType::string},
              {"c", ValueType::integer},
              {"d", ValueType::integer}};
  in.create(meta);
  const auto row = [](Value a, Value b, Value c, Value d) {
    return PrimaryKey{{"a", a}, {"b", b}, {"c", c}, {"d", d}};
  };
  const Value text_a = Value::string("A");
  const Value text_b = Value::string("B");
  const Value ten = Value::integer(10);
  for (const auto& [c, d] : {std::pair(10, 8), {10, 9}, {11, 9}})
    CHECK(in.put("t", row(text_a, text_a, Value::integer(c), Value::integer(d)), {}) == "ok");
  const auto rows = [&](const PrimaryKey& start, const PrimaryKey& end) {
    return in.range("t", start, end).rows;
  };
  CHECK(rows(row(text_a, text_a, ten, Value::inf_max()), row(text_a, text_b, ten, Value::inf_min())) ==
        Lines{"a=A b=A c=11 d=9 |"});
  CHECK(rows(row(text_a, Value::inf_min(), ten, Value::integer(1)),
             row(text_b, Value::inf_max(), Value::integer(2), Value::integer(9)))
            .size() == 3);
  CHECK(rows(row(text_a, Value::inf_max(), ten, Value::inf_min()),
             row(text_b, Value::inf_min(), ten, Value::inf_max()))
            .empty());
}

TEST_CASE("rows without any of the columns that are asked for are left out of a page, and count") {
  // tablestore/range.md section 3.
  Instance in;
  in.create("t");
  for (int n = 0; n < 4; ++n) CHECK(in.put("t", key("a", n), {number(n == 2 ? "y" : "x", n)}) == "ok");
  Page page = in.range("t", least, greatest, {.columns = {"y"}}, 2);
  CHECK(page.rows.empty());
  CHECK(page.next == "k=a n=2 |");
  CHECK(in.range("t", least, greatest, {.columns = {"y"}}).rows == Lines{"k=a n=2 | y=2@0"});
  CHECK(in.range("t", least, greatest, {.columns = {"y", "n"}}).rows ==
        Lines{"k=a n=0 |", "k=a n=1 |", "k=a n=2 | y=2@0", "k=a n=3 |"});
}

TEST_CASE("a page ends at its limit, and says where the next one begins") {
  Instance in;
  in.create("t");
  for (int n = 0; n < 5; ++n) CHECK(in.put("t", key("a", n), {number("x", n % 2)}) == "ok");
  Page page = in.range("t", least, greatest, {}, 2);
  CHECK(page.rows == Lines{"k=a n=0 | x=0@0", "k=a n=1 | x=1@0"});
  CHECK(page.next == "k=a n=2 |");
  page = in.range("t", key("a", 3), least, {}, 3, api::Direction::backward);
  CHECK(page.rows == Lines{"k=a n=3 | x=1@0", "k=a n=2 | x=0@0", "k=a n=1 | x=1@0"});
  CHECK(page.next == "k=a n=0 |");
  CHECK(in.range("t", least, greatest, {}, 5).next.empty());  // nothing is left
  // Rows that the filter drops count.
  page = in.range("t", least, greatest, {.filter = compares("x", Compare::equal, Value::integer(1))}, 3);
  CHECK(page.rows == Lines{"k=a n=1 | x=1@0"});
  CHECK(page.next == "k=a n=3 |");
}

TEST_CASE("a page has 5,000 rows, or 4 MB") {
  Instance in;
  in.create("t");
  const std::string large(1'398'000,
                          'x');  // three rows are less than 4 MB, with a few bytes more they are not
  for (int n = 0; n < 3; ++n) CHECK(in.put("t", key("large", n), {text("x", large)}) == "ok");
  const PrimaryKey from = bound(Value::string("large"), Value::inf_min());
  const PrimaryKey until = bound(Value::string("large"), Value::inf_max());
  CHECK(in.range("t", from, until).next.empty());
  CHECK(in.update("t", key("large", 2), {text("y", std::string(400, 'y'))}) == "ok");
  CHECK(in.range("t", from, until).next == "k=large n=2 |");
  CHECK(in.range("t", from, until, {.columns = {"y"}}).units == 1);

  for (int n = 0; n < 5000; ++n) CHECK(in.put("t", key("m", n), {}) == "ok");
  const PrimaryKey first = key("m", 0);
  Page page = in.range("t", first, greatest);
  CHECK(page.rows.size() == 5000);
  CHECK(page.next.empty());
  CHECK(in.put("t", key("m", 5000), {}) == "ok");
  page = in.range("t", first, greatest, {}, 6000);
  CHECK(page.rows.size() == 5000);
  CHECK(page.next == "k=m n=5000 |");
  // Backward, and of rows that a filter drops.
  page =
      in.range("t", greatest, bound(Value::string("m"), Value::inf_min()), {}, {}, api::Direction::backward);
  CHECK(page.rows.size() == 5000);
  CHECK(page.next == "k=m n=0 |");
  for (const std::int64_t passing : {-1, 5000}) {
    const Read read{.filter = compares("n", Compare::equal, Value::integer(passing))};
    page = in.range("t", first, greatest, read);
    CHECK(page.rows.empty());
    CHECK(page.next == "k=m n=5000 |");
    CHECK(in.range("t", key("m", 5000), greatest, read).rows.size() == (passing == 5000 ? 1U : 0U));
  }
}

}  // namespace dinette::tablestore::read_row_test
