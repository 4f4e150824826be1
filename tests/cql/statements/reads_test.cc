// What reads answer and what they are refused with, clause by clause (docs/service-keyspaces/dml.md section
// 4, docs/service-keyspaces/grammar.md section 4, docs/service-keyspaces/timestamps.md section 5).
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/statements/session.h"
#include "support/hex.h"

namespace dinette::cql::reads_test {

using test::bound;
using ::test::from_hex;
using test::null;
using test::Session;
using test::unset;
using Rows = std::vector<std::string>;

namespace {

/// Two partitions with rows of two clustering columns.
void fill(Session& session) {
  session.ok(
      "CREATE TABLE t (p int, q int, c int, d int, s int static, v int, l list<int>, m map<text, int>, "
      "ks set<text>, fl frozen<list<int>>, PRIMARY KEY ((p, q), c, d))");
  for (const char* row : {"1, 1, 1, 1, 10", "1, 1, 1, 2, 20", "1, 1, 2, 1, 30", "2, 1, 1, 1, 40"})
    session.ok(std::string("INSERT INTO t (p, q, c, d, v) VALUES (") + row + ")");
  session.ok(
      "UPDATE t SET m = {'a': 1, 'b': 2}, l = [5], ks = {'x'}, fl = [1] WHERE p = 1 AND q = 1 AND c = 1 AND "
      "d = 1");
}

}  // namespace

TEST_CASE("relations on the key are refused where they do not go together") {
  Session session;
  fill(session);
  const std::string of = "SELECT v FROM t WHERE p = 1 AND q = 1 AND ";
  session.refuses({
      {of + "c = 1 AND c = 2",
       "2200: c cannot be restricted by more than one relation if it includes an Equal"},
      {of + "c IN (1, 2) AND c IN (2, 3)",
       "2200: c cannot be restricted by more than one relation if it includes a IN"},
      {of + "c IN (1) AND c IN (2, 3)",
       "2200: c cannot be restricted by more than one relation if it includes an Equal"},
      {of + "c = 1 AND c > 0",
       "2200: c cannot be restricted by more than one relation if it includes an Equal"},
      {of + "c > 0 AND c = 1",
       "2200: Column \"c\" cannot be restricted by both an equality and an inequality relation"},
      {of + "c > 0 AND c IN (1, 2)",
       "2200: Column \"c\" cannot be restricted by both an equality and an inequality relation"},
      {of + "(c, d) = (1, 1) AND d = 1",
       "2200: d cannot be restricted by more than one relation if it includes an Equal"},
      {of + "(c, d) = (1, 1) AND (d) > (0)",
       "2200: d cannot be restricted by more than one relation if it includes an Equal"},
      {of + "(c, d) > (1, 1) AND c = 1",
       "2200: Column \"c\" cannot be restricted by both an equality and an inequality relation"},
      {of + "(c, d) > (1, 1) AND d > 0",
       "2200: Column \"d\" cannot be restricted by two inequalities not starting with the same column"},
      {of + "(v) = (1)",
       "2200: Multi-column relations can only be applied to clustering columns but was applied to: v"},
      {of + "(c, d) IN ((1, 1, 1))", "2200: Expected 2 elements in value tuple, but got 3: (1, 1, 1)"},
      {of + "v != 1", "2200: Unsupported \"!=\" relation: v != 1"},
      {of + "v LIKE 'a'",
       "2200: LIKE restriction is only supported on properly indexed columns. v LIKE 'a' is not valid."},
      {of + "v IS NOT NULL", "2200: Unsupported restriction: v IS NOT NULL"},
      {of + "l = [5] ALLOW FILTERING",
       "2200: Collection column 'l' (list<int>) cannot be restricted by a '=' relation"},
      {of + "v CONTAINS 1 ALLOW FILTERING", "2200: Cannot use CONTAINS on non-collection column v"},
      {of + "ks CONTAINS KEY 'x' ALLOW FILTERING", "2200: Cannot use CONTAINS KEY on non-map column ks"},
      {of + "v CONTAINS KEY 1 ALLOW FILTERING", "2200: Cannot use CONTAINS KEY on non-map column v"},
      {"SELECT v FROM t WHERE token(p, q) > 1 AND token(p, q) > 2",
       "2200: More than one restriction was found for the start bound on p, q"},
      {"SELECT v FROM t WHERE token(p, q) = 1 AND token(p, q) > 2",
       "2200: p, q cannot be restricted by more than one relation if it includes an Equal"},
      {"SELECT v FROM t WHERE token(p, q) = 1 AND token(p, q) = 1",
       "2200: p, q cannot be restricted by more than one relation if it includes an Equal"},
      {"SELECT v FROM t WHERE token(p, q) > 2 AND token(p, q) = 1",
       "2200: Columns \"p, q\" cannot be restricted by both an equality and an inequality relation"},
      {"SELECT v FROM t WHERE p = 1", "2200: Cannot execute this query as it might involve data filtering"},
      {"SELECT v FROM t WHERE p > 1 AND q = 1",
       "2200: Only EQ and IN relation are supported on the partition key (unless you use the token() "
       "function)"},
      {"SELECT v FROM t LIMIT -1", "2200: LIMIT must be strictly positive"},
      {"SELECT v FROM t PER PARTITION LIMIT 0", "2200: PER PARTITION LIMIT must be strictly positive"},
  });
}

TEST_CASE("what filters is read with ALLOW FILTERING, which may also stand where nothing filters") {
  Session session;
  fill(session);
  const auto read = [&](const std::string& where) { return session.run("SELECT v FROM t WHERE " + where); };
  CHECK(read("p = 1 ALLOW FILTERING") == Rows{"10", "20", "30"});
  CHECK(read("v > 10 AND v <= 30 ALLOW FILTERING") == Rows{"20", "30"});
  CHECK(read("m CONTAINS 2 ALLOW FILTERING") == Rows{"10"});
  CHECK(read("m CONTAINS KEY 'b' ALLOW FILTERING") == Rows{"10"});
  CHECK(read("m['a'] = 1 ALLOW FILTERING") == Rows{"10"});
  CHECK(read("l CONTAINS 5 AND ks CONTAINS 'x' AND fl = [1] ALLOW FILTERING") == Rows{"10"});
  CHECK(read("d = 2 ALLOW FILTERING") == Rows{"20"});
  CHECK(read("v IN (20) ALLOW FILTERING") == Rows{"20"});
  CHECK(read("(p = 1) AND (q = 1) AND ((c = 2)) ALLOW FILTERING") == Rows{"30"});
  CHECK(session.one("SELECT v FROM t WHERE m[?] = 1 ALLOW FILTERING", {unset()}) ==
        "2200: Unsupported unset map key for column m");
  const auto refused = [&](const std::string& where, std::vector<test::Bound> values) {
    return session.one("SELECT v FROM t WHERE " + where + " ALLOW FILTERING", std::move(values));
  };
  CHECK(refused("m[?] = 1", {null()}) == "2200: Unsupported null map key for column m");
  CHECK(refused("m['a'] = ?", {null()}) == "2200: Unsupported null map value for column m");
  CHECK(refused("m['a'] = ?", {unset()}) == "2200: Unsupported unset map value for column m");
  CHECK(refused("v = ?", {unset()}) == "2200: Unsupported unset value for column v");
  for (const char* const where : {"v = ?", "v > ?", "v IN (?)"})
    CHECK(refused(where, {null()}) == "2200: Unsupported null value for column v");
  CHECK(refused("m CONTAINS ?", {null()}) == "2200: Unsupported null value for column m");
  CHECK(refused("m CONTAINS KEY ?", {null()}) == "2200: Unsupported null value for column m");
  CHECK(refused("q = ?", {null()}) == "2200: Unsupported null value for column q");
  CHECK(refused("d = ?", {null()}) == "2200: Unsupported null value for column d");
  CHECK(refused("(d) = (?)", {null()}) == "2200: Unsupported null value for column d");
  // Of a scan Cassandra reads a range of the first clustering columns.
  CHECK(refused("c = ?", {null()}) == "2200: Invalid null value in condition for column c");
  CHECK(refused("c > ? AND d = 1", {null()}) == "2200: Invalid null value in condition for column c");
  CHECK(refused("c > 0 AND d = ?", {null()}) == "2200: Unsupported null value for column d");
}

TEST_CASE("slices of values with durations are refused") {
  Session session;
  session.ok("CREATE TYPE u (a duration)");
  session.ok(
      "CREATE TABLE t (p int PRIMARY KEY, r duration, l frozen<list<duration>>, n list<duration>, "
      "z tuple<int, duration>, x frozen<u>)");
  const std::vector<std::pair<std::string, std::string>> columns = {
      {"l", "collections containing durations"},
      {"n", "collections containing durations"},
      {"z", "tuples containing durations"},
      {"x", "UDTs containing durations"},
  };
  const std::string slice = "2200: Slice restrictions are not supported on ";
  const std::string condition = "2200: Slice conditions are not supported on ";
  const auto read = [&](const std::string& column) {
    return session.one("SELECT p FROM t WHERE " + column + " > ? ALLOW FILTERING", {null()});
  };
  const auto update = [&](const std::string& column) {
    return session.one("UPDATE t SET r = 1d WHERE p = 1 IF " + column + " <= ?", {null()});
  };
  CHECK(read("r") == slice + "duration columns");
  CHECK(update("r") == condition + "durations");
  CHECK(update("n[0]") == condition + "durations");
  for (const auto& [column, values] : columns) {
    CHECK(read(column) == slice + values);
    CHECK(update(column) == condition + values);
  }
}

TEST_CASE("slices of several clustering columns compare them together") {
  Session session;
  fill(session);
  const auto read = [&](const std::string& where) {
    return session.run("SELECT c, d FROM t WHERE p = 1 AND q = 1 AND " + where);
  };
  CHECK(read("(c, d) > (1, 1)") == Rows{"1 | 2", "2 | 1"});
  CHECK(read("(c, d) > (1, 1) AND (c, d) <= (2, 0)") == Rows{"1 | 2"});
  CHECK(read("(c) >= (2)") == Rows{"2 | 1"});
  CHECK(read("(c) = (1) AND (d) = (2)") == Rows{"1 | 2"});
  CHECK(read("(c) IN ((2), (5)) AND (d) < (9) AND d > 0") == Rows{"2 | 1"});
  CHECK(session.run("SELECT c, d FROM t WHERE p = 1 AND q = 1 AND (c) > ?",
                    {bound(from_hex("00000004 00000001"))}) == Rows{"2 | 1"});
  CHECK(read("(c, d) IN ((1, 2), (2, 1), (1, 2))") == Rows{"1 | 2", "2 | 1"});
  CHECK(read("(c, d) = (1, 1)") == Rows{"1 | 1"});
  CHECK(read("c IN () AND d = 1").empty());
  CHECK(session.run("SELECT c, d FROM t WHERE (c, d) > (1, 1) AND c < 2 ALLOW FILTERING") == Rows{"1 | 2"});
}

TEST_CASE("markers of tuples are named by their columns, without blanks") {
  Session session;
  fill(session);
  const auto name = [&](const std::string& where) {
    const auto plan = session.prepare("SELECT v FROM t WHERE p = 1 AND q = 1 AND " + where);
    REQUIRE(plan);
    return (*plan)->description().binds.at(0).name;
  };
  CHECK(name("(c, d) > ?") == "(c,d)");
  CHECK(name("(c, d) IN ?") == "in(c,d)");
  CHECK(name("c IN ?") == "in(c)");
}

TEST_CASE("components of a tuple are named by their columns, in binds and messages") {
  Session session;
  fill(session);
  const auto names = [&](const std::string& where) {
    const auto plan = session.prepare("SELECT v FROM t WHERE p = 1 AND q = 1 AND " + where);
    REQUIRE(plan);
    Rows out;
    for (const frames::ColumnSpec& bind : (*plan)->description().binds) out.push_back(bind.name);
    return out;
  };
  CHECK(names("(c, d) > (?, ?)") == Rows{"c", "d"});
  CHECK(names("(c, d) = (1, ?)") == Rows{"d"});
  CHECK(names("(c, d) IN ((?, ?), (?, 2))") == Rows{"c", "d", "c"});
  CHECK(names("(c, d) IN (?, ?)") == Rows{"(c,d)", "(c,d)"});
  CHECK(names("(c) = (?)") == Rows{"c"});
  const std::string of = "SELECT v FROM t WHERE p = 1 AND q = 1 AND ";
  session.refuses({
      {of + "(c, d) > (1, 'a')", "2200: Invalid STRING constant (a) for \"d\" of type int"},
      {of + "(c, d) = (1, null)", "2200: Invalid null value for column d"},
      {of + "(c, d) IN ((1, null), (1, 1))", "2200: Invalid null value in condition for columns: [c, d]"},
      {of + "(c, d) > (1, null)", "2200: Invalid null value in condition for column d"},
      {of + "(c, d) > 5", "2000: "},
      {of + "(c, d) = [1, 2]", "2000: "},
      {of + "(c, d) IN ((1, 2), ?)", "2000: "},
      {of + "(c, d) IN (?, (1, 2))", "2000: "},
      {of + "(c, d) IN (1, 2)", "2000: "},
      {of + "(c, d) IN (1)", "2000: "},
  });
  CHECK(session.one(of + "(c, d) > ?", {unset()}) == "2200: Invalid unset value for tuple (c,d)");
  CHECK(session.one(of + "(c, d) IN ?", {unset()}) == "2200: Invalid unset value for in(c,d)");
  CHECK(session.one(of + "(c, d) IN ?", {null()}) == "2200: Invalid null value for IN restriction");
  CHECK(session.one(of + "(c, d) > (1, ?)", {unset()}) ==
        "2200: Invalid unset value for tuple field number 1");
  CHECK(session.run(of + "(c, d) IN (?, ?)", {bound(from_hex("00000004 00000001 00000004 00000002")),
                                              bound(from_hex("00000004 00000002 00000004 00000001"))}) ==
        Rows{"20", "30"});
}

TEST_CASE("null is no value of IN, and one not set no limit") {
  Session session;
  fill(session);
  CHECK(session.one("SELECT v FROM t WHERE p = 1 AND q = 1 AND c IN (1, ?)", {null()}) ==
        "2200: Invalid null value in condition for column c");
  CHECK(session.one("SELECT v FROM t WHERE p = 1 AND q = 1 AND c IN ?", {null()}) ==
        "2200: Invalid null value for column c");
  CHECK(session.one("SELECT v FROM t WHERE p = 1 AND q = 1 AND c IN ?",
                    {bound(from_hex("00000002 00000004 00000001 ffffffff"))}) ==
        "2200: Invalid null value in condition for column c");
  CHECK(session.run("SELECT v FROM t LIMIT ?", {unset()}).size() == 4);
  CHECK(session.run("SELECT v FROM t PER PARTITION LIMIT ?", {bound(1)}).size() == 2);
  CHECK(session.one("SELECT v FROM t WHERE token(p, q) > ?", {null()}) == "2200: Invalid null token value");
}

TEST_CASE("the least token is the end of the ring as an upper bound") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY)");
  for (int p = 0; p < 5; ++p) session.ok("INSERT INTO t (p) VALUES (" + std::to_string(p) + ")");
  CHECK(session
            .run("SELECT p FROM t WHERE token(p) > -9223372036854775808 AND token(p) <= -9223372036854775808")
            .size() == 5);
  CHECK(session.run("SELECT p FROM t WHERE token(p) > 9223372036854775807").empty());
}

