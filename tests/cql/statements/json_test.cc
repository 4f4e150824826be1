// JSON in and out (docs/service-keyspaces/types.md section 8).
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/statements/session.h"

namespace dinette::cql::json_test {

using test::bound;
using test::Session;
using Rows = std::vector<std::string>;

namespace {

struct Sample {
  std::string type;
  std::string json;   ///< as it is given
  std::string shown;  ///< as it is returned; empty: the same
};

}  // namespace

TEST_CASE("each type takes its JSON and gives it back") {
  const std::vector<Sample> samples = {
      {"ascii", R"("a")", ""},
      {"text", R"("\u00e4\"\\\n")", "\"\xC3\xA4\\\"\\\\\\n\""},
      {"varchar", R"("\ud83d\ude00")", "\"\xF0\x9F\x98\x80\""},
      {"varchar", R"("\ud800\udc00\udbff\udfff")", "\"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\""},
      {"tinyint", "-5", ""},
      {"smallint", R"("5")", "5"},
      {"int", "5", ""},
      {"bigint", R"("9223372036854775807")", "9223372036854775807"},
      {"varint", "123456789012345678901234567890", ""},
      {"decimal", R"("1.50")", "1.50"},
      {"decimal", "7", ""},
      {"float", "1", "1.0"},
      {"double", R"("2.5")", "2.5"},
      {"double", R"("NaN")", "NaN"},
      {"double", R"("-Infinity")", "-Infinity"},
      {"blob", R"("0xCAFE")", R"("0xcafe")"},
      {"boolean", "true", ""},
      {"boolean", R"("false")", "false"},
      {"date", R"("2015-05-03")", ""},
      {"time", R"("08:12:54.123456789")", ""},
      {"timestamp", "0", R"("1970-01-01 00:00:00.000Z")"},
      {"timestamp", R"("2011-02-03T04:05:00Z")", R"("2011-02-03 04:05:00.000Z")"},
      {"inet", R"("127.0.0.1")", ""},
      {"uuid", R"("550e8400-e29b-41d4-a716-446655440000")", ""},
      {"timeuuid", R"("13814000-1dd2-11b2-8080-808080808080")", ""},
      {"list<int>", "[1, 2, 1]", ""},
      {"list<int>", R"("[1]")", "[1]"},
      {"set<int>", "[2, 1, 2]", "[1, 2]"},
      {"tuple<int, text>", R"([1, null])", ""},
      {"map<int, text>", R"({"2": "b", "1": "a"})", R"({"1": "a", "2": "b"})"},
      {"map<text, int>", R"("{\"k\": 1}")", R"({"k": 1})"},
      {"frozen<list<frozen<map<text, boolean>>>>", R"([{"a": true}])", ""},
      {"u", R"({"a": 1, "\"B\"": "x"})", R"({"a": 1, "\"B\"": "x"})"},
      {"frozen<u>", R"({"a": 1})", R"({"a": 1, "\"B\"": null})"},
  };
  for (const Sample& sample : samples) {
    INFO(sample.type << " " << sample.json);
    Session session;
    session.ok("CREATE TYPE u (a int, \"B\" text)");
    session.ok("CREATE TABLE t (p int PRIMARY KEY, v " + sample.type + ")");
    session.ok("INSERT INTO t JSON ?", {bound(R"({"p": 1, "v": )" + sample.json + "}")});
    const auto outcome = session.execute("SELECT JSON v FROM t", {}, {});
    const auto& row = std::get<statements::RowSet>(*outcome).rows.at(0);
    CHECK(row.at(0).value() == R"({"v": )" + (sample.shown.empty() ? sample.json : sample.shown) + "}");
  }
}

TEST_CASE("a row as JSON has the selected columns in their order, and names in quotes where they need them") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, \"V\" int, w text)");
  session.ok("INSERT INTO t (p, \"V\") VALUES (1, 2)");
  const auto shown = [&](const std::string& selection) {
    const auto outcome = session.execute("SELECT JSON " + selection + " FROM t", {}, {});
    return std::get<statements::RowSet>(*outcome).rows.at(0).at(0).value();
  };
  CHECK(shown("*") == R"({"p": 1, "\"V\"": 2, "w": null})");
  CHECK(shown("w, p AS key") == R"({"w": null, "key": 1})");
}

