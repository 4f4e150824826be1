// Statements on rows by their keys (docs/service-keyspaces/dml.md sections 1 to 5).
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/statements/session.h"

namespace dinette::cql::rows_test {

using test::bound;
using test::Session;
using Rows = std::vector<std::string>;

// docs/service-keyspaces/dml.md sections 1 and 2.
TEST_CASE("a row that is inserted is read by its key") {
  Session session;
  session.ok("CREATE TABLE t (p int, c text, v int, w text, PRIMARY KEY (p, c))");
  session.ok("INSERT INTO t (p, c, v, w) VALUES (1, 'a', 10, 'x')");
  session.ok("INSERT INTO ks.t (p, c, v) VALUES (?, ?, ?)", {bound(1), bound("b"), bound(20)});
  CHECK(session.run("SELECT * FROM t WHERE p = 1") == Rows{"1 | a | 10 | x", "1 | b | 20 | null"});
  CHECK(session.one("SELECT v, w FROM t WHERE p = ? AND c = ?", {bound(1), bound("a")}) == "10 | x");
  CHECK(session.run("SELECT v FROM t WHERE p = 1 AND c = 'z'").empty());
  session.ok("INSERT INTO t (p, c, v) VALUES (1, 'a', 11)");
  CHECK(session.one("SELECT v, w FROM t WHERE p = 1 AND c = 'a'") == "11 | x");
}

TEST_CASE("tables and columns that do not exist are refused") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  CHECK(session.one("SELECT * FROM nix") == "2200: unconfigured table ks.nix");
  CHECK(session.one("SELECT x FROM t") == "2200: Undefined column name x");
  CHECK(session.one("SELECT v FROM t WHERE x = 1") == "2200: Undefined column name x");
  CHECK(session.one("INSERT INTO t (p, x) VALUES (1, 1)") == "2200: Undefined column name x");
  CHECK(session.one("UPDATE t SET x = 1 WHERE p = 1") == "2200: Undefined column name x");
  CHECK(session.one("DELETE x FROM t WHERE p = 1") == "2200: Undefined column name x");
}

TEST_CASE("an INSERT names each column once, and all of the key") {
  Session session;
  session.ok("CREATE TABLE t (p int, q int, c int, v int, s int STATIC, PRIMARY KEY ((p, q), c))");
  CHECK(session.one("INSERT INTO t (p, q) VALUES (1)") == "2200: Unmatched column names/values");
  CHECK(session.one("INSERT INTO t (p, p, q, c) VALUES (1, 1, 1, 1)") ==
        "2200: The column names contains duplicates");
  CHECK(session.one("INSERT INTO t (c, v) VALUES (1, 1)") ==
        "2200: Some partition key parts are missing: p, q");
  CHECK(session.one("INSERT INTO t (p, q, v) VALUES (1, 1, 1)") ==
        "2200: Some clustering keys are missing: c");
  CHECK(session.one("INSERT INTO t (p, q, c) VALUES (null, 1, 1)") ==
        "2200: Invalid null value in condition for column p");
  session.ok("INSERT INTO t (p, q, s) VALUES (1, 1, 7)");
  CHECK(session.run("SELECT * FROM t WHERE p = 1 AND q = 1") == Rows{"1 | 1 | null | 7 | null"});
}

// docs/service-keyspaces/dml.md section 3.
TEST_CASE("an UPDATE makes the row that is missing, without a marker") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, v int, w int, PRIMARY KEY (p, c))");
  session.ok("UPDATE t SET v = 1, w = 2 WHERE p = 1 AND c = 1");
  CHECK(session.one("SELECT * FROM t") == "1 | 1 | 1 | 2");
  session.ok("UPDATE t SET v = null, w = null WHERE p = 1 AND c = 1");
  CHECK(session.run("SELECT * FROM t").empty());
  session.ok("INSERT INTO t (p, c, v) VALUES (1, 1, 1)");
  session.ok("UPDATE t SET v = null WHERE p = 1 AND c = 1");
  CHECK(session.one("SELECT * FROM t") == "1 | 1 | null | null");
}

