// docs/service-keyspaces/row-size.md section 4.
#include "cql/data/current_size.h"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/values/numbers.h"

namespace dinette::cql::data::current_size_test {

namespace {

Type of(Kind kind, std::vector<Type> arguments = {}) {
  return {.kind = kind, .arguments = std::move(arguments)};
}

std::size_t size_of_number(std::int64_t number) {
  return current_value_size(of(Kind::bigint), fixed_bytes(number, 8));
}

/// [bytes] of the protocol.
std::string part(std::string_view bytes) {
  return fixed_bytes(static_cast<std::int64_t>(bytes.size()), 4).append(bytes);
}

std::string collection(std::int64_t count, const std::string& parts) {
  return fixed_bytes(count, 4) + parts;
}

/// Two columns of the partition key, two of the clustering key, then columns of the types.
schema::Table table_of(std::vector<Type> types) {
  schema::Table table;
  const auto add = [&](schema::ColumnKind kind, Type type) {
    const auto id = static_cast<std::uint32_t>(table.columns.size());
    table.columns.push_back(
        {.id = id, .name = "c" + std::to_string(id), .kind = kind, .type = std::move(type)});
  };
  for (int i = 0; i < 2; ++i) add(schema::ColumnKind::partition_key, of(Kind::int_));
  for (int i = 0; i < 2; ++i) add(schema::ColumnKind::clustering, of(Kind::int_));
  for (Type& type : types) add(schema::ColumnKind::regular, std::move(type));
  return table;
}

constexpr std::uint32_t first_value = 4;  // the id of the first regular column

Cell cell_of(std::string_view value, std::string_view path = {}, std::string_view key = {}) {
  return {.column = first_value, .stamp = {.timestamp = 1}, .path = path, .key = key, .value = value};
}

/// The size of a row of which all numbers have one digit.
RowSize size_of(const schema::Table& table, const Cells& cells) {
  const std::string number = fixed_bytes(7, 4);
  const std::vector<std::string_view> partition(2, number);
  const Row row{.clustering = {number, number}, .cells = cells};
  return current_row_size(table, partition, row);
}

}  // namespace

TEST_CASE("the example of the guide has 131 bytes, of which units count 31") {
  const std::string number = fixed_bytes(7, 4);
  const RowSize size = size_of(table_of({of(Kind::int_)}), {cell_of(number)});
  CHECK(size.partition_key == 16);
  CHECK(size.clustering == 12);
  CHECK(size.values == 3);
  CHECK(size.stored() == 131);
  CHECK(size.metered() == 31);
}

TEST_CASE("a number has a byte per two significant digits, and one more") {
  CHECK(size_of_number(0) == 2);
  CHECK(size_of_number(7) == 2);
  CHECK(size_of_number(-42) == 2);
  CHECK(size_of_number(123) == 3);
  CHECK(size_of_number(120'000) == 2);
  CHECK(size_of_number(1'234'567'890'123) == 8);
  CHECK(current_value_size(of(Kind::varint), varint_bytes(12'345)) == 4);
  CHECK(current_value_size(of(Kind::tinyint), fixed_bytes(-1, 1)) == 2);
}

TEST_CASE("texts and blobs have their bytes, booleans one, other values what is sent") {
  CHECK(current_value_size(of(Kind::text), "caf\xC3\xA9") == 5);
  CHECK(current_value_size(of(Kind::blob), std::string_view("\0\0", 2)) == 2);
  CHECK(current_value_size(of(Kind::boolean), "\1") == 1);
  CHECK(current_value_size(of(Kind::uuid), std::string(16, 'u')) == 16);
  CHECK(current_value_size(of(Kind::double_), std::string(8, 'd')) == 8);
}

TEST_CASE("a collection has three bytes, and one per element") {
  const Type list = of(Kind::list, {of(Kind::text)});
  CHECK(current_value_size(list, collection(0, "")) == 3);
  CHECK(current_value_size(list, collection(2, part("ab") + part("c"))) == 3 + (1 + 2) + (1 + 1));
  const Type map = of(Kind::map, {of(Kind::text), of(Kind::int_)});
  CHECK(current_value_size(map, collection(1, part("ab") + part(fixed_bytes(7, 4)))) == 3 + 1 + 2 + 2);
  const Type nested = of(Kind::list, {list});
  const std::string inner = collection(1, part("ab"));
  CHECK(current_value_size(nested, collection(1, part(inner))) == 3 + 1 + inner.size());
}

TEST_CASE("a user type has three bytes, and two per field; what is frozen in it is as it is sent") {
  Type user = of(Kind::udt, {of(Kind::text), of(Kind::int_), of(Kind::list, {of(Kind::text)})});
  const std::string value = part("ab") + part(fixed_bytes(7, 4)) + part(collection(1, part("xyz")));
  CHECK(current_value_size(user, value) == 3 + (2 + 2) + (2 + 2) + (2 + 4 + 3));
  const std::string with_nulls = part("ab");
  CHECK(current_value_size(user, with_nulls) == 3 + (2 + 2) + (2 + 1) + (2 + 1));
  const Type outer = of(Kind::udt, {user});
  const std::string short_value = part("ab");  // of three fields
  CHECK(current_value_size(outer, part(short_value)) == 3 + 2 + (4 + 2) + 4 + 4);
}

TEST_CASE("an id has a byte more per 62 columns") {
  const std::string number = fixed_bytes(7, 4);
  const auto value_size = [&](std::size_t columns) {
    return size_of(table_of(std::vector<Type>(columns - first_value, of(Kind::int_))), {cell_of(number)})
        .values;
  };
  CHECK(value_size(62) == 3);
  CHECK(value_size(63) == 4);
  CHECK(value_size(124) == 4);
  CHECK(value_size(125) == 5);
}

TEST_CASE("a null that was written has a byte") {
  Cell tombstone = cell_of({});
  tombstone.kind = Cell::Kind::tombstone;
  CHECK(size_of(table_of({of(Kind::text)}), {tombstone}).values == 2);
}

TEST_CASE("timestamps and times to live add bytes by the kind of the column") {
  struct Case {
    Type type;
    Cells cells;
    std::size_t timestamps;
    std::size_t expiry;
    std::size_t both;
  };
  const Type text = of(Kind::text);
  const Case cases[] = {
      {text, {cell_of("a")}, 18, 16, 27},
      {of(Kind::list, {text}), {cell_of("a", "1"), cell_of("b", "2")}, 2 * 30 + 19, 2 * 15, 2 * 39 + 19},
      {of(Kind::set, {text}), {cell_of("", "1", "a")}, 14 + 26, 12 + 7, 23 + 26},
      {of(Kind::map, {text, text}), {cell_of("b", "1", "a")}, 17 + 26, 15 + 7, 26 + 26},
      {of(Kind::counter), {cell_of("12345678")}, 51, 0, 51},
  };
  for (const Case& one : cases) {
    schema::Table table = table_of({one.type});
    const auto extra = [&](bool timestamps, bool expires) {
      table.options.client_side_timestamps = timestamps;
      table.options.time_to_live = expires;
      return size_of(table, one.cells).timestamps;
    };
    INFO(to_text(one.type));
    CHECK(extra(false, false) == 0);
    CHECK(extra(true, false) == one.timestamps);
    CHECK(extra(false, true) == one.expiry);
    CHECK(extra(true, true) == one.both);
  }
}

TEST_CASE("collections that are not frozen have the size of frozen ones") {
  const Type text = of(Kind::text);
  const auto values = [&](const Type& type, const Cells& cells) {
    return size_of(table_of({type}), cells).values;
  };
  CHECK(values(of(Kind::list, {text}), {cell_of("ab", "1"), cell_of("c", "2")}) == 1 + 3 + (1 + 2) + (1 + 1));
  CHECK(values(of(Kind::set, {text}), {cell_of("", "1", "ab")}) == 1 + 3 + (1 + 2));
  CHECK(values(of(Kind::map, {text, text}), {cell_of("b", "1", "a")}) == 1 + 3 + (1 + 1 + 1));
  const std::string_view second_field("\0\1", 2);
  CHECK(values(of(Kind::udt, {text, text}), {cell_of("ab", second_field)}) == 1 + 3 + (1 + 1 + 2));
}

}  // namespace dinette::cql::data::current_size_test
