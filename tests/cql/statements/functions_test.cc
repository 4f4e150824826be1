// Functions, casts, and the names of what they return (docs/service-keyspaces/grammar.md sections 6 and 7;
// docs/service-keyspaces/errors.md section 1).
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/statements/session.h"
#include "support/hex.h"

namespace dinette::cql::functions_test {

using test::bound;
using ::test::from_hex;
using test::null;
using test::Session;
using test::unset;
using Rows = std::vector<std::string>;

TEST_CASE("new uuids are unique for each evaluation, of versions 1 and 4, in all statements") {
  Session session;
  session.ok("CREATE TABLE t (p uuid PRIMARY KEY, a timeuuid, b timeuuid, c uuid)");
  session.ok("INSERT INTO t (p, a, b, c) VALUES (uuid(), now(), currentTimeUUID(), uuid())");
  session.ok("UPDATE t SET a = now(), b = system.now(), c = uuid() WHERE p = uuid()");
  std::set<std::string> seen;
  for (const char* column : {"p", "a", "b", "c"}) {
    for (const std::string& text : session.run("SELECT " + std::string(column) + " FROM t")) {
      REQUIRE(text.size() == 36);
      CHECK(text[14] == (*column == 'a' || *column == 'b' ? '1' : '4'));
      CHECK(std::string("89ab").find(text[19]) != std::string::npos);
      seen.insert(text);
    }
  }
  CHECK(seen.size() == 8);
  const auto two = session.one("SELECT now(), now() FROM t LIMIT 1");
  CHECK(two.substr(0, 36) != two.substr(39));
}

TEST_CASE("functions of times are those of the clock of the world") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, at timestamp, day date, h time)");
  session.ok("INSERT INTO t (p, at, day, h) VALUES (1, currentTimestamp(), currentDate(), currentTime())");
  CHECK(session.one("SELECT at, day, h FROM t") ==
        "2026-11-21 00:16:51.000Z | 2026-11-21 | 00:16:51.000000000");
  CHECK(session.one("SELECT dateOf(now()), unixTimestampOf(now()) FROM t") ==
        "2026-11-21 00:16:51.000Z | 1795220211000");
  CHECK(session.one("SELECT toDate(now()), toTimestamp(now()), toUnixTimestamp(now()) FROM t") ==
        "2026-11-21 | 2026-11-21 00:16:51.000Z | 1795220211000");
  CHECK(
      session.one("SELECT toDate(at), toTimestamp(day), toUnixTimestamp(at), toUnixTimestamp(day) FROM t") ==
      "2026-11-21 | 2026-11-21 00:00:00.000Z | 1795220211000 | 1795219200000");
  CHECK(session.one("SELECT toDate(at) FROM t WHERE p = 1 AND at >= '2026-01-01' ALLOW FILTERING") ==
        "2026-11-21");
}

TEST_CASE("the least and the greatest timeuuid of a moment have fixed low bytes") {
  Session session;
  session.ok("CREATE TABLE t (p int, c timeuuid, PRIMARY KEY (p, c))");
  session.ok("INSERT INTO t (p, c) VALUES (1, minTimeuuid('1970-01-01'))");
  session.ok("INSERT INTO t (p, c) VALUES (1, maxTimeuuid('1970-01-01'))");
  CHECK(session.run("SELECT c FROM t WHERE p = 1") ==
        Rows{"13814000-1dd2-11b2-8080-808080808080", "1381670f-1dd2-11b2-7f7f-7f7f7f7f7f7f"});
  CHECK(session.run("SELECT c FROM t WHERE p = 1 AND c > minTimeuuid(0) AND c <= maxTimeuuid(?)",
                    {bound(std::int64_t{0})}) == Rows{"1381670f-1dd2-11b2-7f7f-7f7f7f7f7f7f"});
}

