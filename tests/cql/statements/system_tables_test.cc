// The tables of the system, with the rows that clients find (docs/service-keyspaces/system-tables.md sections
// 1 to 8).
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/statements/session.h"
#include "cql/system/node.h"
#include "support/hex.h"

namespace dinette::cql::system_tables_test {

using namespace std::chrono_literals;
using ::test::from_hex;
using test::Session;
using ::test::to_hex;
using Rows = std::vector<std::string>;

namespace {

struct Listed {
  std::string table;
  std::string columns;  ///< in the order of SELECT *
};

std::string joined(const Rows& texts) {
  std::string out;
  for (const std::string& text : texts) out.append(out.empty() ? "" : " ").append(text);
  return out;
}

}  // namespace

TEST_CASE("the node that clients have reached describes itself") {
  Session session;
  CHECK(session.one(
            "SELECT key, bootstrapped, broadcast_address, cluster_name, cql_version FROM system.local") ==
        "local | COMPLETED | 127.0.0.1 | Amazon Keyspaces | 3.4.4");
  CHECK(session.one("SELECT data_center, rack, listen_address, rpc_address, native_protocol_version FROM "
                    "system.local WHERE key = 'local'") ==
        "us-east-1 | us-east-1 | 127.0.0.1 | 127.0.0.1 | 4");
  CHECK(session.one(
            "SELECT partitioner, release_version, thrift_version, tokens, truncated_at FROM system.local") ==
        "org.apache.cassandra.dht.Murmur3Partitioner | 3.11.2 | 20.1.0 | [\"-9223372036854775808\"] | null");
  CHECK(session.run("SELECT key FROM system.local WHERE key = 'other'").empty());
  CHECK(session.run("SELECT * FROM system.peers").empty());
  CHECK(session.one("SELECT * FROM system.peers_v2") == "2200: unconfigured table system.peers_v2");
}

TEST_CASE("the id of a node is made of the text of its address") {
  CHECK(to_hex(system::host_id(from_hex("ac10010e"))) == "be0f3a14e1073feea5e5415c10539abd");
  CHECK(to_hex(system::host_id(from_hex("ac10011c"))) == "b666465ecb853efab3abf6cf139e5a39");
  CHECK(to_hex(system::host_id(from_hex("0353ab8c"))) == "6d916d923bd637c69c2e888c93da51a5");
}

TEST_CASE("every table of the system has its columns") {
  Session session;
  const std::string options =
      "bloom_filter_fp_chance caching cdc comment compaction compression crc_check_chance "
      "dclocal_read_repair_chance default_time_to_live extensions flags gc_grace_seconds id "
      "max_index_interval "
      "memtable_flush_period_in_ms min_index_interval read_repair_chance speculative_retry";
  const std::vector<Listed> tables = {
      {"system.local",
       "key bootstrapped broadcast_address cluster_name cql_version data_center gossip_generation host_id "
       "listen_address native_protocol_version partitioner rack release_version rpc_address schema_version "
       "thrift_version tokens truncated_at"},
      {"system.peers",
       "peer data_center host_id preferred_ip rack release_version rpc_address schema_version tokens"},
      {"system.size_estimates",
       "keyspace_name table_name range_start range_end mean_partition_size partitions_count"},
      {"system.prepared_statements", "prepared_id logged_keyspace query_string"},
      {"system_schema.keyspaces", "keyspace_name durable_writes replication"},
      {"system_schema.tables", "keyspace_name table_name " + options},
      {"system_schema.columns",
       "keyspace_name table_name column_name clustering_order column_name_bytes kind position type"},
      {"system_schema.types", "keyspace_name type_name field_names field_types"},
      {"system_schema.indexes", "keyspace_name table_name index_name kind options"},
      {"system_schema.triggers", "keyspace_name table_name trigger_name options"},
      {"system_schema.functions",
       "keyspace_name function_name argument_types argument_names body called_on_null_input language "
       "return_type"},
      {"system_schema.aggregates",
       "keyspace_name aggregate_name argument_types final_func initcond return_type state_func state_type"},
      {"system_schema.dropped_columns", "keyspace_name table_name column_name dropped_time type"},
      {"system_schema_mcs.keyspaces", "keyspace_name durable_writes replication"},
      {"system_schema_mcs.tables_history",
       "keyspace_name table_name event_time creation_time custom_properties event"},
      {"system_schema_mcs.types",
       "keyspace_name type_name direct_parent_types direct_referring_tables field_names field_types "
       "last_modified_timestamp max_nesting_depth status"},
      {"system_schema_mcs.tags", "keyspace_name resource_name resource_id resource_type tags"},
      {"system_schema_mcs.autoscaling",
       "keyspace_name table_name provisioned_read_capacity_autoscaling_update "
       "provisioned_write_capacity_autoscaling_update"},
      {"system_multiregion_info.keyspaces", "keyspace_name region status tables_replication_progress"},
      {"system_multiregion_info.tables", "keyspace_name table_name region custom_properties status"},
  };
  for (const Listed& listed : tables) {
    INFO(listed.table);
    CHECK(joined(session.columns("SELECT * FROM " + listed.table)) == listed.columns);
  }
  for (const char* table :
       {"system.\"IndexInfo\"", "system.batches", "system.paxos", "system.peer_events", "system.range_xfers",
        "system.compaction_history", "system.sstable_activity", "system.available_ranges",
        "system.transferred_ranges", "system.views_builds_in_progress", "system.built_views",
        "system_schema.views", "system_schema_mcs.sessions", "system_schema_mcs.triggers",
        "system_schema_mcs.views", "system_schema_mcs.functions", "system_schema_mcs.aggregates",
        "system_schema_mcs.indexes"}) {
    INFO(table);
    CHECK(session.run(std::string("SELECT * FROM ") + table).empty());
  }
  session.refuses({{"SELECT * FROM system_auth.roles", "2200: Keyspace system_auth does not exist"},
                   {"SELECT * FROM system_traces.events", "2200: Keyspace system_traces does not exist"},
                   {"SELECT * FROM system_distributed.repair_history",
                    "2200: Keyspace system_distributed does not exist"}});
}

TEST_CASE("the keyspaces of the system are listed beside those of users") {
  Session session;
  const std::string replication =
      R"({"class": "org.apache.cassandra.locator.SimpleStrategy", "replication_factor": "3"} | true)";
  for (const char* keyspace :
       {"system", "system_schema", "system_schema_mcs", "system_multiregion_info", "ks"}) {
    for (const char* of : {"system_schema", "system_schema_mcs"}) {
      CHECK(session.one("SELECT replication, durable_writes FROM " + std::string(of) +
                        ".keyspaces WHERE keyspace_name = '" + keyspace + "'") == replication);
    }
  }
  CHECK(session.run("SELECT keyspace_name FROM system_schema.keyspaces").size() == 5);
  CHECK(session.pages("SELECT keyspace_name FROM system_schema.keyspaces", 2).size() == 5);
}

TEST_CASE("columns are shown with their kinds, places, orders and types") {
  Session session;
  session.ok("CREATE TYPE u (a int)");
  session.ok(
      "CREATE TABLE t (p int, q varchar, c text, d int, s int static, l list<frozen<set<int>>>, m map<text, "
      "int>, "
      "z tuple<int, text>, f frozen<u>, x u, n duration, PRIMARY KEY ((p, q), c, d)) WITH CLUSTERING ORDER "
      "BY (c DESC)");
  CHECK(session.run(
            "SELECT column_name, kind, position, clustering_order, type FROM system_schema.columns WHERE "
            "keyspace_name = 'ks' AND table_name = 't'") ==
        Rows{"c | clustering | 0 | desc | text", "d | clustering | 1 | asc | int",
             "f | regular | -1 | none | frozen<u>", "l | regular | -1 | none | list<frozen<set<int>>>",
             "m | regular | -1 | none | map<text, int>", "n | regular | -1 | none | duration",
             "p | partition_key | 0 | none | int", "q | partition_key | 1 | none | text",
             "s | static | -1 | none | int", "x | regular | -1 | none | u",
             "z | regular | -1 | none | frozen<tuple<int, text>>"});
  CHECK(session.one(
            "SELECT column_name_bytes FROM system_schema.columns WHERE keyspace_name = 'ks' AND table_name = "
            "'t' AND column_name = 'c'") == "0x63");
  CHECK(session.one(
            "SELECT type FROM system_schema.columns WHERE keyspace_name = 'system' AND table_name = 'local' "
            "AND column_name = 'truncated_at'") == "map<uuid, blob>");
}

TEST_CASE("tables are shown with the values of the service") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY)");
  session.ok("CREATE TABLE n (p int PRIMARY KEY, n counter)");
  const auto shown = [&](const std::string& columns, const char* table) {
    return session.one("SELECT " + columns +
                       " FROM system_schema.tables WHERE keyspace_name = 'ks' AND table_name = '" + table +
                       "'");
  };
  CHECK(shown("bloom_filter_fp_chance, caching, cdc, comment", "t") ==
        R"(0.01 | {"class": "com.amazonaws.cassandra.DefaultCaching"} | false | )");
  CHECK(
      shown("compaction, compression", "t") ==
      R"({"class": "com.amazonaws.cassandra.DefaultCompaction"} | {"class": "com.amazonaws.cassandra.DefaultCompression"})");
  CHECK(shown("crc_check_chance, dclocal_read_repair_chance, default_time_to_live, extensions, flags", "t") ==
        R"(1.0 | 0.0 | 0 | {} | ["compound"])");
  CHECK(shown("gc_grace_seconds, max_index_interval, memtable_flush_period_in_ms, min_index_interval", "t") ==
        "7776000 | 2048 | 3600000 | 128");
  CHECK(shown("read_repair_chance, speculative_retry", "t") == "0.0 | 99PERCENTILE");
  CHECK(shown("flags", "n") == R"(["compound", "counter"])");
  CHECK(shown("id", "t") != shown("id", "n"));
}

