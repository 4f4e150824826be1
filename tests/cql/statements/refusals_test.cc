// What statements are refused with, line by line (docs/service-keyspaces/ddl.md sections 2 to 7,
// docs/service-keyspaces/dml.md sections 4 to 7, docs/service-keyspaces/types.md sections 3 to 8,
// docs/service-keyspaces/timestamps.md section 7, docs/service-keyspaces/errors.md section 5).
#include <chrono>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/statements/session.h"

namespace dinette::cql::refusals_test {

using test::Refusal;
using test::Session;

namespace {

void prepare(Session& session) {
  session.ok("CREATE TYPE u (a int, b text)");
  session.ok(
      "CREATE TABLE t (p int, q int, c int, d int, s int static, v int, l list<int>, m map<text, int>, "
      "fl frozen<list<int>>, fm frozen<map<text, int>>, x u, tp tuple<int, text>, PRIMARY KEY ((p, q), c, "
      "d))");
  session.ok("CREATE TABLE one (p int PRIMARY KEY, v int, w varint, e decimal, i timeuuid, h time)");
  session.ok("CREATE TABLE n (p int PRIMARY KEY, n counter)");
}

void check(Session& session, const std::vector<Refusal>& refusals) {
  prepare(session);
  session.refuses(refusals);
}

}  // namespace

TEST_CASE("definitions that Cassandra refuses") {
  Session session;
  check(
      session,
      {
          {"CREATE KEYSPACE k WITH durable_writes = true",
           "2300: Missing mandatory replication strategy class"},
          {"CREATE KEYSPACE k WITH replication = {'class': 'SingleRegionStrategy'} AND color = 'red'",
           "2000: Unknown property 'color'"},
          {"ALTER KEYSPACE nix WITH replication = {'class': 'SingleRegionStrategy'}",
           "2200: Unknown keyspace nix"},
          {"DROP KEYSPACE nix", "2300: Cannot drop non existing keyspace 'nix'."},
          {"CREATE TABLE y (p int, p int, PRIMARY KEY (p))", "2200: Multiple definition of identifier p"},
          {"CREATE TABLE y (p int)", "2200: No PRIMARY KEY specifed (exactly one required)"},
          {"CREATE TABLE y (p int PRIMARY KEY, q int PRIMARY KEY)",
           "2200: Multiple PRIMARY KEYs specifed (exactly one required)"},
          {"CREATE TABLE y (p int, PRIMARY KEY (q))", "2200: Unknown definition q referenced in PRIMARY KEY"},
          {"CREATE TABLE y (p counter PRIMARY KEY)",
           "2200: counter type is not supported for PRIMARY KEY part p"},
          {"CREATE TABLE y (p duration PRIMARY KEY)",
           "2200: duration type is not supported for PRIMARY KEY part p"},
          {"CREATE TABLE y (p int, c frozen<list<duration>>, PRIMARY KEY (p, c))",
           "2200: duration type is not supported for PRIMARY KEY part c"},
          {"CREATE TABLE y (p int, c tuple<int, frozen<map<int, duration>>>, PRIMARY KEY (p, c))",
           "2200: duration type is not supported for PRIMARY KEY part c"},
          {"CREATE TABLE y (p int static, c int, PRIMARY KEY (p, c))",
           "2200: Static column p cannot be part of the PRIMARY KEY"},
          {"CREATE TABLE y (p int PRIMARY KEY, s int static)",
           "2200: Static columns are only useful (and thus allowed) if the table has at least one clustering "
           "column"},
          {"CREATE TABLE y (p int PRIMARY KEY) WITH CLUSTERING ORDER BY (p ASC)",
           "2200: Only clustering key columns can be defined in CLUSTERING ORDER directive"},
          {"CREATE TABLE y (p int, c int, d int, PRIMARY KEY (p, c, d)) WITH CLUSTERING ORDER BY (d ASC, c "
           "ASC)",
           "2200: The order of columns in the CLUSTERING ORDER directive must be the one of the clustering "
           "key (c must appear before d)"},
          {"CREATE TABLE y (p int, c int, d int, PRIMARY KEY (p, c, d)) WITH CLUSTERING ORDER BY (d ASC)",
           "2200: Missing CLUSTERING ORDER for column c"},
          {"CREATE TABLE y (p int PRIMARY KEY) WITH color = 'red'", "2000: Unknown property 'color'"},
          {"ALTER TABLE one DROP nix", "2200: Column nix was not found in table one"},
          {"ALTER TABLE one DROP p", "2200: Cannot drop PRIMARY KEY part p"},
          {"ALTER TABLE one ALTER v TYPE text", "2200: Altering of types is not allowed"},
          {"ALTER TABLE nix.t ADD v int", "2200: Keyspace nix does not exist"},
          {"DROP TABLE nix.t", "2200: Cannot drop table in unknown keyspace 'nix'"},
          {"CREATE TYPE u (a int)", "2200: A user type of name ks.u already exists"},
          {"CREATE TYPE nix.y (a int)", "2200: Cannot add type in unknown keyspace nix"},
          {"CREATE TYPE y (a int, a int)", "2200: Duplicate field name a in type y"},
          {"DROP TYPE nix.y", "2200: Cannot drop type in unknown keyspace nix"},
          {"CREATE TYPE y (a counter)", "2200: A user type cannot contain counters"},
          {"CREATE TYPE y (a u)", "2200: A user type cannot contain non-frozen UDTs"},
          {"CREATE TABLE y (p int PRIMARY KEY, v list<list<int>>)",
           "2200: Non-frozen collections are not allowed inside collections: list<list<int>>"},
          {"CREATE TABLE y (p int PRIMARY KEY, v list<u>)",
           "2200: Non-frozen UDTs are not allowed inside collections: list<u>"},
          {"CREATE TABLE y (p int PRIMARY KEY, v list<counter>)",
           "2200: Counters are not allowed inside collections: list<counter>"},
          {"CREATE TABLE y (p int PRIMARY KEY, v set<duration>)",
           "2200: Durations are not allowed inside sets: set<duration>"},
          {"CREATE TABLE y (p int PRIMARY KEY, v map<duration, int>)",
           "2200: Durations are not allowed as map keys: map<duration, int>"},
          {"CREATE TABLE y (p int PRIMARY KEY, n counter, v int)",
           "2200: Cannot mix counter and non counter columns in the same table"},
          {"CREATE TABLE y (p int PRIMARY KEY, n counter) WITH default_time_to_live = 5",
           "2200: Cannot set default_time_to_live on a table with counters"},
          {"CREATE TABLE y (p int PRIMARY KEY, v other.u)",
           "2200: Statement on keyspace ks cannot refer to a user type in keyspace other; user types can "
           "only "
           "be used in the keyspace they are defined in"},
      });
}

TEST_CASE("reads that Cassandra refuses") {
  Session session;
  const std::string of_partition = "SELECT * FROM t WHERE p = 1 AND q = 1 AND ";
  check(
      session,
      {
          {of_partition + "c > 1 AND c > 2",
           "2200: More than one restriction was found for the start bound on c"},
          {of_partition + "c < 1 AND c < 2",
           "2200: More than one restriction was found for the end bound on c"},
          {of_partition + "(d, c) > (1, 1)",
           "2200: Clustering columns must appear in the PRIMARY KEY order in multi-column relations: "},
          {of_partition + "(c, d) > (1, 1, 1)", "2200: Expected 2 elements in value tuple, but got 3: "},
          {of_partition + "(c, c) > (1, 1)", "2200: Column \"c\" appeared twice in a relation: "},
          {of_partition + "v IN (1, 2) ALLOW FILTERING",
           "2200: IN predicates on non-primary-key columns (v) is not yet supported"},
          {of_partition + "l CONTAINS KEY 1 ALLOW FILTERING",
           "2200: Cannot use CONTAINS KEY on non-map column l"},
          {of_partition + "l[0] = 1 ALLOW FILTERING",
           "2200: Indexes on list entries (l[index] = value) are not currently supported."},
          {of_partition + "v['a'] = 1 ALLOW FILTERING", "2200: Column v cannot be used as a map"},
          {of_partition + "fm['a'] = 1 ALLOW FILTERING",
           "2200: Map-entry equality predicates on frozen map column fm are not supported"},
          {of_partition + "m['a'] > 1 ALLOW FILTERING",
           "2200: Only EQ relations are supported on map entries"},
          {of_partition + "x = {a: 1} ALLOW FILTERING",
           "2200: Non-frozen UDT column 'x' (u) cannot be restricted by any relation"},
          {"SELECT * FROM t WHERE token(p) > 1",
           "2200: The token() function must be applied to all partition key components or none of them"},
          {"SELECT * FROM t WHERE token(c, d) > 1",
           "2200: The token() function must be applied to all partition key components or none of them"},
          {"SELECT * FROM t WHERE token(p, q, p) > 1",
           "2200: The token() function contains duplicate partition key components"},
          {"SELECT * FROM t WHERE token(p, q, c) > 1",
           "2200: The token() function must contains only partition key components"},
          {"SELECT * FROM t WHERE token(q, p) > 1",
           "2200: The token function arguments must be in the partition key order: "},
          {"SELECT DISTINCT v FROM t",
           "2200: SELECT DISTINCT queries must only request partition key columns and/or static columns (not "
           "v)"},
          {"SELECT DISTINCT p FROM t",
           "2200: SELECT DISTINCT queries must request all the partition key columns (missing q)"},
          {"SELECT DISTINCT p, q FROM t WHERE p = 1 AND q = 1 AND c = 1",
           "2200: SELECT DISTINCT with WHERE clause only supports restriction by partition key and/or static "
           "columns."},
          {"SELECT * FROM t WHERE p = 1 AND q = 1 ORDER BY v",
           "2200: Order by is currently only supported on the clustered columns of the PRIMARY KEY, got v"},
          {"SELECT s FROM t WHERE p = 1 AND q = 1 AND c = 1",
           "2200: Cannot restrict clustering columns when selecting only static columns"},
          {"SELECT s FROM t WHERE c = 1 ALLOW FILTERING",
           "2200: Cannot restrict clustering columns when selecting only static columns"},
          {"SELECT DISTINCT p, q FROM t PER PARTITION LIMIT 1",
           "2200: PER PARTITION LIMIT is not allowed with SELECT DISTINCT queries"},
          {"SELECT COUNT(*) FROM t PER PARTITION LIMIT 1",
           "2200: PER PARTITION LIMIT is not allowed with aggregate queries."},
      });
}

TEST_CASE("writes that Cassandra refuses") {
  Session session;
  const std::string row = " WHERE p = 1 AND q = 1 AND c = 1 AND d = 1";
  const std::string batch_of_counters = "UPDATE n SET n = n + 1 WHERE p = 1; ";
  const std::string batch_of_values = "UPDATE one SET v = 1 WHERE p = 1; ";
  check(session,
        {
            {"DELETE FROM t WHERE p = 1 AND q = 1 AND c = 1 IF v = 1",
             "2200: DELETE statements must restrict all PRIMARY KEY columns with equality relations in order "
             "to "
             "use IF condition on non static columns"},
            {"BEGIN BATCH UPDATE one SET v = 1 WHERE p = 1 IF EXISTS; INSERT INTO one (p) VALUES (1) IF NOT "
             "EXISTS; APPLY BATCH",
             "2200: Cannot mix IF EXISTS and IF NOT EXISTS conditions for the same row"},
            {"BEGIN BATCH UPDATE one SET v = 1 WHERE p = 1 IF v = 1; INSERT INTO one (p) VALUES (1) IF NOT "
             "EXISTS; APPLY BATCH",
             "2200: Cannot mix IF conditions and IF NOT EXISTS for the same row"},
            {"BEGIN BATCH UPDATE one SET v = 1 WHERE p = 1 IF v = 1; UPDATE t SET v = 1" + row +
                 "; APPLY BATCH",
             "2200: Batch with conditions cannot span multiple tables"},
            {"BEGIN BATCH " + batch_of_counters + "APPLY BATCH",
             "2200: Cannot include a counter statement in a logged batch"},
            {"BEGIN COUNTER BATCH " + batch_of_values + "APPLY BATCH",
             "2200: Cannot include non-counter statement in a counter batch"},
            {"BEGIN UNLOGGED BATCH " + batch_of_counters + batch_of_values + "APPLY BATCH",
             "2200: Counter and non-counter mutations cannot exist in the same batch"},
            {"BEGIN BATCH USING TIMESTAMP 1 UPDATE one SET v = 1 WHERE p = 1 IF v = 1; APPLY BATCH",
             "2200: Cannot provide custom timestamp for conditional BATCH"},
            {"BEGIN COUNTER BATCH USING TIMESTAMP 1 " + batch_of_counters + "APPLY BATCH",
             "2200: Cannot provide custom timestamp for counter BATCH"},
            {"BEGIN UNLOGGED BATCH USING TIMESTAMP 1 " + batch_of_counters + "APPLY BATCH",
             "2200: Cannot provide custom timestamp for a BATCH containing counters"},
            {"UPDATE one USING TIMESTAMP -9223372036854775808 SET v = 1 WHERE p = 1",
             "2200: Out of bound timestamp, must be in [-9223372036854775807, 9223372036854775807]"},
            {"UPDATE n USING TTL 5 SET n = n + 1 WHERE p = 1",
             "2200: Cannot provide custom TTL for counter updates"},
            {"UPDATE n USING TIMESTAMP 5 SET n = n + 1 WHERE p = 1",
             "2200: Cannot provide custom timestamp for counter updates"},
            {"UPDATE n SET n = n + 1 WHERE p = 1 IF n = 1",
             "2200: Conditional updates are not supported on counter tables"},
            {"DELETE l[0] FROM t" + row, "2200: Attempted to delete an element from a list which is null"},
            {"DELETE fl[0] FROM t" + row, "2200: Invalid deletion operation for frozen collection column fl"},
            {"INSERT INTO one (p, i) VALUES (1, 00000000-0000-4000-8000-000000000000)",
             "2200: TimeUUID supports only version 1 UUIDs"},
            {"INSERT INTO one (p, h) VALUES (1, 'noon')",
             "2200: (TimeType) Unable to coerce 'noon' to a formatted time (long)"},
            {R"(INSERT INTO t JSON '[]')", "2200: Could not decode JSON string as a map: "},
            {R"(INSERT INTO t JSON '{"p": 1, "q": 1, "c": 1, "d": 1, "l": [null]}')",
             "2200: Error decoding JSON value for l: Invalid null element in list"},
            {R"(INSERT INTO t JSON '{"p": 1, "q": 1, "c": 1, "d": 1, "tp": [1, "a", 2]}')",
             "2200: Error decoding JSON value for tp: Tuple contains extra items (expected 2): "},
            {R"(INSERT INTO t JSON '{"p": 1, "q": 1, "c": 1, "d": 1, "tp": [1]}')",
             "2200: Error decoding JSON value for tp: Tuple is missing items (expected 2): "},
        });
}

TEST_CASE("bind markers that are null or not set are refused where a value is needed") {
  Session session;
  prepare(session);
  const std::string row = " WHERE p = 1 AND q = 1 AND c = 1 AND d = 1";
  CHECK(session.one("SELECT * FROM one LIMIT ?", {test::null()}) == "2200: Invalid null value of limit");
  CHECK(session.one("SELECT * FROM one WHERE p IN ?", {test::null()}) ==
        "2200: Invalid null value for column p");
  CHECK(session.one("UPDATE one USING TIMESTAMP ? SET v = 1 WHERE p = 1", {test::null()}) ==
        "2200: Invalid null value of timestamp");
  CHECK(session.one("UPDATE one SET v = 1 WHERE p = 1 IF v IN ?", {test::null()}) ==
        "2200: Invalid null list in IN condition");
  CHECK(session.one("UPDATE t SET l[?] = 1" + row, {test::unset()}) ==
        "2200: Invalid unset value for list index");
  CHECK(session.one("UPDATE t SET m[?] = 1" + row, {test::unset()}) == "2200: Invalid unset map key");
  CHECK(session.one("INSERT INTO t (p, q, c, d, tp) VALUES (1, 1, 1, 1, (?, 'a'))", {test::unset()}) ==
        "2200: Invalid unset value for tuple field number 0");
  CHECK(session.one("UPDATE t SET x = {a: ?}" + row, {test::unset()}) ==
        "2200: Invalid unset value for field 'a' of user defined type u");
}

TEST_CASE("what the service refuses") {
  Session session(Mode::strict);
  std::string columns;
  std::string names = "p";
  std::string values = "1";
  for (int i = 0; i < 226; ++i) {
    columns += ", c" + std::to_string(i) + " int";
    names += ", c" + std::to_string(i);
    values += ", 1";
  }
  session.ok("CREATE TABLE wide (p int PRIMARY KEY" + columns + ")");
  std::string nested = "int";
  for (int i = 0; i < 9; ++i) nested = "frozen<list<" + nested + ">>";
  check(session,
        {
            {"INSERT INTO wide (" + names + ") VALUES (" + values + ")",
             "2200: Number of columns 226 exceeds the maximum of 225 in a single INSERT or UPDATE."},
            {"CREATE TABLE y (p int PRIMARY KEY, v " + nested + ")",
             "2200: Nesting of frozen types exceeds the maximum of 8."},
            {"ALTER TABLE one DROP v", "2200: ALTER TABLE DROP is not supported"},
            {"ALTER TABLE one RENAME p TO q", "2200: ALTER TABLE RENAME is not supported"},
            {"ALTER TABLE one ALTER v TYPE text", "2200: ALTER TABLE ALTER is not supported"},
            {"CREATE TABLE y (p int PRIMARY KEY) WITH COMPACT STORAGE",
             "2200: COMPACT STORAGE is not supported"},
            {"CREATE TABLE nix.y (p int PRIMARY KEY)", "2300: Keyspace nix doesn't exist"},
            {"DROP TABLE nix.y", "2300: Cannot drop table in unknown keyspace 'nix'"},
            {"BEGIN COUNTER BATCH UPDATE n SET n = n + 1 WHERE p = 1; APPLY BATCH",
             "2200: Only LOGGED and UNLOGGED Batches are supported."},
            {"CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'us-east-1': '3'}",
             "2300: NetworkTopologyStrategy requires at least two regions"},
            {"CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'us-east-1': '2', "
             "'us-west-2': '3'}",
             "2300: Invalid replication factor for region us-east-1: only 3 is supported"},
        });
}

TEST_CASE("a table that is changing is not changed again") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int PRIMARY KEY)");
  session.delay_states(std::chrono::seconds(60));
  session.ok("ALTER TABLE t ADD v int");
  CHECK(session.one("ALTER TABLE t ADD w int") == "2200: Table ks.t is being created or updated.");
  session.advance(std::chrono::seconds(60));
  session.ok("ALTER TABLE t ADD w int");
}

}  // namespace dinette::cql::refusals_test