TEST_CASE("blobs are made of values of each type, and values of blobs") {
  struct Sample {
    std::string type;
    std::string literal;
    std::string hex;
  };
  const std::vector<Sample> samples = {
      {"ascii", "'ab'", "6162"},
      {"bigint", "1", "0000000000000001"},
      {"boolean", "true", "01"},
      {"date", "2147483648", "80000000"},
      {"decimal", "1.5", "000000010f"},
      {"double", "1.5", "3ff8000000000000"},
      {"float", "1.5", "3fc00000"},
      {"inet", "'127.0.0.1'", "7f000001"},
      {"int", "5", "00000005"},
      {"smallint", "5", "0005"},
      {"text", "'a'", "61"},
      {"time", "1", "0000000000000001"},
      {"timestamp", "1", "0000000000000001"},
      {"timeuuid", "13814000-1dd2-11b2-8080-808080808080", "138140001dd211b28080808080808080"},
      {"tinyint", "5", "05"},
      {"uuid", "550e8400-e29b-41d4-a716-446655440000", "550e8400e29b41d4a716446655440000"},
      {"varchar", "'a'", "61"},
      {"varint", "128", "0080"},
      {"duration", "1mo2d3ns", "020406"}};
  for (const Sample& sample : samples) {
    INFO(sample.type);
    Session session;
    session.ok("CREATE TABLE t (p int PRIMARY KEY, b blob, v " + sample.type + ")");
    session.ok("INSERT INTO t (p, v, b) VALUES (1, blobAs" + sample.type + "(0x" + sample.hex + "), " +
               sample.type + "AsBlob(" + sample.literal + "))");
    CHECK(session.one("SELECT b FROM t") == "0x" + sample.hex);
    CHECK(session.one("SELECT " + sample.type + "AsBlob(v) FROM t") == "0x" + sample.hex);
    const auto outcome = session.execute("SELECT v FROM t", {}, {});
    CHECK(std::get<statements::RowSet>(*outcome).rows.at(0).at(0).value() == from_hex(sample.hex));
  }
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY)");
  CHECK(session.one("INSERT INTO t (p) VALUES (blobAsInt(0x0102))") ==
        "2200: In call to function system.blobasint, value 0x0102 is not a valid binary representation for "
        "type "
        "int");
}

TEST_CASE("a value of no bytes is no time, and a blob of no bytes") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, at timestamp)");
  session.ok("INSERT INTO t (p, at) VALUES (1, ?)", {bound("")});
  CHECK(session.one("SELECT toUnixTimestamp(at), timestampAsBlob(at), blobAsTimestamp(0x) FROM t") ==
        "null | 0x | ");
}

TEST_CASE("calls of functions that do not exist or do not fit are refused") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int, b blob, at timestamp)");
  session.ok("INSERT INTO t (p, v) VALUES (1, 1)");
  session.refuses({
      {"SELECT nix(v) FROM t", "2200: Unknown function nix called in selection clause"},
      {"SELECT ks.now() FROM t", "2200: Unknown function ks.now called in selection clause"},
      {"INSERT INTO t (p) VALUES (nix(1))", "2200: Unknown function nix called"},
      {"SELECT v FROM t WHERE p = nix(1)", "2200: Unknown function nix called"},
      {"SELECT toDate(v) FROM t",
       "2200: Invalid call to function system.todate, none of its type signatures match (known type "
       "signatures: "
       "system.todate : (timeuuid) -> date, system.todate : (timestamp) -> date)"},
      {"SELECT now(v) FROM t",
       "2200: Invalid number of arguments in call to function system.now: 0 required but 1 provided"},
      {"INSERT INTO t (p) VALUES (blobAsInt())",
       "2200: Invalid number of arguments in call to function system.blobasint: 1 required but 0 provided"},
      {"SELECT toUnixTimestamp(null) FROM t",
       "2200: Ambiguous call to function system.tounixtimestamp (can be matched by following signatures: "
       "system.tounixtimestamp : (timeuuid) -> bigint, system.tounixtimestamp : (timestamp) -> bigint, "
       "system.tounixtimestamp : (date) -> bigint): use type casts to disambiguate"},
      {"INSERT INTO t (p) VALUES (blobAsInt('x'))",
       "2200: Type error: 'x' cannot be passed as argument 0 of function system.blobasint of type blob"},
      {"SELECT blobAsInt('x') FROM t",
       "2200: Type error: 'x' cannot be passed as argument 0 of function system.blobasint of type blob"},
      {"SELECT intAsBlob(b) FROM t",
       "2200: Type error: b cannot be passed as argument 0 of function system.intasblob of type int"},
      {"SELECT toDate(at, at) FROM t",
       "2200: Invalid call to function system.todate, none of its type signatures match"},
      {"INSERT INTO t (p, v) VALUES (1, max(1))",
       "2200: Aggregation function are not supported in the where clause"},
      {"SELECT v FROM t WHERE p = system.count(1)",
       "2200: Aggregation function are not supported in the where clause"},
      {"SELECT v FROM t WHERE token(p) > token(1, 2)",
       "2200: Incorrect number of arguments specified for function system.token : (int) -> bigint (expected "
       "1, found 2)"},
      {"SELECT v FROM t WHERE token(p) > token('a')",
       "2200: Invalid STRING constant (a) for \"arg0(system.token)\" of type int"},
      {"INSERT INTO t (p) VALUES (now())", "2200: Type error: cannot assign result of function system.now"},
      {"SELECT 5 FROM t",
       "2200: Cannot infer type for term 5 in selection clause (try using a cast to force a type)"},
      {"INSERT INTO t (p, v) VALUES (1, (text) 'a')", "2200: Cannot assign value (text)"},
      {"INSERT INTO t (p, v) VALUES (1, (int) 'a')", "2200: Cannot cast value 'a' to type int"},
  });
  CHECK(session.one("INSERT INTO t (p, v) VALUES (1, blobAsInt(?))", {unset()}) ==
        "2200: Invalid unset value for argument in call to function blobasint");
  session.ok("INSERT INTO t (p, v) VALUES (1, blobAsInt(?))", {null()});
  CHECK(session.one("SELECT v FROM t") == "null");
  session.ok("INSERT INTO t (p, v) VALUES (1, (int) ?)", {bound(7)});
  CHECK(session.one("SELECT v, (bigint) 5, token(p) FROM t") == "7 | 5 | -4069959284402364209");
}