TEST_CASE("an UPDATE names one row by its key") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, v int, s int STATIC, PRIMARY KEY (p, c))");
  CHECK(session.one("UPDATE t SET v = 1 WHERE p = 1") == "2200: Some clustering keys are missing: c");
  CHECK(session.one("UPDATE t SET v = 1 WHERE c = 1") == "2200: Some partition key parts are missing: p");
  CHECK(session.one("UPDATE t SET v = 1 WHERE p = 1 AND c > 1") ==
        "2200: Slice restrictions are not supported on the clustering columns in UPDATE statements");
  CHECK(session.one("UPDATE t SET v = 1 WHERE p = 1 AND c = 1 AND v = 2") ==
        "2200: Non PRIMARY KEY columns found in where clause: v ");
  CHECK(session.one("UPDATE t SET v = 1 WHERE v = 2 AND s = 3 AND p = 1 AND c = 1") ==
        "2200: Non PRIMARY KEY columns found in where clause: s, v ");
  CHECK(session.one("UPDATE t SET v = 1 WHERE v = 2 AND c = 1") ==
        "2200: Some partition key parts are missing: p");
  CHECK(session.one("UPDATE t SET v = 1 WHERE v = 2 AND p = 1") ==
        "2200: Some clustering keys are missing: c");
  CHECK(session.one("UPDATE t SET v = 1 WHERE token(p) = 1 AND c = 1") ==
        "2200: The token function cannot be used in WHERE clauses for UPDATE statements");
  CHECK(session.one("UPDATE t SET c = 1 WHERE p = 1 AND c = 1") ==
        "2200: PRIMARY KEY part c found in SET part");
  CHECK(session.one("UPDATE t SET s = 1 WHERE p = 1 AND c = 1") ==
        "2200: Invalid restrictions on clustering columns since the UPDATE statement modifies only static "
        "columns");
  session.ok("UPDATE t SET s = 1 WHERE p = 1");
  CHECK(session.one("SELECT s FROM t WHERE p = 1") == "1");
}

// docs/service-keyspaces/dml.md section 4.
TEST_CASE("rows of a partition are in clustering order, or reversed") {
  Session session;
  session.ok(
      "CREATE TABLE t (p int, c int, d int, PRIMARY KEY (p, c, d)) WITH CLUSTERING ORDER BY (c DESC, d ASC)");
  for (const char* row : {"1, 1", "1, 2", "2, 1", "2, 2", "3, 1"}) {
    session.ok("INSERT INTO t (p, c, d) VALUES (1, " + std::string(row) + ")");
  }
  CHECK(session.run("SELECT c, d FROM t WHERE p = 1") == Rows{"3 | 1", "2 | 1", "2 | 2", "1 | 1", "1 | 2"});
  CHECK(session.run("SELECT c, d FROM t WHERE p = 1 ORDER BY c ASC, d DESC") ==
        Rows{"1 | 2", "1 | 1", "2 | 2", "2 | 1", "3 | 1"});
  CHECK(session.run("SELECT c, d FROM t WHERE p = 1 AND c >= 2") == Rows{"3 | 1", "2 | 1", "2 | 2"});
  CHECK(session.run("SELECT c, d FROM t WHERE p = 1 AND c < 3 AND c > 1") == Rows{"2 | 1", "2 | 2"});
  CHECK(session.run("SELECT c, d FROM t WHERE p = 1 AND c = 2 AND d > 1") == Rows{"2 | 2"});
  CHECK(session.run("SELECT c, d FROM t WHERE p = 1 AND c IN (3, 1) AND d = 1") == Rows{"3 | 1", "1 | 1"});
  CHECK(session.run("SELECT c, d FROM t WHERE p = 1 AND (c, d) >= (2, 2)") == Rows{"3 | 1", "2 | 2"});
  CHECK(session.run("SELECT c, d FROM t WHERE p = 1 AND (c, d) IN ((2, 2), (1, 1))") ==
        Rows{"2 | 2", "1 | 1"});
  CHECK(session.run("SELECT c FROM t WHERE p = 1 LIMIT 2") == Rows{"3", "2"});
  CHECK(session.one("SELECT c FROM t WHERE p = 1 LIMIT 0") == "2200: LIMIT must be strictly positive");
  CHECK(session.one("SELECT c FROM t WHERE p = 1 ORDER BY d ASC") ==
        "2200: Order by currently only support the ordering of columns following their declared order in the "
        "PRIMARY KEY");
  CHECK(session.one("SELECT c FROM t WHERE p = 1 ORDER BY c ASC, d ASC") ==
        "2200: Unsupported order by relation");
  CHECK(session.one("SELECT c FROM t ORDER BY c ASC") ==
        "2200: ORDER BY is only supported when the partition key is restricted by an EQ or an IN.");
}