TEST_CASE("DISTINCT reads partitions, with their static cells and restrictions of their keys") {
  Session session;
  fill(session);
  session.ok("UPDATE t SET s = 7 WHERE p = 3 AND q = 3");
  CHECK(session.run("SELECT DISTINCT p, q, s FROM t WHERE p = 3 AND q = 3") == Rows{"3 | 3 | 7"});
  CHECK(session.run("SELECT DISTINCT p, q FROM t").size() == 3);
  CHECK(session.run("SELECT DISTINCT p, q FROM t WHERE token(p, q) > 0 AND s = 7 ALLOW FILTERING").size() <=
        1);
  CHECK(session.run("SELECT p, q, c, s FROM t WHERE p = 3 AND q = 3") == Rows{"3 | 3 | null | 7"});
}

TEST_CASE("Cassandra sorts what IN reads, and answers partitions by token") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, PRIMARY KEY (p, c))");
  for (int p = 0; p < 3; ++p) session.ok("INSERT INTO t (p, c) VALUES (?, ?)", {bound(p), bound(9 - p)});
  CHECK(session.run("SELECT c FROM t WHERE p IN (0, 1, 2, 1) ORDER BY c ASC") == Rows{"7", "8", "9"});
  for (int limit = 1; limit < 4; ++limit) {
    const Rows sorted{"7", "8", "9"};
    CHECK(session.run("SELECT c FROM t WHERE p IN (0, 1, 2) ORDER BY c ASC LIMIT ?", {bound(limit)}) ==
          Rows(sorted.begin(), sorted.begin() + limit));
    CHECK(session.run("SELECT c FROM t WHERE p IN (0, 1, 2) ORDER BY c DESC LIMIT ?", {bound(limit)}) ==
          Rows(sorted.rbegin(), sorted.rbegin() + limit));
  }
  CHECK(session.pages("SELECT c FROM t WHERE p = 1 AND c IN (8, 9) ORDER BY c ASC LIMIT 1", 10) == Rows{"8"});
  CHECK(session.run("SELECT p FROM t WHERE p IN (2, 0, 1)") == session.run("SELECT p FROM t"));
  CHECK(
      session.pages("SELECT c FROM t WHERE p IN (0, 1) ORDER BY c ASC", 10) ==
      Rows{"2200: Cannot page queries with both ORDER BY and a IN restriction on the partition key; you must "
           "either remove the ORDER BY or the IN and sort client side, or disable paging for this query"});
}