TEST_CASE("binds of functions are named by their arguments, and those of selections all alike") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  const auto name = [&](const std::string& statement) {
    const auto plan = session.prepare(statement);
    REQUIRE(plan);
    return (*plan)->description().binds.at(0).name;
  };
  CHECK(name("SELECT v FROM t WHERE token(p) > token(?)") == "arg0(system.token)");
  CHECK(name("INSERT INTO t (p) VALUES (blobAsInt(?))") == "arg0(system.blobasint)");
  CHECK(name("SELECT (int) ? FROM t") == "[selection]");
  CHECK(name("SELECT blobAsInt(?) FROM t") == "[selection]");
  CHECK(name("SELECT token(?) FROM t") == "[selection]");
  CHECK(name("SELECT (int) :n FROM t") == "n");
}

TEST_CASE("what a failed decoding of JSON carries is the name of the function and its types") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  const auto outcome = session.execute("UPDATE t SET v = fromJson('[') WHERE p = 1", {}, {});
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().code == ErrorCode::function_failure);
  CHECK(outcome.error().names == std::vector<std::string>{"system", "fromjson", "text"});
}

TEST_CASE("columns of a result have the names that Cassandra gives them") {
  Session session;
  session.ok("CREATE TYPE u (f int)");
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int, at timestamp, x frozen<u>)");
  CHECK(
      session.columns("SELECT now(), token(p), toDate(at), writetime(v), ttl(v), cast(v AS text), count(*), "
                      "x.f, v AS other, max(v), toJson(v) FROM t") ==
      Rows{"system.now()", "system.token(p)", "system.todate(at)", "writetime(v)", "ttl(v)",
           "cast(v as text)", "count", "x.f", "other", "system.max(v)", "system.tojson(v)"});
  CHECK(session.columns("SELECT JSON * FROM t") == Rows{"[json]"});
  session.refuses({
      {"SELECT v.f FROM t", "2200: Invalid field selection: v of type int is not a user type"},
      {"SELECT x.g FROM t", "2200: x of type frozen<u> has no field g"},
  });
}

TEST_CASE("the service has no aggregates, and Cassandra those of numbers and orders") {
  Session strict(Mode::strict);
  strict.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  strict.refuses({{"SELECT count(*) FROM t", "2200: countRows is not yet supported."},
                  {"SELECT count(1) FROM t", "2200: countRows is not yet supported."},
                  {"SELECT count('a') FROM t", "2200: countRows is not yet supported."},
                  {"SELECT count(null) FROM t", "2200: count is not yet supported."},
                  {"SELECT count(v) FROM t", "2200: count is not yet supported."},
                  {"SELECT max(max(v)) FROM t", "2200: max is not yet supported."},
                  {"SELECT min(v) FROM t", "2200: min is not yet supported."},
                  {"SELECT max(v) FROM t", "2200: max is not yet supported."},
                  {"SELECT sum(v) FROM t", "2200: sum is not yet supported."},
                  {"SELECT avg(v) FROM t", "2200: avg is not yet supported."}});
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int, w decimal, x text, i varint, f float)");
  CHECK(session.one("SELECT count(1), count(v), min(v), sum(v), avg(w) FROM t") == "0 | 0 | null | 0 | 0");
  session.ok("INSERT INTO t (p, v, w, x, i, f) VALUES (1, 3, 1.5, 'b', 10, 0.5)");
  session.ok("INSERT INTO t (p, v, w, x) VALUES (2, 4, 2.25, 'a')");
  session.ok("INSERT INTO t (p) VALUES (3)");
  CHECK(session.one("SELECT count(*), count(v), min(v), max(x), sum(w), avg(v), sum(i), avg(f) FROM t") ==
        "3 | 2 | 3 | b | 3.75 | 3 | 10 | 0.5");
  session.refuses(
      {{"SELECT sum(x) FROM t",
        "2200: Invalid call to function system.sum, none of its type signatures match (known type "
        "signatures: system.sum : (tinyint) -> tinyint, system.sum : (smallint) -> smallint, system.sum : "
        "(int) -> int, system.sum : (bigint) -> bigint, system.sum : (float) -> float, system.sum : "
        "(double) -> double, system.sum : (decimal) -> decimal, system.sum : (varint) -> varint, "
        "system.sum : (counter) -> counter)"},
       {"SELECT max(v, v) FROM t", "2200: Invalid number of arguments in call to function system.max"}});
}