TEST_CASE("what needs ALLOW FILTERING is refused without it") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, d int, v int, PRIMARY KEY (p, c, d))");
  session.ok("INSERT INTO t (p, c, d, v) VALUES (1, 1, 1, 5)");
  session.ok("INSERT INTO t (p, c, d, v) VALUES (1, 2, 1, 6)");
  session.ok("INSERT INTO t (p, c, d, v) VALUES (2, 1, 2, 5)");
  const std::string filtering =
      "2200: Cannot execute this query as it might involve data filtering and thus may have unpredictable "
      "performance. If you want to execute this query despite the performance unpredictability, use ALLOW "
      "FILTERING";
  CHECK(session.one("SELECT * FROM t WHERE v = 5") == filtering);
  CHECK(session.run("SELECT p, c FROM t WHERE v = 5 ALLOW FILTERING").size() == 2);
  CHECK(session.one("SELECT * FROM t WHERE c = 1") == filtering);
  CHECK(session.run("SELECT c FROM t WHERE p = 1 AND v > 5 ALLOW FILTERING") == Rows{"2"});
  CHECK(session.one("SELECT * FROM t WHERE p = 1 AND d = 1") ==
        "2200: PRIMARY KEY column \"d\" cannot be restricted as preceding column \"c\" is not restricted");
  CHECK(
      session.one("SELECT * FROM t WHERE p = 1 AND c > 1 AND d = 1") ==
      "2200: Clustering column \"d\" cannot be restricted (preceding column \"c\" is restricted by a non-EQ "
      "relation)");
  CHECK(session.one("SELECT c FROM t WHERE p = 1 AND c > 1 AND d = 1 ALLOW FILTERING") == "2");
  CHECK(session.one("SELECT * FROM t WHERE p = 1 AND p = 2") ==
        "2200: p cannot be restricted by more than one relation if it includes an Equal");
  CHECK(session.one("SELECT * FROM t WHERE p > 1") ==
        "2200: Only EQ and IN relation are supported on the partition key (unless you use the token() "
        "function)");
  CHECK(session.one("SELECT * FROM t WHERE p = 1 AND v != 1") == "2200: Unsupported \"!=\" relation: v != 1");
}

TEST_CASE("token() reads partitions in the order of their tokens") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  for (int i = 0; i < 20; ++i) session.ok("INSERT INTO t (p, v) VALUES (?, 0)", {bound(i)});
  const auto all = session.run("SELECT token(p) FROM t");
  REQUIRE(all.size() == 20);
  for (std::size_t i = 1; i < all.size(); ++i) CHECK(std::stoll(all[i - 1]) < std::stoll(all[i]));
  CHECK(session.run("SELECT token(p) FROM t WHERE token(p) > " + all[4] + " AND token(p) <= " + all[7]) ==
        Rows{all[5], all[6], all[7]});
  CHECK(session.run("SELECT p FROM t WHERE token(p) = token(7)") == Rows{"7"});
  CHECK(session.one("SELECT token(p) FROM t WHERE p = 1") == "-4069959284402364209");
}

