// What becomes of data as time passes, restored tables, and what statements consume
// (docs/service-keyspaces/timestamps.md section 6; docs/service-keyspaces/ddl.md sections 3 to 6;
// docs/service-keyspaces/capacity.md sections 1, 2 and 5).
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/observe/request_details.h"

#include "cql/statements/capacity.h"
#include "cql/statements/session.h"
#include "cql/types/token.h"
#include "cql/wire/world_state.h"

namespace dinette::cql::upkeep_test {

using namespace std::chrono_literals;
using test::Session;
using Rows = std::vector<std::string>;

namespace {

/// The bytes that a table counts.
std::int64_t stored_bytes(Session& session, std::string_view table) {
  const Place place = session.place();
  const auto stored = place.store.catalog().open("ks." + std::string(table)).value();
  return place.store.count(*stored).value().bytes;
}

upkeep::Removals removals(Session& session, const std::string& table) {
  return wire::WorldState::of(session.place().world).removals()[table];
}

/// What a statement consumes.
std::string units(Session& session, std::string_view statement,
                  frames::Consistency level = frames::Consistency::local_quorum) {
  observe::RequestDetails details;
  session.options().consistency = level;
  session.run_with_details(statement, details);
  session.options().consistency = frames::Consistency::local_quorum;
  const auto text = [](double units) { return std::to_string(units).substr(0, 4); };
  return text(details.read_units()) + " " + text(details.write_units());
}

}  // namespace

TEST_CASE("a tombstone is counted for ten days, and then removed") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, v text, PRIMARY KEY (p, c))");
  session.ok("INSERT INTO t (p, c, v) VALUES (1, 1, 'a')");
  session.ok("DELETE FROM t WHERE p = 1 AND c = 1");
  session.ok("INSERT INTO t (p, c, v) VALUES (1, 2, 'a')");
  session.ok("DELETE v FROM t WHERE p = 1 AND c = 2");
  session.advance(10 * 24h - 1s);
  CHECK(removals(session, "ks.t").tombstones == 0);
  CHECK(stored_bytes(session, "t") == 2 * (7 + 8 + 100));
  session.advance(2s);
  CHECK(removals(session, "ks.t").tombstones == 2);
  CHECK(stored_bytes(session, "t") == 7 + 8 + 100);
  CHECK(session.run("SELECT c, v FROM t") == Rows{"2 | null"});
}

TEST_CASE("tombstones of ranges and partitions are removed, and hide what is older until then") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, s int static, PRIMARY KEY (p, c))");
  session.ok("INSERT INTO t (p, c, s) VALUES (1, 1, 1) USING TIMESTAMP 100");
  session.ok("DELETE FROM t USING TIMESTAMP 200 WHERE p = 1 AND c > 0");
  session.ok("DELETE FROM t USING TIMESTAMP 300 WHERE p = 2");
  session.advance(9 * 24h);
  session.ok("INSERT INTO t (p, c) VALUES (1, 2) USING TIMESTAMP 150");
  session.ok("INSERT INTO t (p, c) VALUES (2, 1) USING TIMESTAMP 250");
  CHECK(session.run("SELECT p, c FROM t WHERE p IN (1, 2) AND c > 0").empty());
  session.advance(2 * 24h);
  CHECK(removals(session, "ks.t").tombstones == 2);
}

TEST_CASE("expired cells are buried when they expire, and removed ten days later") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v text, w text)");
  session.ok("INSERT INTO t (p, v) VALUES (1, 'a') USING TTL 100");
  session.ok("UPDATE t SET w = 'b' WHERE p = 1");
  session.advance(99s);
  CHECK(removals(session, "ks.t").expired == 0);
  session.advance(1s);
  CHECK(removals(session, "ks.t").expired == 1);
  CHECK(session.one("SELECT v, w FROM t") == "null | b");
  // What is older than the expired cell is still hidden by it.
  session.ok("UPDATE t USING TIMESTAMP 1 SET v = 'old' WHERE p = 1");
  CHECK(session.one("SELECT v FROM t") == "null");
  session.advance(10 * 24h);
  CHECK(removals(session, "ks.t").tombstones >= 1);
  CHECK(stored_bytes(session, "t") == 7 + 1 + 100);
}