TEST_CASE("the schema of the service has states, times and custom properties") {
  Session session;
  session.ok("CREATE TYPE inner (a int)");
  session.ok("CREATE TYPE outside (a frozen<inner>)");
  session.ok("CREATE TABLE t (p int PRIMARY KEY, x frozen<outside>)");
  CHECK(
      session.one("SELECT status, creation_time FROM system_schema_mcs.tables WHERE keyspace_name = 'ks' AND "
                  "table_name = 't'") == "ACTIVE | 2026-11-21 00:16:51.000Z");
  CHECK(
      session.one("SELECT custom_properties FROM system_schema_mcs.tables WHERE keyspace_name = 'ks' AND "
                  "table_name = "
                  "'t'") ==
      R"({"capacity_mode": {"last_update_to_pay_per_request_timestamp": "1795220211000", "throughput_mode": )"
      R"("PAY_PER_REQUEST"}, "encryption_specification": {"encryption_type": "AWS_OWNED_KMS_KEY"}, )"
      R"("point_in_time_recovery": {"status": "disabled"}})");
  CHECK(session.run(
            "SELECT type_name, field_names, field_types, max_nesting_depth, status, direct_parent_types, "
            "direct_referring_tables FROM system_schema_mcs.types WHERE keyspace_name = 'ks'") ==
        Rows{R"(inner | ["a"] | ["int"] | 0 | ACTIVE | ["outside"] | [])",
             R"(outside | ["a"] | ["frozen<inner>"] | 1 | ACTIVE | [] | ["t"])"});
  CHECK(session.one(
            "SELECT last_modified_timestamp FROM system_schema_mcs.types WHERE keyspace_name = 'ks' AND "
            "type_name = 'inner'") == "2026-11-21 00:16:51.000Z");
  CHECK(
      session.one("SELECT region, status FROM system_multiregion_info.tables WHERE keyspace_name = 'ks' AND "
                  "table_name = 't'") == "us-east-1 | ACTIVE");
  CHECK(session.one(
            "SELECT region, status FROM system_multiregion_info.keyspaces WHERE keyspace_name = 'ks'") ==
        "us-east-1 | Active");
}

