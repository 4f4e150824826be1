#include <algorithm>
#include <array>
#include <limits>

#include "cql/schema/objects.h"
#include "cql/system/node.h"
#include "cql/system/system_table.h"
#include "cql/system/values.h"

// docs/service-keyspaces/system-tables.md sections 2 to 4.
namespace dinette::cql::system {
namespace {

constexpr std::string_view keyspace_of_nodes = "system";

/// Version 4 of the protocol, which does not mean that version 3 is refused.
constexpr std::string_view protocol_version = "4";
constexpr std::string_view release_version = "3.11.2";

Answer<void> fill_local(const Place& place, RowsMaker& rows) {
  const std::string address(place.address);
  const std::string region(place.region);
  DINETTE_TRY(std::string version, schema_version(place));
  const std::array<std::string, 1> tokens = {std::to_string(std::numeric_limits<std::int64_t>::min())};
  rows.add()
      .set("key", "local")
      .set("bootstrapped", "COMPLETED")
      .set("broadcast_address", address)
      .set("cluster_name", "Amazon Keyspaces")
      .set("cql_version", "3.4.4")
      .set("data_center", region)
      .set("gossip_generation", int_value(1))
      .set("host_id", host_id(address))
      .set("listen_address", address)
      .set("native_protocol_version", std::string(protocol_version))
      .set("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner")
      .set("rack", region)
      .set("release_version", std::string(release_version))
      .set("rpc_address", address)
      .set("schema_version", std::move(version))
      .set("thrift_version", "20.1.0")
      .set("tokens", list_value(tokens));
  return {};
}

/// One range over the whole ring per table. How many partitions there are is not counted: rows are.
Answer<void> fill_size_estimates(const Place& place, RowsMaker& rows) {
  DINETTE_TRY(const schema::Objects objects, schema::list_objects(place));
  for (const schema::StoredTable& one : objects.tables) {
    DINETTE_CQL_STORED(const store::Count count, place.store.count(*one.stored));
    const std::int64_t mean = count.rows > 0 ? count.bytes / count.rows : 0;
    rows.add()
        .set("keyspace_name", one.table().keyspace)
        .set("table_name", one.table().name)
        .set("range_start", std::to_string(std::numeric_limits<std::int64_t>::min()))
        .set("range_end", std::to_string(std::numeric_limits<std::int64_t>::max()))
        .set("mean_partition_size", bigint_value(mean))
        .set("partitions_count", bigint_value(count.rows));
  }
  return {};
}

}  // namespace

void add_tables_of_system(SystemTables& tables) {
  const Type text = native(Kind::text);
  const Type integer = native(Kind::int_);
  const Type bigint = native(Kind::bigint);
  const Type uuid = native(Kind::uuid);
  const Type timeuuid = native(Kind::timeuuid);
  const Type inet = native(Kind::inet);
  const Type blob = native(Kind::blob);
  const auto add = [&](std::string_view name, Declarations key, Declarations clustering, Declarations others,
                       SystemTable::Fill fill = &no_rows) {
    tables.push_back(
        std::make_unique<const SystemTable>(declare(keyspace_of_nodes, name, key, clustering, others), fill));
  };

  add("local", {{"key", text}}, {},
      {{"bootstrapped", text},
       {"broadcast_address", inet},
       {"cluster_name", text},
       {"cql_version", text},
       {"data_center", text},
       {"gossip_generation", integer},
       {"host_id", uuid},
       {"listen_address", inet},
       {"native_protocol_version", text},
       {"partitioner", text},
       {"rack", text},
       {"release_version", text},
       {"rpc_address", inet},
       {"schema_version", uuid},
       {"thrift_version", text},
       {"tokens", set_of(text)},
       {"truncated_at", map_of(uuid, blob)}},
      &fill_local);
  // Clients that find no other node use the one that they have reached.
  add("peers", {{"peer", inet}}, {},
      {{"data_center", text},
       {"host_id", uuid},
       {"preferred_ip", inet},
       {"rack", text},
       {"release_version", text},
       {"rpc_address", inet},
       {"schema_version", uuid},
       {"tokens", set_of(text)}});
  add("size_estimates", {{"keyspace_name", text}},
      {{"table_name", text}, {"range_start", text}, {"range_end", text}},
      {{"mean_partition_size", bigint}, {"partitions_count", bigint}}, &fill_size_estimates);
  add("prepared_statements", {{"prepared_id", blob}}, {},
      {{"logged_keyspace", text}, {"query_string", text}});

  // What Cassandra has, and what is always empty here.
  add("IndexInfo", {{"table_name", text}}, {{"index_name", text}}, {});
  add("available_ranges", {{"keyspace_name", text}}, {}, {{"ranges", set_of(blob)}});
  add("batches", {{"id", timeuuid}}, {}, {{"mutations", list_of(blob)}, {"version", integer}});
  add("built_views", {{"keyspace_name", text}}, {{"view_name", text}}, {});
  add("compaction_history", {{"id", uuid}}, {},
      {{"bytes_in", bigint},
       {"bytes_out", bigint},
       {"columnfamily_name", text},
       {"compacted_at", native(Kind::timestamp)},
       {"keyspace_name", text},
       {"rows_merged", map_of(integer, bigint)}});
  add("paxos", {{"row_key", blob}}, {{"cf_id", uuid}},
      {{"in_progress_ballot", timeuuid},
       {"most_recent_commit", blob},
       {"most_recent_commit_at", timeuuid},
       {"most_recent_commit_version", integer},
       {"proposal", blob},
       {"proposal_ballot", timeuuid},
       {"proposal_version", integer}});
  add("peer_events", {{"peer", inet}}, {}, {{"hints_dropped", map_of(uuid, integer)}});
  add("range_xfers", {{"token_bytes", blob}}, {}, {{"requested_at", native(Kind::timestamp)}});
  add("sstable_activity", {{"keyspace_name", text}, {"columnfamily_name", text}, {"generation", integer}}, {},
      {{"rate_120m", native(Kind::double_)}, {"rate_15m", native(Kind::double_)}});
  add("transferred_ranges", {{"operation", text}, {"keyspace_name", text}}, {{"peer", inet}},
      {{"ranges", set_of(blob)}});
  add("views_builds_in_progress", {{"keyspace_name", text}}, {{"view_name", text}},
      {{"generation_number", integer}, {"last_token", text}});
}

}  // namespace dinette::cql::system