TEST_CASE("a table is restored with the rows of a moment, its schema, and other properties") {
  Session session;
  session.ok("CREATE KEYSPACE other WITH replication = {'class': 'SingleRegionStrategy'}");
  session.ok("CREATE TYPE u (a int)");
  session.ok(
      "CREATE TABLE t (p int, c int, x frozen<u>, s int static, PRIMARY KEY (p, c)) WITH custom_properties = "
      "{'point_in_time_recovery': {'status': 'enabled'}} AND default_time_to_live = 1000000");
  session.ok("INSERT INTO t (p, c, x, s) VALUES (1, 1, {a: 5}, 7)");
  session.advance(10s);
  session.advance(10s);
  session.ok("DELETE FROM t WHERE p = 1");
  session.ok("INSERT INTO t (p, c) VALUES (2, 2)");
  session.ok(
      "RESTORE TABLE other.then FROM TABLE t WITH restore_timestamp = '2026-11-21T00:17:01+0000' AND "
      "custom_properties = {'point_in_time_recovery': {'status': 'disabled'}}");
  CHECK(session.run("SELECT p, c, x.a, s FROM other.then") == Rows{"1 | 1 | 5 | 7"});
  CHECK(session.one("SELECT default_time_to_live FROM system_schema.tables WHERE keyspace_name = 'other'") ==
        "1000000");
  CHECK(session.one("SELECT type_name FROM system_schema.types WHERE keyspace_name = 'other'") == "u");
  session.ok("RESTORE TABLE now FROM TABLE t");
  CHECK(session.run("SELECT p, c FROM now") == Rows{"2 | 2"});
  CHECK(session.one("RESTORE TABLE now FROM TABLE t") ==
        "2400: Cannot add already existing table \"now\" to keyspace \"ks\"");
  CHECK(session.one("RESTORE TABLE a FROM TABLE other.then") ==
        "2200: Point-in-time recovery is not enabled for table other.then.");
  CHECK(session.one("RESTORE TABLE a FROM TABLE t WITH restore_timestamp = '2026-11-20T00:00:00Z'") ==
        "2200: The restore timestamp is outside of the recovery window of table ks.t.");
  CHECK(session.one("RESTORE TABLE a FROM TABLE nix") == "2200: unconfigured table ks.nix");
}

TEST_CASE("custom properties of ALTER TABLE are kept, and those that are on stay on") {
  Session session(Mode::strict);
  session.ok(
      "CREATE TABLE t (p int PRIMARY KEY) WITH custom_properties = {'capacity_mode': {'throughput_mode': "
      "'PROVISIONED', 'read_capacity_units': 1, 'write_capacity_units': 1}, 'ttl': {'status': 'enabled'}}");
  CHECK(session.one("ALTER TABLE t WITH custom_properties = {'ttl': {'status': 'disabled'}}") ==
        "2200: 'ttl' cannot be disabled once enabled.");
  CHECK(session.one("ALTER TABLE t WITH custom_properties = {'ttl': {'status': 'enabled'}, "
                    "'point_in_time_recovery': {'status': 'enabled'}}") ==
        "2200: Only one custom property can be changed in a single ALTER TABLE statement.");
  CHECK(session.one("ALTER TABLE t WITH custom_properties = {'color': {'status': 'enabled'}}") ==
        "2200: Unknown custom property 'color'.");
  session.ok(
      "ALTER TABLE t WITH AUTOSCALING_SETTINGS = {'provisioned_write_capacity_autoscaling_update': "
      "{'autoscaling_disabled': false, 'minimum_units': 5, 'maximum_units': 10, 'scaling_policy': "
      "{'target_tracking_scaling_policy_configuration': {'target_value': 50}}}}");
  CHECK(session.one(
            "ALTER TABLE t WITH AUTOSCALING_SETTINGS = {'provisioned_write_capacity_autoscaling_update': "
            "{'minimum_units': 11, 'maximum_units': 10}}") ==
        "2200: Invalid value for AUTOSCALING_SETTINGS.");
  CHECK(session.one(
            "ALTER TABLE t WITH AUTOSCALING_SETTINGS = {'provisioned_write_capacity_autoscaling_update': "
            "{'scaling_policy': {'target_tracking_scaling_policy_configuration': {'target_value': 95}}}}") ==
        "2200: Invalid value for AUTOSCALING_SETTINGS.");
  session.ok("ALTER TABLE t ADD TAGS {'a': '1', 'b': '2'}");
  session.ok("ALTER TABLE t DROP TAGS {'a': '1'}");
  CHECK(session.one(
            "SELECT tags FROM system_schema_mcs.tags WHERE keyspace_name = 'ks' AND resource_name = 't'") ==
        R"({"b": "2"})");
}

TEST_CASE("reads cost a unit per started 4 KB, and half of it at ONE") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, v text, PRIMARY KEY (p, c))");
  session.ok("INSERT INTO t (p, c, v) VALUES (1, 1, '" + std::string(5000, 'a') + "')");
  session.ok("INSERT INTO t (p, c, v) VALUES (1, 2, 'a')");
  CHECK(units(session, "SELECT * FROM t WHERE p = 1 AND c = 2") == "1.00 0.00");
  CHECK(units(session, "SELECT * FROM t WHERE p = 1") == "3.00 0.00");
  CHECK(units(session, "SELECT * FROM t WHERE p = 1", frames::Consistency::one) == "1.50 0.00");
  CHECK(units(session, "SELECT * FROM t WHERE p = 9") == "1.00 0.00");
}