TEST_CASE("each constant but null counts rows") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  session.ok("INSERT INTO t (p) VALUES (1)");
  session.ok("INSERT INTO t (p, v) VALUES (2, 2)");
  CHECK(session.one("SELECT count(1), count(5), count('a'), count(1.5), count(true), system.count(0x), "
                    "count(v) FROM t") == "2 | 2 | 2 | 2 | 2 | 2 | 1");
  CHECK(session.columns("SELECT count(*), count('a'), count(v) FROM t") ==
        Rows{"count", "count", "system.count(v)"});
  CHECK(session.one("SELECT count(null) FROM t").starts_with("2200: "));
}

TEST_CASE("aggregates are no arguments of aggregates, but of other functions") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  session.ok("INSERT INTO t (p, v) VALUES (1, 5)");
  for (const char* selection : {"max(max(v))", "sum(count(v))", "min(count(*))", "count(intAsBlob(max(v)))",
                                "avg(cast(sum(v) AS bigint))"}) {
    INFO(selection);
    CHECK(session.one("SELECT " + std::string(selection) + " FROM t") ==
          "2200: aggregate functions cannot be used as arguments of aggregate functions");
  }
  CHECK(session.one("SELECT intAsBlob(max(v)), max(intAsBlob(v)), max(v) FROM t") ==
        "0x00000005 | 0x00000005 | 5");
}

TEST_CASE("numbers are cast to each other, and drop high bits") {
  Session session;
  session.ok(
      "CREATE TABLE t (p int PRIMARY KEY, t tinyint, s smallint, i int, b bigint, f float, d double, e "
      "decimal, "
      "v varint)");
  session.ok(
      "INSERT INTO t (p, t, s, i, b, f, d, e, v) VALUES (1, -1, 300, 70000, 5000000000, 1.5, 2.5, 3.75, "
      "4294967297)");
  const auto cast = [&](const std::string& column, const std::string& type) {
    return session.one("SELECT cast(" + column + " AS " + type + ") FROM t");
  };
  const std::vector<std::string> types = {"tinyint", "smallint", "int",    "bigint", "float",
                                          "double",  "decimal",  "varint", "text",   "ascii"};
  const auto casts = [&](const std::string& column) {
    Rows out;
    for (const std::string& type : types) out.push_back(cast(column, type));
    return out;
  };
  CHECK(casts("t") == Rows{"-1", "-1", "-1", "-1", "-1.0", "-1.0", "-1.0", "-1", "-1", "-1"});
  CHECK(casts("s") == Rows{"44", "300", "300", "300", "300.0", "300.0", "300.0", "300", "300", "300"});
  CHECK(casts("i") ==
        Rows{"112", "4464", "70000", "70000", "70000.0", "70000.0", "70000.0", "70000", "70000", "70000"});
  CHECK(casts("b") == Rows{"0", "-3584", "705032704", "5000000000", "5.0E9", "5.0E9", "5.0E+9", "5000000000",
                           "5000000000", "5000000000"});
  CHECK(casts("f") == Rows{"1", "1", "1", "1", "1.5", "1.5", "1.5", "1", "1.5", "1.5"});
  CHECK(casts("d") == Rows{"2", "2", "2", "2", "2.5", "2.5", "2.5", "2", "2.5", "2.5"});
  CHECK(casts("e") == Rows{"3", "3", "3", "3", "3.75", "3.75", "3.75", "3", "3.75", "3.75"});
  CHECK(casts("v") == Rows{"1", "1", "1", "4294967297", "4.2949673E9", "4.294967297E9", "4294967297",
                           "4294967297", "4294967297", "4294967297"});
  CHECK(session.one("SELECT cast(i AS int) FROM t") == "70000");
  session.ok("UPDATE t SET i = null WHERE p = 1");
  CHECK(cast("i", "text") == "null");
}

