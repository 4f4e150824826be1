// Values of every type: as literals, bound, null, not set, of no bytes, of a wrong length, in keys and
// outside of them (docs/service-keyspaces/types.md sections 1 to 6).
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/statements/session.h"
#include "support/hex.h"

namespace dinette::cql::values_test {

using test::bound;
using ::test::from_hex;
using test::null;
using test::Session;
using test::unset;
using Rows = std::vector<std::string>;

namespace {

struct Sample {
  std::string type;
  std::string literal;
  std::string hex;        ///< its bytes
  std::string shown;      ///< as SELECT JSON shows it, without the quotes of a string
  std::string wrong_hex;  ///< bytes that are no value; empty: all are
  std::string refusal;    ///< of those
  bool may_be_empty = true;
  bool may_be_key = true;
  bool is_frozen = true;  ///< one value, not a cell per element
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = {
      {"ascii", "'ab'", "6162", "ab", "6180", "Invalid byte for ascii: -128"},
      {"bigint", "-5", "fffffffffffffffb", "-5", "00", "Expected 8 or 0 byte long (1)"},
      {"blob", "0xCAFE", "cafe", "0xcafe", "", ""},
      {"boolean", "True", "01", "true", "0000", "Expected 1 or 0 byte value (2)"},
      {"date", "'2015-05-03'", "800040ae", "2015-05-03", "00", "Expected 4 byte long for date (1)", false},
      {"decimal", "123456789.123456789", "00000009 01b69b4bacd05f15", "123456789.123456789", "000000",
       "Expected 0 or at least 4 bytes (3)"},
      {"double", "1.5", "3ff8000000000000", "1.5", "00", "Expected 8 or 0 byte value for a double (1)"},
      {"float", "-0.0", "80000000", "-0.0", "00", "Expected 4 or 0 byte value for a float (1)"},
      {"inet", "'::1'", "00000000000000000000000000000001", "0:0:0:0:0:0:0:1", "00ff",
       "Expected 4 or 16 byte inetaddress; got 00ff"},
      {"int", "-1", "ffffffff", "-1", "0000", "Expected 4 or 0 byte int (2)"},
      {"smallint", "-2", "fffe", "-2", "00", "Expected 2 bytes for a smallint (1)", false},
      {"text", "'\xC3\xA4'", "c3a4", "\xC3\xA4", "c328", "String didn't validate."},
      {"varchar", "$$it's$$", "69742773", "it's", "ff", "String didn't validate."},
      {"time", "'08:12:54.123456789'", "00001ae5c31f8915", "08:12:54.123456789", "00",
       "Expected 8 byte long for time (1)", false},
      {"timestamp", "'2011-02-03T04:05:00Z'", "0000012de9b1cde0", "2011-02-03 04:05:00.000Z", "00",
       "Expected 8 or 0 byte long for date (1)"},
      {"timeuuid", "13814000-1dd2-11b2-8080-808080808080", "138140001dd211b28080808080808080",
       "13814000-1dd2-11b2-8080-808080808080", "00000000000040008000000000000000",
       "Invalid version for TimeUUID type."},
      {"uuid", "550e8400-e29b-41d4-a716-446655440000", "550e8400e29b41d4a716446655440000",
       "550e8400-e29b-41d4-a716-446655440000", "00", "UUID should be 16 or 0 bytes (1)"},
      {"tinyint", "-128", "80", "-128", "0000", "Expected 1 byte for a tinyint (2)", false},
      {"varint", "123456789012345678901234567890", "018ee90ff6c373e0ee4e3f0ad2",
       "123456789012345678901234567890", "4b3b4ca85a86c47a098a224000000001", "Varint value is out of range."},
      {"duration", "1mo2d3ns", "020406", "1mo2d3ns", "0000", "Expected at least 3 bytes for a duration (2)",
       false, false},
      {"list<int>", "[1, 2]", "00000002 00000004 00000001 00000004 00000002", "[1, 2]", "7fffffff",
       "Not enough bytes to read a list", false, false, false},
      {"set<text>", "{'b', 'a', 'b'}", "00000002 00000001 61 00000001 62", R"(["a", "b"])", "00000000 00",
       "Unexpected extraneous bytes after set value", false, false, false},
      {"map<text, int>", "{'a': 1}", "00000001 00000001 61 00000004 00000001", R"({"a": 1})",
       "00000001 00000001 61", "Not enough bytes to read a map", false, false, false},
      {"frozen<list<int>>", "[1, 2]", "00000002 00000004 00000001 00000004 00000002", "[1, 2]",
       "00000001 00000001 00", "Expected 4 or 0 byte int (1)", false},
      {"frozen<set<text>>", "{}", "00000000", "[]", "ffffffff", "Not enough bytes to read a set", false},
      {"frozen<map<text, int>>", "{}", "00000000", "{}", "00000001 00000001 61 ffffffff",
       "null is not supported inside collections", false},
      {"list<frozen<set<int>>>", "[{2, 1}]", "00000001 00000014 00000002 00000004 00000001 00000004 00000002",
       "[[1, 2]]", "00000001 00000001 00", "Not enough bytes to read a set", false, false, false},
      {"tuple<int, text>", "(1, null)", "00000004 00000001 ffffffff", "[1, null]", "0000",
       "Not enough bytes to read size of 0th component"},
      {"frozen<u>", "{a: 1, b: 'x'}", "00000004 00000001 00000001 78", R"({"a": 1, "b": "x"})",
       "00000004 00000001 00000002 78", "Not enough bytes to read 1th field b"},
      {"u", "{a: 1, b: 'x'}", "00000004 00000001 00000001 78", R"({"a": 1, "b": "x"})",
       "00000004 00000001 00000001 78 00", "Invalid remaining data after end of UDT value", true, false,
       false},
  };
  return all;
}

test::Bound bytes(const std::string& hex) {
  return {frames::Value::State::bytes, from_hex(hex)};
}

}  // namespace

TEST_CASE("values of every type are the same as literals and bound, and null and not set beside them") {
  for (const Sample& sample : samples()) {
    INFO(sample.type << " " << sample.literal);
    Session session;
    session.ok("CREATE TYPE u (a int, b text)");
    session.ok("CREATE TABLE t (p int PRIMARY KEY, v " + sample.type + ")");
    session.ok("INSERT INTO t (p, v) VALUES (1, " + sample.literal + ")");
    session.ok("INSERT INTO t (p, v) VALUES (2, ?)", {bytes(sample.hex)});
    for (const char* p : {"1", "2"}) {
      CHECK(session.one("SELECT v FROM t WHERE p = " + std::string(p)) == sample.shown);
    }
    const auto both = session.execute("SELECT v FROM t", {}, {});
    const auto& rows = std::get<statements::RowSet>(*both).rows;
    CHECK(rows.at(0) == rows.at(1));
    CHECK(rows.at(0).at(0).value() == from_hex(sample.hex));
    session.ok("UPDATE t SET v = ? WHERE p = 1", {unset()});
    CHECK(session.one("SELECT v FROM t WHERE p = 1") == sample.shown);
    session.ok("UPDATE t SET v = ? WHERE p = 1", {null()});
    CHECK(session.one("SELECT v FROM t WHERE p = 1") == "null");
    session.ok("INSERT INTO t (p, v) VALUES (2, null)");
    CHECK(session.one("SELECT v FROM t WHERE p = 2") == "null");
  }
}

TEST_CASE("bound values of wrong bytes are refused, and of no bytes where no bytes are no value") {
  for (const Sample& sample : samples()) {
    INFO(sample.type);
    Session session;
    session.ok("CREATE TYPE u (a int, b text)");
    session.ok("CREATE TABLE t (p int PRIMARY KEY, v " + sample.type + ")");
    if (!sample.wrong_hex.empty()) {
      CHECK(session.one("INSERT INTO t (p, v) VALUES (1, ?)", {bytes(sample.wrong_hex)}) ==
            "2200: " + sample.refusal);
    }
    CHECK(session.run("INSERT INTO t (p, v) VALUES (1, ?)", {bytes("")}).empty() == sample.may_be_empty);
    // Elements that have no bytes are none, so that a user type that is not frozen is null.
    if (!sample.may_be_empty || !sample.is_frozen) continue;
    const auto outcome = session.execute("SELECT v FROM t", {}, {});
    CHECK(std::get<statements::RowSet>(*outcome).rows.at(0).at(0).value().empty());
  }
}

TEST_CASE("values of every type that may be one are found as keys, of both kinds") {
  for (const Sample& sample : samples()) {
    INFO(sample.type);
    Session session;
    session.ok("CREATE TYPE u (a int, b text)");
    const auto created = session.run("CREATE TABLE t (p " + sample.type + ", c " + sample.type +
                                     ", v int, PRIMARY KEY (p, c)) WITH CLUSTERING ORDER BY (c DESC)");
    CHECK(created.empty() == sample.may_be_key);
    if (!sample.may_be_key) continue;
    session.ok("INSERT INTO t (p, c, v) VALUES (?, ?, 7)", {bytes(sample.hex), bytes(sample.hex)});
    CHECK(session.one("SELECT p, c, v FROM t WHERE p = " + sample.literal + " AND c = " + sample.literal) ==
          sample.shown + " | " + sample.shown + " | 7");
    CHECK(session.one("SELECT v FROM t WHERE p IN (?) AND c >= ? AND c <= ?",
                      {bytes(sample.hex), bytes(sample.hex), bytes(sample.hex)}) == "7");
    const std::string insert = "INSERT INTO t (p, c) VALUES (?, ?)";
    for (const char* column : {"p", "c"}) {
      const bool first = *column == 'p';
      const auto key = [&](const test::Bound& value) {
        return std::vector<test::Bound>{first ? value : bytes(sample.hex), first ? bytes(sample.hex) : value};
      };
      CHECK(session.one(insert, key(null())) ==
            std::string("2200: Invalid null value in condition for column ") + column);
      CHECK(session.one(insert, key(unset())) ==
            std::string("2200: Invalid unset value for column ") + column);
      if (!sample.wrong_hex.empty())
        CHECK(session.one(insert, key(bytes(sample.wrong_hex))) == "2200: " + sample.refusal);
    }
    CHECK(session.one("SELECT v FROM t WHERE p = " + sample.literal + " AND c = ?", {null()}) ==
          "2200: Invalid null value in condition for column c");
    if (!sample.may_be_empty) continue;
    CHECK(session.one(insert, {bytes(""), bytes(sample.hex)}) == "2200: Key may not be empty");
    session.ok(insert, {bytes(sample.hex), bytes("")});
    CHECK(session.run("SELECT v FROM t WHERE p = " + sample.literal) == Rows{"7", "null"});
  }
}

TEST_CASE("a partition key of several columns may have an empty one") {
  Session session;
  session.ok("CREATE TABLE t (p text, q text, PRIMARY KEY ((p, q)))");
  session.ok("INSERT INTO t (p, q) VALUES ('', '')");
  CHECK(session.run("SELECT q FROM t WHERE p = '' AND q = ''").size() == 1);
}

TEST_CASE("constants are taken by the types that have them") {
  Session session;
  session.ok(
      "CREATE TABLE t (p int PRIMARY KEY, i int, s smallint, n tinyint, b bigint, v varint, e decimal, d "
      "double, "
      "x text, a ascii, y blob, o boolean, u uuid, at timestamp, day date, h time, r duration, l inet)");
  const auto set = [&](const std::string& column, const std::string& value) {
    const auto answer = session.run("UPDATE t SET " + column + " = " + value + " WHERE p = 1");
    return answer.empty() ? "" : answer.front();
  };
  const auto shown = [&](const std::string& column, const std::string& value) {
    CHECK(set(column, value).empty());
    return session.one("SELECT " + column + " FROM t WHERE p = 1");
  };
  CHECK(set("i", "'1'") == "2200: Invalid STRING constant (1) for \"i\" of type int");
  CHECK(set("x", "1") == "2200: Invalid INTEGER constant (1) for \"x\" of type text");
  CHECK(set("i", "00000000-0000-1000-8080-808080808080") ==
        "2200: Invalid UUID constant (00000000-0000-1000-8080-808080808080) for \"i\" of type int");
  CHECK(set("i", "1.5") == "2200: Invalid FLOAT constant (1.5) for \"i\" of type int");
  CHECK(set("x", "true") == "2200: Invalid BOOLEAN constant (true) for \"x\" of type text");
  CHECK(set("x", "0xff") == "2200: Invalid HEX constant (0xff) for \"x\" of type text");
  CHECK(set("x", "1mo") == "2200: Invalid DURATION constant (1mo) for \"x\" of type text");
  CHECK(set("y", "'ff'") == "2200: Invalid STRING constant (ff) for \"y\" of type blob");
  CHECK(set("u", "'550e8400-e29b-41d4-a716-446655440000'").starts_with("2200: Invalid STRING constant"));
  CHECK(set("i", "''") == "2200: Invalid STRING constant () for \"i\" of type int");

  CHECK(set("n", "-129") == "2200: Unable to make byte from '-129'");
  CHECK(set("s", "32768") == "2200: Unable to make short from '32768'");
  CHECK(set("i", "2147483648") == "2200: Unable to make int from '2147483648'");
  CHECK(set("b", "9223372036854775808") == "2200: Unable to make long from '9223372036854775808'");
  CHECK(set("v", "1" + std::string(38, '0')).empty());
  CHECK(set("v", "1" + std::string(37, '0') + "1") == "2200: Varint value is out of range.");
  CHECK(set("v", "-1" + std::string(39, '0')) == "2200: Varint value is out of range.");
  CHECK(set("e", "1e99999999999") == "2200: unable to make BigDecimal from '1e99999999999'");
  CHECK(set("a", "'\xC3\xA4'").starts_with("2200: Invalid ASCII character in string literal: "));

  CHECK(shown("e", "-1.50") == "-1.50");
  CHECK(shown("e", "7") == "7");
  CHECK(shown("e", "1e3") == "1E+3");
  CHECK(shown("d", "7") == "7.0");
  CHECK(shown("d", "NaN") == "NaN");
  CHECK(shown("d", "-Infinity") == "-Infinity");
  CHECK(shown("d", "1e400") == "Infinity");
  CHECK(shown("y", "0x") == "0x");
  CHECK(shown("o", "FALSE") == "false");

  CHECK(shown("day", "'-5877641-06-23'") == "-5877641-06-23");
  CHECK(shown("day", "'5881580-07-11'") == "5881580-07-11");
  CHECK(shown("day", "2147483648") == "1970-01-01");
  CHECK(set("day", "'5881580-07-12'") == "2200: Unable to coerce '5881580-07-12' to a formatted date (long)");
  CHECK(set("day", "4294967296") == "2200: Unable to make unsigned int (for date) from: '4294967296'");

  CHECK(shown("h", "'23:59:00'") == "23:59:00.000000000");
  CHECK(shown("h", "86399999999999") == "23:59:59.999999999");
  for (const std::string& text : Rows{"23:59", "foo", "24:00:00", "12:34:60", ""})
    CHECK(set("h", "'" + text + "'") ==
          "2200: (TimeType) Unable to coerce '" + text + "' to a formatted time (long)");
  for (const std::string& number : Rows{"86400000000000", "-1"}) {
    const std::string refused = "2200: Unable to make long (for time) from: '" + number + "'";
    CHECK(set("h", number) == refused);
    CHECK(set("h", "'" + number + "'") == refused);
  }

  for (const char* text : {"'2011-02-03T04:05Z'", "'2011-02-03 04:05:00'", "'2011-02-03 04:05:00.000+0000'",
                           "'2011-02-03 05:05:00+01'", "'2011-02-03T06:35:00+02:30'",
                           "'2011-02-03 04:05:00 GMT'", "1296705900000"}) {
    CHECK(shown("at", text) == "2011-02-03 04:05:00.000Z");
  }
  CHECK(shown("at", "'2011-02-03'") == "2011-02-03 00:00:00.000Z");
  CHECK(shown("at", "''").empty());
  CHECK(set("day", "''") == "2200: Unable to coerce '' to a formatted date (long)");
  CHECK(set("at", "'2011-02-30'") == "2200: Unable to coerce '2011-02-30' to a formatted date (long)");
  CHECK(set("at", "'soon'") == "2200: Unable to coerce 'soon' to a formatted date (long)");

  CHECK(shown("r", "1y2mo3w4d5h6m7s8ms9us10ns") == "1y2mo25d5h6m7s8ms9us10ns");
  CHECK(shown("r", "-1Y2MO") == "-1y2mo");
  CHECK(shown("r", "P1Y2M3DT4H5M6S") == "1y2mo3d4h5m6s");
  CHECK(shown("r", "P3W") == "21d");
  CHECK(shown("r", "P0001-02-03T04:05:06") == "1y2mo3d4h5m6s");
  CHECK(shown("r", "-P0001-02-03T04:05:06") == "-1y2mo3d4h5m6s");
  CHECK(shown("r", "'P0001-02-03T04:05:06'") == "1y2mo3d4h5m6s");
  CHECK(shown("r", "7\xC2\xB5s") == "7us");
  CHECK(shown("r", "178956970y7mo") == "178956970y7mo");
  CHECK(set("r", "'-1x'") == "2200: Unable to convert '1x' to a duration");
  CHECK(set("r", "'-P1X'") == "2200: Unable to convert 'P1X' to a duration");
  const std::string wrong = "2200: Invalid duration. The ";
  CHECK(set("r", "1d1mo") == wrong + "days should be after months");
  CHECK(set("r", "1s1h") == wrong + "seconds should be after hours");
  CHECK(set("r", "1h1h") == wrong + "hours are specified multiple times");
  CHECK(set("r", "1us1\xC2\xB5s") == wrong + "microseconds are specified multiple times");
  CHECK(set("r", "178956970y8mo") == wrong + "total number of months must be less or equal to 2147483647");
  CHECK(set("r", "2147483648d") == wrong + "total number of days must be less or equal to 2147483647");
  CHECK(set("r", "2562048h") == wrong + "total number of nanoseconds must be less or equal to 2147483647");

  CHECK(shown("l", "'127.0.0.1'") == "127.0.0.1");
  CHECK(shown("l", "'2001:db8::ff'") == "2001:db8:0:0:0:0:0:ff");
  CHECK(shown("l", "'::ffff:1.2.3.4'") == "1.2.3.4");
  CHECK(shown("l", "''").empty());
  CHECK(set("l", "'localhost'") == "2200: Unable to make inet address from 'localhost'");
}

TEST_CASE("literals of collections, tuples and user types are of the type of their column") {
  Session session;
  session.ok("CREATE TYPE u (a int, b text)");
  session.ok(
      "CREATE TABLE t (p int PRIMARY KEY, v int, l list<int>, s set<int>, m map<text, int>, fl "
      "frozen<list<int>>, "
      "f frozen<u>, z tuple<int, text>)");
  const std::string where = " WHERE p = 1";
  session.refuses({
      {"UPDATE t SET l = [?]" + where,
       "2200: Invalid list literal for l: bind variables are not supported inside collection literals"},
      {"UPDATE t SET s = {?}" + where,
       "2200: Invalid set literal for s: bind variables are not supported inside collection literals"},
      {"UPDATE t SET m = {'a': ?}" + where,
       "2200: Invalid map literal for m: bind variables are not supported inside collection literals"},
      {"UPDATE t SET s = {null}" + where, "2200: null is not supported inside collections"},
      {"UPDATE t SET m = {'a': null}" + where, "2200: null is not supported inside collections"},
      {"UPDATE t SET s = {'a'}" + where, "2200: Invalid set literal for s: value 'a' is not of type int"},
      {"UPDATE t SET m = {1: 1}" + where, "2200: Invalid map literal for m: key 1 is not of type text"},
      {"UPDATE t SET m = {'a': 'b'}" + where,
       "2200: Invalid map literal for m: value 'b' is not of type int"},
      {"UPDATE t SET v = [1]" + where, "2200: Invalid list literal for v of type int"},
      {"UPDATE t SET l = {1}" + where, "2200: Invalid set literal for l of type list<int>"},
      {"UPDATE t SET l = {'a': 1}" + where, "2200: Invalid map literal for l of type list<int>"},
      {"UPDATE t SET v = {a: 1}" + where, "2200: Invalid user type literal for v of type int"},
      {"UPDATE t SET f = {a: 'x'}" + where,
       "2200: Invalid user type literal for f: field a is not of type int"},
      {"UPDATE t SET f = {z: 1}" + where, "2200: Unknown field 'z' in value of user defined type u"},
      {"UPDATE t SET v = (1, 2)" + where, "2200: Invalid tuple type literal for v of type int"},
      {"UPDATE t SET z = ('a', 'b')" + where,
       "2200: Invalid tuple literal for z: component 0 is not of type int"},
      {"UPDATE t SET z = (1, 'a', 2)" + where, "2200: Invalid tuple literal for z: too many elements."},
  });
  session.ok("UPDATE t SET z = (1), f = {b: 'x'}" + where);
  CHECK(session.one("SELECT z, f FROM t") == R"([1, null] | {"a": null, "b": "x"})");
  session.ok("UPDATE t SET m = {'a': 1, 'a': 2}" + where);
  CHECK(session.one("SELECT m FROM t") == R"({"a": 2})");
  session.ok("UPDATE t SET fl = [], l = []" + where);
  CHECK(session.one("SELECT fl, l FROM t") == "[] | null");
}

TEST_CASE("changes of parts are of columns that have them") {
  Session session;
  session.ok("CREATE TYPE u (a int, b text)");
  session.ok(
      "CREATE TABLE t (p int PRIMARY KEY, v int, l list<int>, s set<int>, m map<text, int>, fl "
      "frozen<list<int>>, "
      "fm frozen<map<text, int>>, x u, f frozen<u>)");
  const std::string where = " WHERE p = 1";
  session.refuses({
      {"UPDATE t SET fl = [1] + fl" + where,
       "2200: Invalid operation (fl = [1] + fl) for frozen list column fl"},
      {"UPDATE t SET fl = fl - [1]" + where,
       "2200: Invalid operation (fl = fl - [1]) for frozen collection column fl"},
      {"UPDATE t SET fl[0] = 1" + where,
       "2200: Invalid operation (fl[0] = 1) for frozen collection column fl"},
      {"UPDATE t SET v[0] = 1" + where, "2200: Invalid operation (v[0] = 1) for non collection column v"},
      {"UPDATE t SET s = [1] + s" + where, "2200: Invalid operation (s = [1] + s) for non list column s"},
      {"UPDATE t SET v = v + 1" + where, "2200: Invalid operation (v = v + 1) for non counter column v"},
      {"UPDATE t SET x = x + {a: 1}" + where,
       "2200: Invalid operation (x = x + {a: 1}) for non counter column x"},
      {"UPDATE t SET v.a = 1" + where, "2200: Invalid operation (v.a = 1) for non-UDT column v"},
      {"UPDATE t SET f.a = 1" + where, "2200: Invalid operation (f.a = 1) for frozen UDT column f"},
      {"DELETE fm['a'] FROM t" + where, "2200: Invalid deletion operation for frozen collection column fm"},
      {"DELETE s[1], l[0] FROM t" + where, "2200: Attempted to delete an element from a list which is null"},
      {"UPDATE t SET l[0] = 1" + where, "2200: Attempted to set an element on a list which is null"},
  });
  CHECK(session.one("UPDATE t SET l[?] = 1" + where, {null()}) == "2200: Invalid null value for list index");
  CHECK(session.one("UPDATE t SET m[?] = 1" + where, {null()}) == "2200: Invalid null map key");
  CHECK(session.one("DELETE s[?] FROM t" + where, {null()}) == "2200: Invalid null set element");
  session.ok("UPDATE t SET x.a = 1" + where);
  session.ok("UPDATE t SET x = {a: null, b: null}" + where);
  CHECK(session.run("SELECT x FROM t").empty());  // a null user type is one with null fields
  session.ok("UPDATE t SET m['k'] = 1, s = s + {1, 2}" + where);
  session.ok("UPDATE t SET m['k'] = null, s = s - {1}" + where);
  CHECK(session.one("SELECT m, s FROM t") == "null | [2]");
}

// docs/service-keyspaces/types.md section 7.
TEST_CASE("counters wrap, ignore what is not set, and have no timestamps of clients") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, n counter)");
  session.ok("UPDATE t SET n = n + 9223372036854775807 WHERE p = 1");
  session.ok("UPDATE t SET n = n + 1 WHERE p = 1");
  CHECK(session.one("SELECT n FROM t") == "-9223372036854775808");
  session.ok("UPDATE t SET n = n + ? WHERE p = 1", {unset()});
  session.options().timestamp = 5;
  session.ok("UPDATE t SET n = n - 9223372036854775807 WHERE p = 1");
  CHECK(session.one("SELECT n FROM t") == "1");
  CHECK(session.run("SELECT n FROM t WHERE p = 2").empty());
}