TEST_CASE("states are seen while they last: of tables by the service's schema, of keyspaces by none") {
  Session session;
  session.delay_states(10s);
  session.ok("CREATE TABLE t (p int PRIMARY KEY)");
  const std::string of_table = " WHERE keyspace_name = 'ks' AND table_name = 't'";
  const auto status = [&] { return session.run("SELECT status FROM system_schema_mcs.tables" + of_table); };
  const auto visible = [&] {
    return session.run("SELECT table_name FROM system_schema.tables" + of_table).size();
  };
  CHECK(status() == Rows{"CREATING"});
  CHECK(visible() == 0);
  session.advance(10s);
  CHECK(status() == Rows{"ACTIVE"});
  CHECK(visible() == 1);
  session.ok("ALTER TABLE t WITH custom_properties = {'point_in_time_recovery': {'status': 'enabled'}}");
  CHECK(status() == Rows{"UPDATING"});
  session.advance(10s);
  session.ok("RESTORE TABLE r FROM TABLE t");
  CHECK(session.one(
            "SELECT status FROM system_schema_mcs.tables WHERE keyspace_name = 'ks' AND table_name = 'r'") ==
        "RESTORING");
  session.ok("DROP TABLE t");
  CHECK(status() == Rows{"DELETING"});
  session.advance(10s);
  CHECK(status().empty());
  session.ok("CREATE KEYSPACE k WITH replication = {'class': 'SingleRegionStrategy'}");
  const auto keyspaces = [&] {
    return session.run("SELECT keyspace_name FROM system_schema_mcs.keyspaces WHERE keyspace_name = 'k'")
        .size();
  };
  CHECK(keyspaces() == 0);
  session.advance(10s);
  CHECK(keyspaces() == 1);
}

