#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <catch2/catch.hpp>

#include "tablestore/table.h"

/// A table that SQL sees, and what statements return.
namespace dinette::tablestore::test {

/// Reads a buffer of FlatBuffers as clients do: SQLResponseColumns.
class Columns {
 public:
  explicit Columns(std::string bytes) : bytes_(std::move(bytes)) {}

  /// Shows it: the names and types of columns, and the rows.
  std::string shown() const {
    const std::size_t root = number<std::uint32_t>(0);
    const std::size_t columns = target(field(root, 0));
    const auto count = number<std::uint32_t>(columns);
    const std::size_t row_count_at = field(root, 1);
    const auto rows = row_count_at == 0 ? 0 : number<std::uint64_t>(row_count_at);
    std::string text;
    for (std::uint32_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + header(column(columns, i));
    for (std::uint64_t row = 0; row < rows; ++row) {
      text += " |";
      for (std::uint32_t i = 0; i < count; ++i) text += " " + value(column(columns, i), row);
    }
    return text;
  }

 private:
  template <class Number>
  Number number(std::size_t at) const {
    REQUIRE(at + sizeof(Number) <= bytes_.size());
    Number read{};
    std::memcpy(&read, bytes_.data() + at, sizeof read);
    return read;
  }
  std::size_t target(std::size_t at) const { return at + number<std::uint32_t>(at); }
  /// Returns where a field of a table is; 0: it is absent.
  std::size_t field(std::size_t table, std::size_t place) const {
    const auto list =
        static_cast<std::size_t>(static_cast<std::int64_t>(table) - number<std::int32_t>(table));
    const std::size_t at = 4 + 2 * place;
    if (at >= number<std::uint16_t>(list)) return 0;
    const auto offset = number<std::uint16_t>(list + at);
    return offset == 0 ? 0 : table + offset;
  }
  std::size_t element(std::size_t vector, std::size_t place, std::size_t size) const {
    REQUIRE(place < number<std::uint32_t>(vector));
    return vector + 4 + place * size;
  }
  std::size_t column(std::size_t columns, std::size_t place) const {
    return target(element(columns, place, 4));
  }
  std::string text(std::size_t at) const { return bytes_.substr(at + 4, number<std::uint32_t>(at)); }

  int type_of(std::size_t column) const {
    const std::size_t at = field(column, 1);
    return at == 0 ? 0 : number<std::int8_t>(at);
  }
  /// Shows the type, of a date or time with which one it is: "7.1".
  std::string header(std::size_t column) const {
    const std::size_t complex = target(field(column, 3));
    const int logic = number<std::int8_t>(field(complex, 0));
    CHECK(number<std::int8_t>(field(complex, 1)) == (logic == 0 ? 0 : 1));
    return text(target(field(column, 0))) + ":" + std::to_string(type_of(column)) +
           (logic == 0 ? "" : "." + std::to_string(logic));
  }
  std::string value(std::size_t column, std::size_t row) const {
    const std::size_t values = target(field(column, 2));
    const std::size_t nulls = target(field(values, 0));
    if (number<std::int8_t>(element(nulls, row, 1)) != 0) return "NULL";
    const int type = type_of(column);
    const std::size_t own = target(field(values, static_cast<std::size_t>(type == 7 ? 1 : type)));
    switch (type) {
      case 1:
      case 7:
        return std::to_string(number<std::int64_t>(element(own, row, 8)));
      case 2:
        return number<std::int8_t>(element(own, row, 1)) != 0 ? "true" : "false";
      case 3:
        return std::to_string(number<double>(element(own, row, 8)));
      case 4:
        return text(target(element(own, row, 4)));
      default:
        return text(target(field(target(element(own, row, 4)), 0)));
    }
  }

  const std::string bytes_;
};

/// A table `T` with a mapping.
class Mapped {
 public:
  Mapped() {
    run("create table T (gid bigint(20), uid varchar(1024), age bigint(20), grade double, name mediumtext, "
        "ok bool, raw mediumblob, primary key(gid, uid))");
    put(1, 10, 5.5, "x");
    put(2, 20, 4.5, "y");
    put(3, 10, 9.5, "xy");
    table.put(key(4, "a"), {{.name = "ok", .value = Value::boolean(true)},
                            {.name = "raw", .value = Value::binary("\x01z")},
                            {.name = "age", .value = Value::string("none")}});
  }

  void put(std::int64_t gid, std::int64_t age, double grade, std::string_view name) {
    table.put(key(gid, "a"), {{.name = "age", .value = Value::integer(age)},
                              {.name = "grade", .value = Value::real(grade)},
                              {.name = "name", .value = Value::string(name)}});
  }
  api::SQLQueryResponse response(std::string_view query) {
    return server.ok<api::SQLQueryResponse>(
        "SQLQuery", api::SQLQueryRequest{.query = query, .version = api::SQLPayloadVersion::flat_buffers});
  }
  /// Returns the result as text; "ok" if there is none; an error as "code: message".
  std::string run(std::string_view query) {
    const Reply reply = server.call(
        "SQLQuery", api::SQLQueryRequest{.query = query, .version = api::SQLPayloadVersion::flat_buffers});
    if (reply.status != 200) return reply.refusal();
    const auto response = codec::decode_message<api::SQLQueryResponse>(reply.body).value();
    return response.rows ? Columns(*response.rows).shown() : "ok";
  }

  Server server;
  Table table{server};
};

}  // namespace dinette::tablestore::test
