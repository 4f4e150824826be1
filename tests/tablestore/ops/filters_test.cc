#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/plainbuffer/variant.h"
#include "tablestore/table.h"

// tablestore/filters.md sections 1 to 5.
namespace dinette::tablestore::filters_test {

using namespace test;
using enum api::ComparatorType;
using enum api::LogicalOperator;

const std::string row_text = "1,a n=20 s=john";

class Filtered {
 public:
  Filtered() {
    table_.put(key(1, "a"),
               {{.name = "n", .value = Value::integer(20)}, {.name = "s", .value = Value::string("john")}});
  }
  bool passes(const std::string& filter) {
    const std::string found = table_.get(key(1, "a"), {.filter = filter});
    CHECK((found.empty() || found == row_text));
    return found == row_text;
  }
  std::string refusal(const std::string& filter) { return table_.get(key(1, "a"), {.filter = filter}); }
  Table& table() { return table_; }

 private:
  Server server_;
  Table table_{server_};
};

TEST_CASE("a column is compared by type first, and then by value") {
  Filtered rows;
  CHECK(rows.passes(column_filter(equal, "n", Value::integer(20))));
  CHECK_FALSE(rows.passes(column_filter(equal, "n", Value::integer(21))));
  CHECK(rows.passes(column_filter(not_equal, "n", Value::integer(21))));
  CHECK(rows.passes(column_filter(greater_than, "n", Value::integer(19))));
  CHECK(rows.passes(column_filter(greater_equal, "n", Value::integer(20))));
  CHECK(rows.passes(column_filter(less_equal, "n", Value::integer(20))));
  CHECK_FALSE(rows.passes(column_filter(less_than, "n", Value::integer(20))));
  CHECK(rows.passes(column_filter(greater_than, "s", Value::string("jo"))));
  for (const Value& other :
       {Value::real(20), Value::string("20"), Value::boolean(true), Value::binary("20")}) {
    CHECK_FALSE(rows.passes(column_filter(equal, "n", other)));
    CHECK(rows.passes(column_filter(not_equal, "n", other)));
  }
}

TEST_CASE("a missing column passes unless the filter says otherwise") {
  Filtered rows;
  CHECK(rows.passes(column_filter(equal, "none", Value::integer(1))));
  CHECK_FALSE(rows.passes(column_filter(equal, "none", Value::integer(1), true)));
  CHECK(rows.passes(column_filter(exist, "n", Value::integer(1))));
  CHECK_FALSE(rows.passes(column_filter(exist, "none", Value::integer(1))));
  CHECK(rows.passes(column_filter(not_exist, "none", Value::integer(1))));
}

TEST_CASE("a filter sees only the columns that are read") {
  Filtered rows;
  const std::string is_john = column_filter(equal, "s", Value::string("john"), true);
  CHECK(rows.table().get(key(1, "a"), {.filter = is_john, .columns = {"n"}}).empty());
  CHECK(rows.table().get(key(1, "a"), {.filter = is_john, .columns = {"s"}}) == "1,a s=john");
}

TEST_CASE("filters are combined") {
  Filtered rows;
  const std::string yes = column_filter(equal, "n", Value::integer(20));
  const std::string no = column_filter(equal, "n", Value::integer(1));
  CHECK(rows.passes(composite_filter(and_, {yes, yes})));
  CHECK_FALSE(rows.passes(composite_filter(and_, {yes, no})));
  CHECK(rows.passes(composite_filter(or_, {no, yes})));
  CHECK(rows.passes(composite_filter(not_, {no})));
  CHECK(rows.passes(composite_filter(not_, {composite_filter(or_, {no, no})})));
}

TEST_CASE("combined filters have as many parts as their operator takes, and all together 32") {
  Filtered rows;
  const std::string one = column_filter(equal, "n", Value::integer(20));
  const std::string under_not =
      "OTSParameterInvalid: Invalid NOT operator: the number of sub-filters must be 1.";
  CHECK(rows.refusal(composite_filter(not_, {one, one})) == under_not);
  CHECK(rows.refusal(composite_filter(and_, {one})) ==
        "OTSParameterInvalid: Invalid AND/OR operator: the number of sub-filters must be more than 1.");
  const std::string too_many = "OTSParameterInvalid: The count of filter exceeds the max: 32.";
  CHECK(rows.passes(composite_filter(and_, std::vector<std::string>(31, one))));
  CHECK(rows.refusal(composite_filter(and_, std::vector<std::string>(32, one))) == too_many);
  CHECK(rows.refusal(composite_filter(not_, std::vector<std::string>(32, one))) == too_many);
  std::string chain = one;
  for (int i = 0; i < 32; ++i) chain = composite_filter(not_, {chain});
  CHECK(rows.refusal(chain) == too_many);
}

TEST_CASE("column pagination returns some columns by name") {
  Filtered rows;
  CHECK(rows.table().get(key(1, "a"), {.filter = pagination_filter(0, 1)}) == "1,a n=20");
  CHECK(rows.table().get(key(1, "a"), {.filter = pagination_filter(1, 5)}) == "1,a s=john");
  CHECK(rows.refusal(pagination_filter(-1, 1)) ==
        "OTSParameterInvalid: Offset in ColumnPaginationFilter must be greater than or equal to 0.");
  CHECK(rows.refusal(pagination_filter(0, 0)) ==
        "OTSParameterInvalid: Limit in ColumnPaginationFilter must be greater than 0.");
}

TEST_CASE("a part of a text may be compared, as another type") {
  Server server;
  Table table(server);
  table.put(key(1, "a"), {{.name = "s", .value = Value::string("1aaa51bbb5")},
                          {.name = "n", .value = Value::string("price: 12.5 EUR")},
                          {.name = "i", .value = Value::integer(7)}});
  const auto found = [&](std::string_view column, std::string_view regex, std::optional<api::CastType> type,
                         const Value& wanted, bool fails_if_missing = true) {
    std::string value;
    plainbuffer::append_variant(value, wanted);
    const api::SingleColumnValueFilter filter{
        .comparator = equal,
        .column_name = column,
        .column_value = value,
        .filter_if_missing = fails_if_missing,
        .latest_version_only = true,
        .value_trans_rule = api::ValueTransferRule{.regex = regex, .cast_type = type}};
    const std::string inner = codec::encode_message(filter);
    const auto whole =
        codec::encode_message(api::Filter{.type = api::FilterType::single_column_value, .filter = inner});
    return table.get(key(1, "a"), {.filter = whole, .columns = {"gid", "s", "n", "i"}});
  };
  const auto is_found = [&](auto&&... rule) { return found(rule...).starts_with("1,a"); };
  CHECK(is_found("s", "1([a-z]+)5", api::CastType::string, Value::string("aaa")));
  CHECK(is_found("s", "1[a-z]+5", std::nullopt, Value::string("1aaa5")));
  CHECK(is_found("n", "([0-9]+)\\.", api::CastType::integer, Value::integer(12)));
  CHECK(is_found("n", "[0-9.]+", api::CastType::double_, Value::real(12.5)));
  CHECK_FALSE(is_found("n", "[a-z]+", api::CastType::integer, Value::integer(12)));
  CHECK(is_found("n", "[a-z]+", api::CastType::integer, Value::integer(12), false));
  CHECK_FALSE(is_found("n", "none", api::CastType::string, Value::string("")));
  CHECK_FALSE(is_found("i", "7", api::CastType::string, Value::string("7")));
  const std::string refused = "OTSParameterInvalid: Deserialize filter failed.";
  CHECK(found("n", "(", {}, Value::string("")) == refused);
  CHECK(found("n", std::string(256, 'x'), {}, Value::string("")).empty());
  CHECK(found("n", std::string(257, 'x'), {}, Value::string("")) == refused);
  CHECK(found("n", "x", api::CastType::blob, Value::string("")) == refused);
}

TEST_CASE("what is no filter is refused") {
  Filtered rows;
  CHECK(rows.refusal("x") == "OTSParameterInvalid: Deserialize filter failed.");
  const auto with = [](api::FilterType type) {
    return codec::encode_message(api::Filter{.type = type, .filter = "x"});
  };
  CHECK(rows.refusal(with(api::FilterType::single_column_value)) ==
        "OTSParameterInvalid: Deserialize relation filter failed.");
  CHECK(rows.refusal(with(api::FilterType::composite_column_value)) ==
        "OTSParameterInvalid: Deserialize composite filter failed.");
  CHECK(rows.refusal(with(api::FilterType::column_pagination)) ==
        "OTSParameterInvalid: Deserialize column pagination filter failed.");
}

TEST_CASE("a condition is a filter on the row that there is") {
  Filtered rows;
  const std::string failed = "OTSConditionCheckFail: Condition check failed.";
  const std::string is_john = column_filter(equal, "s", Value::string("john"), true);
  const std::vector<CellChange> change{{.name = "n", .value = Value::integer(21)}};
  CHECK(rows.table().update(key(1, "a"), change, {.filter = is_john}) == "200");
  CHECK(rows.table().update(key(2, "a"), change, {.filter = is_john}) == failed);
  CHECK(rows.table().put(key(2, "a"), change, {.filter = column_filter(equal, "s", Value::string("john"))}) ==
        "200");
}

}  // namespace dinette::tablestore::filters_test