TEST_CASE("reads of system tables have the clauses that those of others have") {
  Session session;
  for (const char* table : {"a", "b", "c"})
    session.ok("CREATE TABLE " + std::string(table) + " (p int PRIMARY KEY, v int)");
  Rows keyspaces = session.run("SELECT DISTINCT keyspace_name FROM system_schema.tables");
  std::ranges::sort(keyspaces);
  CHECK(keyspaces == Rows{"ks", "system", "system_multiregion_info", "system_schema", "system_schema_mcs"});
  const std::string of_ks = "SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'ks'";
  CHECK(session.run(of_ks + " ORDER BY table_name DESC") == Rows{"c", "b", "a"});
  CHECK(session.pages(of_ks + " ORDER BY table_name DESC", 2) == Rows{"c", "b", "a"});
  CHECK(session.run(of_ks + " ORDER BY table_name DESC LIMIT 1") == Rows{"c"});
  CHECK(session.run(of_ks + " PER PARTITION LIMIT 2") == Rows{"a", "b"});
  const std::string first = "SELECT table_name FROM system_schema.tables PER PARTITION LIMIT 1";
  CHECK(session.run(first).size() == keyspaces.size());
  CHECK(session.pages(first, 2) == session.run(first));
  CHECK(session.run("SELECT table_name FROM system_schema.columns WHERE keyspace_name = 'ks' GROUP BY "
                    "keyspace_name, table_name PER PARTITION LIMIT 2") == Rows{"a", "b"});
  const Rows last = session.run(
      "SELECT table_name FROM system_schema.tables WHERE keyspace_name IN ('ks', 'system_schema') ORDER BY "
      "table_name DESC LIMIT 2");
  CHECK(last == Rows{"views", "types"});
}

TEST_CASE("estimates of sizes are one range per table") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY)");
  for (int p = 0; p < 3; ++p) session.ok("INSERT INTO t (p) VALUES (" + std::to_string(p) + ")");
  CHECK(session.one(
            "SELECT range_start, range_end, mean_partition_size, partitions_count FROM system.size_estimates "
            "WHERE keyspace_name = 'ks' AND table_name = 't'") ==
        "-9223372036854775808 | 9223372036854775807 | 107 | 3");
}

}  // namespace dinette::cql::system_tables_test