TEST_CASE("of partitions that are named those whose tokens are in a range are read") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, v int, PRIMARY KEY (p, c))");
  for (int p = 0; p < 5; ++p) session.ok("INSERT INTO t (p, c, v) VALUES (?, 7, 0)", {bound(p)});
  const auto first = session.one("SELECT token(p) FROM t WHERE p = 1");
  CHECK(session.run("SELECT p FROM t WHERE token(p) >= " + first + " AND p = 1") == Rows{"1"});
  CHECK(session.run("SELECT p FROM t WHERE p = 1 AND token(p) > " + first).empty());
  CHECK(session.run("SELECT p FROM t WHERE p = 1 AND c = 7 AND token(p) > " + first).empty());
  CHECK(session.run("SELECT p FROM t WHERE p = 1 AND c = 7 AND token(p) = ?",
                    {bound(std::int64_t{std::stoll(first)})}) == Rows{"1"});
  CHECK(session.run("SELECT p FROM t WHERE p = 1 AND token(p) > 9223372036854775807").empty());
  Rows below;
  for (const std::string& row : session.run("SELECT p, token(p) FROM t WHERE p IN (0, 1, 2, 3)")) {
    const std::size_t bar = row.find(" | ");
    if (std::stoll(row.substr(bar + 3)) <= std::stoll(first)) below.push_back(row.substr(0, bar));
  }
  CHECK(session.run("SELECT p FROM t WHERE p IN (0, 1, 2, 3) AND token(p) <= " + first) == below);
  CHECK(session.run("SELECT c FROM t WHERE p = 1 AND token(p) <= " + first + " ORDER BY c DESC") ==
        Rows{"7"});
  CHECK(session.one("SELECT p FROM t WHERE p > 1 AND token(p) > 0").starts_with("2200: "));
}

TEST_CASE("pages together are all rows, once each") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, s int STATIC, PRIMARY KEY (p, c))");
  for (int p = 0; p < 7; ++p) {
    session.ok("INSERT INTO t (p, s) VALUES (?, 1)", {bound(p)});
    for (int c = 0; c < p; ++c) session.ok("INSERT INTO t (p, c) VALUES (?, ?)", {bound(p), bound(c)});
  }
  const auto all = session.run("SELECT * FROM t");
  CHECK(all.size() == 22);  // of partition 0 the static row
  for (const std::int32_t size : {1, 2, 3, 5, 22, 100}) {
    std::vector<std::size_t> sizes;
    CHECK(session.pages("SELECT * FROM t", size, &sizes) == all);
    CHECK(sizes.front() == std::min<std::size_t>(22, static_cast<std::size_t>(size)));
    const auto reversed = session.run("SELECT c FROM t WHERE p = 6 ORDER BY c DESC");
    CHECK(reversed == Rows{"5", "4", "3", "2", "1", "0"});
    CHECK(session.pages("SELECT c FROM t WHERE p = 6 ORDER BY c DESC", size) == reversed);
    CHECK(session.pages("SELECT p, c FROM t WHERE p IN (3, 5, 1) AND c IN (0, 2)", size) ==
          session.run("SELECT p, c FROM t WHERE p IN (3, 5, 1) AND c IN (0, 2)"));
    CHECK(session.pages("SELECT p FROM t LIMIT 9", size).size() == 9);
    CHECK(session.pages("SELECT DISTINCT p, s FROM t", size).size() == 7);
    CHECK(session.pages("SELECT p FROM t PER PARTITION LIMIT 2", size).size() == 12);
  }
}

TEST_CASE("a paging state of another statement is refused") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, PRIMARY KEY (p, c))");
  for (int c = 0; c < 5; ++c) session.ok("INSERT INTO t (p, c) VALUES (1, ?)", {bound(c)});
  statements::Options options;
  options.page_size = 2;
  const auto page = session.execute("SELECT * FROM t", {}, options);
  std::string state = *std::get<statements::RowSet>(*page).metadata.paging_state;
  options.paging_state = state;
  CHECK(Session::texts(session.execute("SELECT * FROM t WHERE p = 1", {}, options)) ==
        Rows{"000A: Invalid value for the paging state"});
  CHECK(Session::texts(session.execute("SELECT * FROM t", {}, options)) == Rows{"1 | 2", "1 | 3"});
  state.back() = static_cast<char>(state.back() ^ 1);
  CHECK(Session::texts(session.execute("SELECT * FROM t", {}, options)) ==
        Rows{"000A: Invalid value for the paging state"});
}