TEST_CASE("an empty text is cast to an empty text, and no bytes of other types to nothing") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, a ascii, i int)");
  session.ok("INSERT INTO t (p, a, i) VALUES (1, '', ?)", {bound("")});
  const auto outcome = session.execute("SELECT cast(a AS text), cast(i AS text) FROM t", {}, {});
  REQUIRE(outcome);
  const auto& row = std::get<statements::RowSet>(*outcome).rows.at(0);
  REQUIRE(row.at(0));
  CHECK(row.at(0)->empty());
  CHECK_FALSE(row.at(1));
}

TEST_CASE("the least floating numbers have the two digits that Java writes") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, d double, f float)");
  session.ok("INSERT INTO t (p, d, f) VALUES (1, 4.9e-324, 1.4e-45)");
  CHECK(session.one("SELECT cast(d AS text), cast(f AS text) FROM t") == "4.9E-324 | 1.4E-45");
  session.ok("INSERT INTO t (p, d, f) VALUES (1, 2e23, 0.3)");
  CHECK(session.one("SELECT cast(d AS text), cast(f AS text) FROM t") == "2.0E23 | 0.3");
}

TEST_CASE("the text of a decimal has no exponent") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, e decimal)");
  const auto text = [&](const std::string& value) {
    session.ok("INSERT INTO t (p, e) VALUES (1, " + value + ")");
    return session.one("SELECT cast(e AS text) FROM t");
  };
  CHECK(text("1e3") == "1000");
  CHECK(text("-1.50e1") == "-15.0");
  CHECK(text("12e-5") == "0.00012");
  CHECK(text("-0.5") == "-0.5");
  CHECK(text("0e7") == "0");
  CHECK(text("0.00") == "0.00");
  CHECK(text("1e1000000000") == "2200: Decimal value is out of range.");
  CHECK(text("1e-1000000000") == "2200: Decimal value is out of range.");
}

TEST_CASE("other types are cast to those that the table of casts has, and to no others") {
  Session session;
  session.ok(
      "CREATE TABLE t (p int PRIMARY KEY, a ascii, o boolean, n inet, u uuid, h time, i timeuuid, at "
      "timestamp, "
      "day date, x text, y blob)");
  session.ok(
      "INSERT INTO t (p, a, o, n, u, h, i, at, day, x, y) VALUES (1, 'a', true, '::1', "
      "550e8400-e29b-41d4-a716-446655440000, '01:02:03', 13814000-1dd2-11b2-8080-808080808080, 0, "
      "'2015-05-03', "
      "'x', 0x01)");
  CHECK(session.one(
            "SELECT cast(a AS text), cast(o AS text), cast(n AS ascii), cast(u AS text), cast(h AS text) "
            "FROM t") ==
        "a | true | 0:0:0:0:0:0:0:1 | 550e8400-e29b-41d4-a716-446655440000 | "
        "01:02:03.000000000");
  CHECK(session.one("SELECT cast(i AS timestamp), cast(i AS date), cast(i AS text) FROM t") ==
        "1970-01-01 00:00:00.000Z | 1970-01-01 | 13814000-1dd2-11b2-8080-808080808080");
  CHECK(session.one("SELECT cast(at AS date), cast(at AS text), cast(day AS timestamp), cast(day AS ascii) "
                    "FROM t") ==
        "1970-01-01 | 1970-01-01T00:00:00.000Z | 2015-05-03 00:00:00.000Z | 2015-05-03");
  session.refuses({{"SELECT cast(x AS int) FROM t", "2200: text cannot be cast to int"},
                   {"SELECT cast(x AS ascii) FROM t", "2200: text cannot be cast to ascii"},
                   {"SELECT cast(y AS text) FROM t", "2200: blob cannot be cast to text"},
                   {"SELECT cast(o AS int) FROM t", "2200: boolean cannot be cast to int"},
                   {"SELECT cast(at AS bigint) FROM t", "2200: timestamp cannot be cast to bigint"},
                   {"SELECT cast(p AS counter) FROM t", "2200: int cannot be cast to counter"},
                   {"SELECT cast(u AS timestamp) FROM t", "2200: uuid cannot be cast to timestamp"}});
}

}  // namespace dinette::cql::functions_test