TEST_CASE("columns that JSON lacks become null or stay, and of a name given twice the last value counts") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int, w int)");
  session.ok("INSERT INTO t (p, v, w) VALUES (1, 1, 1)");
  session.ok(R"(INSERT INTO t JSON '{"p": 1, "v": 2, "V": 3}' DEFAULT UNSET)");
  CHECK(session.one("SELECT v, w FROM t") == "3 | 1");
  session.ok(R"(INSERT INTO t JSON '{"p": 1, "w": 5}' DEFAULT NULL)");
  CHECK(session.one("SELECT v, w FROM t") == "null | 5");
  CHECK(session.one(R"(INSERT INTO t JSON '{"p": 1}' IF NOT EXISTS)") == "false | 1 | null | 5");
  session.ok(R"(INSERT INTO t JSON '{"p": 2, "v": 1}' USING TTL 10 AND TIMESTAMP 5)");
  CHECK(session.one("SELECT ttl(v), writetime(v) FROM t WHERE p = 2") == "10 | 5");
}

TEST_CASE("JSON that does not fit is refused with the column and the reason") {
  Session session;
  session.ok("CREATE TYPE u (a int)");
  session.ok(
      "CREATE TABLE t (p int PRIMARY KEY, v int, x text, l list<int>, s set<int>, m map<text, int>, b blob, "
      "z tuple<int, text>, f frozen<u>, n varint, e decimal, d inet, "
      "big bigint, at timestamp)");
  const auto insert = [&](const std::string& member) {
    return session.one("INSERT INTO t JSON ?", {bound(R"({"p": 1, )" + member + "}")});
  };
  const std::string wrong = "2200: Error decoding JSON value for ";
  CHECK(insert(R"("nix": 1)") == "2200: JSON values map contains unrecognized column: nix");
  CHECK(insert(R"("v": true)") == wrong + "v: Expected an int value, but got a Boolean: true");
  CHECK(insert(R"("v": [1, "a"])") == wrong + "v: Expected an int value, but got a ArrayList: [1, a]");
  CHECK(insert(R"("v": {"a": null})") ==
        wrong + "v: Expected an int value, but got a LinkedHashMap: {a=null}");
  CHECK(insert(R"("v": "")") == wrong + "v: Unable to make int from ''");
  CHECK(insert(R"("v": 30.0)") == wrong + "v: Expected an int value, but got a Double: 30.0");
  CHECK(insert(R"("v": 1e2)") == wrong + "v: Expected an int value, but got a Double: 100.0");
  CHECK(insert(R"("v": 9999999999)") == wrong + "v: Expected an int value, but got a Long: 9999999999");
  CHECK(insert(R"("big": 1.0)") == wrong + "big: Expected a bigint value, but got a Double: 1.0");
  CHECK(insert(R"("big": 99999999999999999999)") ==
        wrong + "big: Expected a bigint value, but got a BigInteger: 99999999999999999999");
  session.ok("INSERT INTO t JSON ?", {bound(R"({"p": 1, "big": 9999999999})")});
  CHECK(insert(R"("x": 5)") == wrong + "x: Expected a UTF-8 string, but got a Integer: 5");
  CHECK(insert(R"("x": 5000000000)") == wrong + "x: Expected a UTF-8 string, but got a Long: 5000000000");
  CHECK(insert(R"("x": 1.5)") == wrong + "x: Expected a UTF-8 string, but got a Double: 1.5");
  CHECK(insert(R"("x": 99999999999999999999)") ==
        wrong + "x: Expected a UTF-8 string, but got a BigInteger: 99999999999999999999");
  CHECK(insert(R"("d": 5)") ==
        wrong + "d: Expected a string representation of an inet value, but got a Integer: 5");
  CHECK(insert(R"("l": 5)") == wrong + "l: Expected a list, but got a Integer: 5");
  CHECK(insert(R"("l": [null])") == wrong + "l: Invalid null element in list");
  CHECK(insert(R"("s": [null])") == wrong + "s: Invalid null element in set");
  CHECK(insert(R"("m": [])") == wrong + "m: Expected a map, but got a ArrayList: []");
  CHECK(insert(R"("m": {"a": null})") == wrong + "m: Invalid null value in map");
  CHECK(insert(R"("b": "CAFE")") == wrong +
                                        "b: Value 'CAFE' is not a valid blob representation: String "
                                        "representation of blob is missing 0x prefix: CAFE");
  CHECK(insert(R"("b": "0xCAF")") ==
        wrong + "b: Value '0xCAF' is not a valid blob representation: cannot parse 'CAF' as hex bytes");
  CHECK(insert(R"("z": [1, "a", 2])") == wrong + "z: Tuple contains extra items (expected 2): [1, a, 2]");
  CHECK(insert(R"("z": [1])") == wrong + "z: Tuple is missing items (expected 2): [1]");
  CHECK(insert(R"("f": {"nix": 1})") == wrong + "f: Unknown field 'nix' in value of user defined type u");
  CHECK(insert(R"("f": {"ZZ": 1})") == wrong + "f: Unknown field 'zz' in value of user defined type u");
  CHECK(insert(R"("f": {"\"ZZ\"": 1})") == wrong + "f: Unknown field 'ZZ' in value of user defined type u");
  for (const auto& [json, shown] : std::vector<std::pair<std::string, std::string>>{
           {R"("x")", "x"}, {"true", "true"}, {R"("")", ""}, {"[1]", "[1]"}, {R"({"a": 1})", "{a=1}"}}) {
    CHECK(insert(R"("n": )" + json) ==
          wrong + "n: Value '" + shown + "' is not a valid representation of a varint value");
    CHECK(insert(R"("e": )" + json) ==
          wrong + "e: Value '" + shown + "' is not a valid representation of a decimal value");
  }
  CHECK(insert(R"("n": 1e2)") == wrong + "n: Value '100.0' is not a valid representation of a varint value");
  const std::string no_time =
      wrong + "at: Expected a long or a datestring representation of a timestamp value, but got a ";
  CHECK(insert(R"("at": true)") == no_time + "Boolean: true");
  CHECK(insert(R"("at": 1.5)") == no_time + "Double: 1.5");
  CHECK(insert(R"("l": "x")").starts_with(wrong + "l: Error decoding JSON string: "));
  CHECK(insert(R"("s": "x")").starts_with(wrong + "s: Error decoding JSON string: "));
  CHECK(insert(R"("m": "x")").starts_with(wrong + "m: Error decoding JSON string: "));
  CHECK(insert(R"("z": "x")").starts_with(wrong + "z: Error decoding JSON string: "));
  CHECK(insert(R"("s": "\"a\"")") == wrong + "s: Expected a list (representing a set), but got a String: a");
  CHECK(session.one("INSERT INTO t JSON 'null'") == "2200: Got null for INSERT JSON values");
  for (const char* text :
       {"{", "[]", R"({"p" 1})", R"({"p": "\ud800"})", R"({"p": "\ud800\udbff"})", R"({"p": "\ud800\ue000"})",
        R"({"p": "\udc00"})", "5", R"({"p": 01})", R"({"p": -01})", R"({"p": 1.})", R"({"p": .5})",
        R"({"p": +5})", R"({"p": 1.2.3})", R"({"p": -})", R"({"p": 1e})", R"({"p": 1e+})", R"({"p": 1-2})",
        R"({"p": nullx})"}) {
    CHECK(session.one("INSERT INTO t JSON ?", {bound(text)}) ==
          "2200: Could not decode JSON string as a map: it is none. (String was: " + std::string(text) + ")");
  }
  // What follows the object is not looked at.
  session.ok("INSERT INTO t JSON ?", {bound(R"({"p": 0, "v": 7} x)")});
  CHECK(session.one("SELECT v FROM t WHERE p = 0") == "7");
  CHECK(session.one(R"(INSERT INTO t JSON '{"v": 1}')") ==
        "2200: Invalid null value in condition for column p");
}

}  // namespace dinette::cql::json_test