TEST_CASE("a scan costs a unit for each storage partition that it passes and that is empty") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY)");
  CHECK(units(session, "SELECT * FROM t") == "4.00 0.00");
  CHECK(units(session, "SELECT * FROM t WHERE p = 1") == "1.00 0.00");
  // Three rows in the first of four.
  constexpr std::int64_t end_of_first = std::numeric_limits<std::int64_t>::min() / 2;
  int found = 0;
  for (int p = 0; found < 3; ++p) {
    if (murmur3_token(test::bound(p).bytes) >= end_of_first) continue;
    session.ok("INSERT INTO t (p) VALUES (" + std::to_string(p) + ")");
    ++found;
  }
  CHECK(units(session, "SELECT * FROM t") == "6.00 0.00");
  CHECK(units(session, "SELECT * FROM t", frames::Consistency::one) == "3.00 0.00");
  // Half of the third one, and the fourth.
  CHECK(units(session, "SELECT * FROM t WHERE token(p) > 5") == "1.00 0.00");
  CHECK(units(session, "SELECT * FROM t WHERE token(p) >= 0") == "2.00 0.00");
  CHECK(units(session, "SELECT * FROM t LIMIT 1") == "1.00 0.00");
}

TEST_CASE("a condition on existence that does not hold costs a read where rows may expire") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v text) WITH default_time_to_live = 100");
  session.ok("CREATE TABLE plain (p int PRIMARY KEY, v text)");
  session.ok(
      "CREATE TABLE stamped (p int PRIMARY KEY, v text) WITH default_time_to_live = 100 AND "
      "custom_properties = "
      "{'client_side_timestamps': {'status': 'enabled'}}");
  const std::string values = " (p, v) VALUES (1, '" + std::string(5'000, 'a') + "')";
  for (const char* table : {"t", "plain", "stamped"})
    session.ok("INSERT INTO " + std::string(table) + values);
  CHECK(units(session, "INSERT INTO t" + values + " IF NOT EXISTS") == "2.00 6.00");
  CHECK(units(session, "UPDATE t SET v = 'b' WHERE p = 2 IF EXISTS") == "1.00 1.00");
  CHECK(units(session, "UPDATE t SET v = 'b' WHERE p = 1 IF v = 'c'") == "0.00 6.00");
  CHECK(units(session, "INSERT INTO plain" + values + " IF NOT EXISTS") == "0.00 5.00");
  CHECK(units(session, "INSERT INTO stamped" + values + " IF NOT EXISTS") == "0.00 6.00");
}

TEST_CASE("writes cost a unit per started KB; with static cells and in logged batches twice as much") {
  Session session;
  session.ok("CREATE TABLE t (p int, c int, s text static, v text, PRIMARY KEY (p, c))");
  CHECK(units(session, "INSERT INTO t (p, c, v) VALUES (1, 1, 'a')") == "0.00 1.00");
  CHECK(units(session, "INSERT INTO t (p, c, v) VALUES (1, 2, '" + std::string(2000, 'a') + "')") ==
        "0.00 3.00");
  CHECK(units(session, "UPDATE t SET v = 'b' WHERE p = 1 AND c = 1 IF v = 'none'") == "0.00 1.00");
  // docs/service-keyspaces/capacity.md section 1: 25.5 KB and 1.5 KB.
  const std::string row(26'112 - 7 - 8 - 100, 'r');
  const std::string statics(1'536 - 7 - 104, 's');
  CHECK(units(session, "INSERT INTO t (p, c, s, v) VALUES (2, 1, '" + statics + "', '" + row + "')") ==
        "0.00 56.0");
  const std::string of_1_kb(1'024 - 7 - 8 - 100, 'v');
  std::string batch = "BEGIN BATCH ";
  for (int p = 5; p < 8; ++p)
    batch += "INSERT INTO t (p, c, v) VALUES (" + std::to_string(p) + ", 1, '" + of_1_kb + "'); ";
  CHECK(units(session, batch + "APPLY BATCH") == "0.00 6.00");
  CHECK(units(session, "DELETE FROM t WHERE p = 1") == "0.00 4.00");
}

TEST_CASE("a table that has consumed its capacity times out until it has gained more") {
  Session session;
  statements::Throttle throttle;
  session.throttle_by(throttle);
  session.ok(
      "CREATE TABLE t (p int PRIMARY KEY) WITH custom_properties = {'capacity_mode': {'throughput_mode': "
      "'PROVISIONED', 'read_capacity_units': 1, 'write_capacity_units': 2}}");
  for (int p = 0; p < 2; ++p) session.ok("INSERT INTO t (p) VALUES (" + std::to_string(p) + ")");
  CHECK(session.one("INSERT INTO t (p) VALUES (3)") ==
        "1100: Operation timed out - received only 0 responses.");
  session.ok("SELECT * FROM t WHERE p = 1");
  CHECK(session.one("SELECT * FROM t WHERE p = 1") ==
        "1200: Operation timed out - received only 0 responses.");
  session.advance(1s);
  session.ok("INSERT INTO t (p) VALUES (3)");
}

}  // namespace dinette::cql::upkeep_test