TEST_CASE("the service sorts within a subquery, takes slices beside IN, and reads no token beside IN") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int, c int, PRIMARY KEY (p, c))");
  for (int p = 0; p < 3; ++p) {
    for (int c = 0; c < 2; ++c) session.ok("INSERT INTO t (p, c) VALUES (?, ?)", {bound(p), bound(c)});
  }
  CHECK(session.pages("SELECT p, c FROM t WHERE p IN (2, 0) ORDER BY c DESC", 10) ==
        Rows{"2 | 1", "2 | 0", "0 | 1", "0 | 0"});
  CHECK(session.run("SELECT p, c FROM t WHERE p IN (1, 0) AND c <= 0") == Rows{"1 | 0", "0 | 0"});
  CHECK(session.run("SELECT c FROM t WHERE p = 1 AND c IN (1, 0)") == Rows{"1", "0"});
  CHECK(session.one("SELECT p FROM t WHERE token(p) > 0 AND p IN (1, 2)") ==
        "2200: TOKEN is not supported with IN");
  std::string list = "0";
  for (int i = 1; i < 100; ++i) list += ", " + std::to_string(i);
  CHECK(session.pages("SELECT p FROM t WHERE p IN (" + list + ") AND c = 0", 1'000).size() == 3);
  CHECK(session.one("SELECT p FROM t WHERE p IN (" + list + ") AND c IN (0, 1)") ==
        "2200: IN clause with 200 subqueries exceeds the maximum of 100.");
}

TEST_CASE("a page of the service counts the rows that it reads, so that it may be empty") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int, c int, v int, PRIMARY KEY (p, c))");
  for (int c = 0; c < 5; ++c) session.ok("INSERT INTO t (p, c, v) VALUES (1, ?, ?)", {bound(c), bound(c)});
  std::vector<std::size_t> sizes;
  CHECK(session.pages("SELECT c FROM t WHERE p = 1 AND v = 4 ALLOW FILTERING", 2, &sizes) == Rows{"4"});
  CHECK(sizes == std::vector<std::size_t>{0, 0, 1});
  sizes.clear();
  CHECK(session.pages("SELECT c FROM t WHERE p = 1 LIMIT 3", 2, &sizes) == Rows{"0", "1", "2"});
  CHECK(sizes == std::vector<std::size_t>{2, 1});
}

