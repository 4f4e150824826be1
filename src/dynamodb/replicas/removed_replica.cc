#include "dynamodb/replicas/removed_replica.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "dynamodb/api/destination_log.h"
#include "dynamodb/api/enums.h"
#include "dynamodb/api/table_transition.h"
#include "dynamodb/deliveries/destination_changes.h"
#include "dynamodb/deliveries/destination_lane.h"
#include "dynamodb/deliveries/destination_log.h"
#include "dynamodb/replicas/link_log.h"
#include "dynamodb/replicas/members.h"
#include "dynamodb/replicas/replication_lane.h"
#include "dynamodb/streams/stream_entry.h"
#include "dynamodb/streams/stream_upkeep.h"
#include "dynamodb/streams/table_stream.h"
#include "dynamodb/tables/table_deletion.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/writes/expiration.h"

namespace dinette::dynamodb {
namespace {

store::StreamId log_of_replica(const api::TableRecord& record) {
  return store::StreamId{static_cast<std::uint64_t>(*record.replication->log_id)};
}

kv::Result<void> erase_progress(store::Store& store, const api::TableRecord& record, std::string_view to) {
  api::LinkProgress progress;
  progress.log_id = *record.replication->log_id;
  progress.region = to;
  return write_entry(store, erasure_of(progress));
}

/// Removes the log of a replica, and how far others have come in it.
kv::Result<void> erase_log(store::Store& store, const api::TableRecord& record) {
  for (const api::ReplicaMember& member : record.replication->members)
    DINETTE_CHECK(erase_progress(store, record, member.region));
  return store.trim_stream(log_of_replica(record), store::stream_end);
}

/// What ends with a replica that is deleted.
struct Ended {
  std::vector<api::DestinationLog> logs;
  std::vector<store::EntryWrite> entries;
};

kv::Result<Ended> end_recording_of(const store::Store& store, api::TableRecord& record,
                                   const api::ReplicaMember& member) {
  Ended ended;
  ended.logs = end_logs(record);
  for (const api::DestinationLog& log : ended.logs) ended.entries.push_back(write_of(log));
  if (!record.stream || record.stream->shards.empty()) return ended;
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(const api::StreamEntry stream, end_stream(view, record, {member.begun, member.until}));
  ended.entries.push_back(write_of(stream));
  DINETTE_TRY(store::EntryWrite note, note_of_ended(view, stream));
  ended.entries.push_back(std::move(note));
  return ended;
}

}  // namespace

kv::Result<void> begin_removal(tenancy::World& world, const api::TableRecord& group,
                               const api::ReplicaMember& member, const Upkeep& upkeep) {
  if (member.kept) return {};
  DINETTE_TRY(const store::TablePointer table, open_replica(world, member.region, group));
  if (!table) return {};
  const std::shared_ptr<store::Store> store = store_of(world, member.region);
  kv::Result<Ended> ended = Ended();
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    api::TableRecord record = current.schema_as<TableSchema>().record();
    if (!record.replication || record.replication->leaving) return std::nullopt;
    ended = end_recording_of(*store, record, member);
    if (!ended) return std::nullopt;
    record.settings = state_at(record, member.begun).settings;
    record.replication->leaving = true;
    record.transition =
        api::TableTransition{api::TableStatus::deleting, member.until, record.settings, false, member.begun};
    store::TableUpdate update(encode_record(record));
    update.entries = ended->entries;
    return update;
  };
  DINETTE_CHECK(store->catalog().update(*table, decide));
  DINETTE_CHECK(ended);
  if (!ended->entries.empty()) limit_ended_streams(*store, world.jobs());
  for (const api::DestinationLog& log : ended->logs) deliver_changes(world, *store, upkeep.kinesis, log);
  return {};
}

kv::Result<bool> is_settled(tenancy::World& world, const api::TableRecord& group,
                            const api::ReplicaMember& member) {
  DINETTE_TRY(const store::TablePointer table, open_replica(world, member.region, group));
  if (!table) return true;
  const api::TableRecord& record = table->schema_as<TableSchema>().record();
  if (record.replication->strong) return true;
  for (const api::ReplicaMember& other : record.replication->members) {
    DINETTE_TRY(const bool sent, is_delivered(*store_of(world, member.region), record, other.region));
    if (!sent) return false;
    if (!member.kept) continue;
    DINETTE_TRY(const store::TablePointer source, open_replica(world, other.region, group));
    if (!source) continue;
    DINETTE_TRY(const bool received, is_delivered(*store_of(world, other.region),
                                                  source->schema_as<TableSchema>().record(), member.region));
    if (!received) return false;
  }
  return true;
}

kv::Result<void> finish_removal(tenancy::World& world, const api::TableRecord& group,
                                const api::ReplicaMember& member, const Upkeep& upkeep) {
  DINETTE_TRY(const store::TablePointer table, open_replica(world, member.region, group));
  if (!table) return {};
  const std::shared_ptr<store::Store> store = store_of(world, member.region);
  const api::TableRecord record = table->schema_as<TableSchema>().record();
  if (!member.kept) {
    DINETTE_CHECK(erase_log(*store, record));
    return end_deletion(*store, world.jobs(), *table, upkeep.recovery_window);
  }
  DINETTE_TRY(const store::TablePointer regional,
              edit_replica(world, member.region, group, [](api::TableRecord& edited) {
                edited.replication.reset();
                edited.auto_scaling.reset();
                return true;
              }));
  if (regional) expire_items(*store, world.jobs(), *regional, upkeep.time_to_live_delay);
  return erase_log(*store, record);
}

kv::Result<void> forget_member(tenancy::World& world, std::string_view region, const api::TableRecord& group,
                               std::string_view member, const Upkeep& upkeep) {
  DINETTE_TRY(const store::TablePointer table, open_replica(world, region, group));
  if (!table) return {};
  const std::shared_ptr<store::Store> store = store_of(world, region);
  const api::TableRecord before = table->schema_as<TableSchema>().record();
  DINETTE_CHECK(erase_progress(*store, before, member));
  DINETTE_TRY(const store::TablePointer after,
              edit_replica(world, region, group, [&](api::TableRecord& edited) {
                auto& members = edited.replication->members;
                std::erase_if(members, [&](const api::ReplicaMember& one) { return one.region == member; });
                if (!members.empty()) return true;
                edited.replication.reset();
                edited.auto_scaling.reset();
                return true;
              }));
  if (!after) return {};
  // Its items may be left for this region to delete.
  expire_items(*store, world.jobs(), *after, upkeep.time_to_live_delay);
  const api::TableRecord& record = after->schema_as<TableSchema>().record();
  if (!record.replication) return erase_log(*store, before);
  replicate(world, region, record, upkeep);
  return {};
}

}  // namespace dinette::dynamodb