// docs/service-keyspaces/dml.md section 5.
TEST_CASE("DELETE removes cells, rows, ranges and partitions") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, d int, v int, s int STATIC, PRIMARY KEY (p, c, d))");
  for (int c = 0; c < 4; ++c) {
    for (int d = 0; d < 2; ++d) {
      session.ok("INSERT INTO t (p, c, d, v, s) VALUES (1, ?, ?, 5, 9)", {bound(c), bound(d)});
    }
  }
  session.ok("DELETE v FROM t WHERE p = 1 AND c = 0 AND d = 0");
  CHECK(session.one("SELECT v FROM t WHERE p = 1 AND c = 0 AND d = 0") == "null");
  session.ok("DELETE FROM t WHERE p = 1 AND c = 0 AND d = 0");
  CHECK(session.run("SELECT v FROM t WHERE p = 1 AND c = 0 AND d = 0").empty());
  session.ok("DELETE FROM t WHERE p = 1 AND c = 1");
  session.ok("DELETE FROM t WHERE p = 1 AND c > 2");
  CHECK(session.run("SELECT c, d FROM t WHERE p = 1") == Rows{"0 | 1", "2 | 0", "2 | 1"});
  session.ok("INSERT INTO t (p, c, d, v) VALUES (1, 3, 1, 6)");
  CHECK(session.run("SELECT c, d FROM t WHERE p = 1 AND c = 3") == Rows{"3 | 1"});
  session.ok("DELETE s FROM t WHERE p = 1");
  CHECK(session.run("SELECT DISTINCT p, s FROM t") == Rows{"1 | null"});
  session.ok("DELETE FROM t WHERE p = 1");
  CHECK(session.run("SELECT * FROM t").empty());
  CHECK(session.one("DELETE v FROM t WHERE p = 1") ==
        "2200: DELETE statements must restrict all PRIMARY KEY columns with equality relations in order to "
        "delete "
        "non static columns");
  CHECK(session.one("DELETE v FROM t WHERE p = 1 AND c > 1") ==
        "2200: Range deletions are not supported for specific columns");
  CHECK(session.one("DELETE c FROM t WHERE p = 1") ==
        "2200: Invalid identifier c for deletion (should not be a PRIMARY KEY part)");
}

// docs/service-keyspaces/dml.md section 5: rows of one range.
TEST_CASE("the service deletes at most 1,000 rows in a range") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int, c int, PRIMARY KEY (p, c))");
  for (int c = 0; c < 1'001; ++c) session.ok("INSERT INTO t (p, c) VALUES (1, ?)", {bound(c)});
  CHECK(session.one("DELETE FROM t WHERE p = 1") ==
        "2200: Range delete requests are limited by the amount of items that can be deleted in a single "
        "range.");
  session.ok("DELETE FROM t WHERE p = 1 AND c < 1000");
  CHECK(session.run("SELECT c FROM t") == Rows{"1000"});
}

// docs/service-keyspaces/limits.md, docs/service-keyspaces/types.md section 4.
TEST_CASE("keys have a longest length, and are not empty") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p text, c text, PRIMARY KEY (p, c))");
  const std::string longest(2'048, 'p');
  const std::string clustering(850, 'c');
  session.ok("INSERT INTO t (p, c) VALUES (?, ?)", {bound(longest), bound(clustering)});
  CHECK(session.one("INSERT INTO t (p, c) VALUES (?, 'a')", {bound(longest + "p")}) ==
        "2200: Key length of 2049 is longer than maximum of 2048");
  CHECK(session.one("INSERT INTO t (p, c) VALUES ('a', ?)", {bound(clustering + "c")}) ==
        "2200: Key length of 851 is longer than maximum of 850");
  CHECK(session.one("INSERT INTO t (p, c) VALUES ('', 'a')") == "2200: Key may not be empty");
  session.ok("INSERT INTO t (p, c) VALUES ('a', '')");
  CHECK(session.one("SELECT c FROM t WHERE p = 'a'").empty());
}

TEST_CASE("system tables answer as tables do") {
  Session session;
  session.ok("CREATE TABLE t (p int, c text, PRIMARY KEY (p, c))");
  CHECK(session.one("SELECT key FROM system.local WHERE key = 'local'") == "local");
  CHECK(session.run("SELECT column_name, kind FROM system_schema.columns WHERE keyspace_name = 'ks' AND "
                    "table_name = 't'") == Rows{"c | clustering", "p | partition_key"});
}

}  // namespace dinette::cql::rows_test