TEST_CASE("a page ends after a megabyte that was read, also without a page size on the service") {
  const std::string megabyte_third(350'000, 'x');
  for (const Mode mode : {Mode::strict, Mode::lenient}) {
    Session session(mode);
    session.ok("CREATE TABLE t (p int, c int, v text, PRIMARY KEY (p, c))");
    for (int c = 0; c < 5; ++c)
      session.ok("INSERT INTO t (p, c, v) VALUES (1, ?, ?)", {bound(c), bound(megabyte_third)});
    std::vector<std::size_t> sizes;
    CHECK(session.pages("SELECT c FROM t WHERE p = 1", 100, &sizes).size() == 5);
    CHECK(sizes == std::vector<std::size_t>{3, 2});
    CHECK(session.run("SELECT c FROM t WHERE p = 1").size() == (mode == Mode::strict ? 3 : 5));
  }
}

TEST_CASE("write times and times to live are of cells that are no key and no collection") {
  Session session;
  session.ok(
      "CREATE TABLE t (p int, c int, s int static, v int, l list<int>, fl frozen<list<int>>, PRIMARY KEY (p, "
      "c))");
  session.ok("INSERT INTO t (p, c, s, v, fl) VALUES (1, 1, 2, 3, [4]) USING TIMESTAMP 100 AND TTL 50");
  CHECK(session.one("SELECT writetime(s), writetime(v), writetime(fl), ttl(s), ttl(v) FROM t") ==
        "100 | 100 | 100 | 50 | 50");
  session.ok("UPDATE t SET v = null WHERE p = 1 AND c = 1");
  session.ok("UPDATE t SET s = 5 WHERE p = 1");
  CHECK(session.one("SELECT writetime(v), ttl(v), ttl(s) FROM t") == "null | null | null");
  session.refuses({
      {"SELECT writetime(l) FROM t", "2200: Cannot use selection function writeTime on collections"},
      {"SELECT ttl(l) FROM t", "2200: Cannot use selection function ttl on collections"},
      {"SELECT ttl(c) FROM t", "2200: Cannot use selection function ttl on PRIMARY KEY part c"},
      {"SELECT writetime(p) FROM t", "2200: Cannot use selection function writeTime on PRIMARY KEY part p"},
  });
  Session strict(Mode::strict);
  strict.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  CHECK(strict.one("SELECT ttl(v) FROM t") == "2200: TTL is not yet supported.");
}

TEST_CASE("aggregates over several partitions carry a warning") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, PRIMARY KEY (p, c))");
  const auto warnings = [&](std::string_view statement) {
    const auto outcome = session.execute(statement, {}, {});
    const auto& all = std::get<statements::RowSet>(*outcome).warnings;
    return Rows(all.begin(), all.end());
  };
  CHECK(warnings("SELECT count(*) FROM t") == Rows{"Aggregation query used without partition key"});
  CHECK(warnings("SELECT max(c) FROM t WHERE p IN (1, 2)") ==
        Rows{"Aggregation query used on multiple partition keys (IN restriction)"});
  CHECK(warnings("SELECT count(*) FROM t WHERE p = 1").empty());
  CHECK(warnings("SELECT c FROM t").empty());
}

}  // namespace dinette::cql::reads_test