// docs/service-keyspaces/types.md section 7.
TEST_CASE("what a counter is changed by is a counter") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, n counter)");
  for (const char* const change : {"n + ?", "n - ?"}) {
    const auto plan = session.prepare(std::string("UPDATE t SET n = ") + change + " WHERE p = 1");
    REQUIRE(plan);
    CHECK((*plan)->description().binds.at(0).type == Type{.kind = Kind::counter});
  }
  session.ok("UPDATE t SET n = n - ? WHERE p = 1", {bound(std::int64_t{-7})});
  CHECK(session.one("SELECT n FROM t") == "7");
  session.refuses({
      {"UPDATE t SET n = n + 'a' WHERE p = 1", "2200: Invalid STRING constant (a) for \"n\" of type counter"},
      {"UPDATE t SET n = n + [1] WHERE p = 1", "2200: Invalid list literal for n of type counter"},
      {"UPDATE t SET n = n - -9223372036854775808 WHERE p = 1",
       "2200: The negation of -9223372036854775808 overflows supported counter precision (signed 8 bytes "
       "integer)"},
  });
  CHECK(session.one("UPDATE t SET n = n + ? WHERE p = 1", {bound(7)}) ==
        "2200: Expected 8 or 0 byte long (4)");
}

// docs/service-keyspaces/types.md sections 5 and 6.
TEST_CASE("the service compares whole frozen collections and user types for equality alone") {
  Session session(Mode::strict);
  session.ok("CREATE TYPE u (a int)");
  session.ok("CREATE TABLE t (p int PRIMARY KEY, l frozen<list<int>>, f frozen<u>)");
  session.ok("INSERT INTO t (p, l, f) VALUES (1, [1], {a: 1})");
  session.refuses({
      {"UPDATE t SET l = [2] WHERE p = 1 IF l != [1]",
       "2200: Inequality is not supported on column l of type frozen<list<int>>"},
      {"UPDATE t SET l = [2] WHERE p = 1 IF f != {a: 1}",
       "2200: Inequality is not supported on column f of type frozen<u>"},
      {"SELECT * FROM t WHERE l > [1] ALLOW FILTERING",
       "2200: Inequality is not supported on column l of type frozen<list<int>>"},
  });
  CHECK(session.run("SELECT p FROM t WHERE l = [1] ALLOW FILTERING") == Rows{"1"});
  CHECK(session.one("UPDATE t SET l = [2] WHERE p = 1 IF l = [1] AND f IN ({a: 1})") == "true");
  Session lenient;
  lenient.ok("CREATE TABLE t (p int PRIMARY KEY, l frozen<list<int>>)");
  lenient.ok("INSERT INTO t (p, l) VALUES (1, [1])");
  CHECK(lenient.one("UPDATE t SET l = [2] WHERE p = 1 IF l < [1, 1] AND l != [2]") == "true");
}

}  // namespace dinette::cql::values_test
