#include "dynamodb/replicas/new_replica.h"

#include <optional>
#include <utility>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/table_transition.h"
#include "dynamodb/api/vector_index_record.h"
#include "dynamodb/replicas/members.h"
#include "dynamodb/replicas/overrides.h"
#include "dynamodb/streams/row_mark.h"
#include "dynamodb/streams/stream_entry.h"
#include "dynamodb/streams/stream_upkeep.h"
#include "dynamodb/streams/table_stream.h"
#include "dynamodb/tables/table_encryption.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/writes/actions/replicate_action.h"
#include "dynamodb/writes/write_item.h"

namespace dinette::dynamodb {
namespace {

/// Returns the other members as the new one lists them: first the table that it is made from.
std::vector<api::ReplicaMember> others_of(const api::TableRecord& source, const api::ReplicaMember& member) {
  std::vector<api::ReplicaMember> others;
  api::ReplicaMember& first = others.emplace_back();
  first.region = source.region;
  first.joined = source.created;
  list_own_overrides(source, first);
  for (const api::ReplicaMember& one : source.replication->members) {
    if (one.region != member.region && one.status != api::ReplicaStatus::deleting) others.push_back(one);
  }
  for (api::ReplicaMember& one : others) {
    one.status = api::ReplicaStatus::active;
    one.driven = false;
  }
  return others;
}

api::TableRecord record_of(const api::TableRecord& source, const api::ReplicaMember& member,
                           store::Store& store, store::StreamId log, codec::Timestamp now) {
  api::TableRecord record;
  record.table_name = source.table_name;
  record.table_id = store.ids().uuid();
  record.account = source.account;
  record.region = member.region;
  record.created = now;
  record.attribute_definitions = source.attribute_definitions;
  record.key_schema = source.key_schema;
  record.local_secondary_indexes = source.local_secondary_indexes;
  record.last_index_id = source.last_index_id;
  if (source.time_to_live)
    record.time_to_live = api::TableTimeToLive{source.time_to_live->attribute_name, false};
  record.auto_scaling = source.auto_scaling;
  record.settings = settings_of_group(source, state_at(source, now).target);
  api::TableSettings& settings = record.settings;
  settings.deletion_protection_enabled = false;
  if (settings.last_update_to_pay_per_request) settings.last_update_to_pay_per_request = now;
  if (settings.kms_master_key_arn) {
    settings.kms_master_key_arn = member.kms_master_key_arn ? member.kms_master_key_arn
                                                            : managed_key_arn(member.region, source.account);
  }
  for (api::GlobalIndexRecord& index : settings.global_secondary_indexes) {
    index.status = api::IndexStatus::active;
    index.building = false;
  }
  for (api::VectorIndexRecord& index : settings.vector_indexes) {
    index.status = api::IndexStatus::active;
    index.building = false;
  }
  record.replication = api::TableReplication{.group_id = source.replication->group_id,
                                             .log_id = static_cast<std::int64_t>(log),
                                             .first_region = source.replication->first_region,
                                             .strong = source.replication->strong,
                                             .filling = true,
                                             .leaving = false,
                                             .disassociation_protection_enabled = true,
                                             .overridden = std::nullopt,
                                             .members = others_of(source, member)};
  apply_overrides(record, member);
  record.transition = api::TableTransition{api::TableStatus::creating, member.until, settings, false, now};
  return record;
}

}  // namespace

kv::Result<store::TablePointer> make_replica(tenancy::World& world, const api::TableRecord& source,
                                             const api::ReplicaMember& member, const Upkeep& upkeep) {
  DINETTE_TRY(store::TablePointer present, open_replica(world, member.region, source));
  if (present) return present;
  const std::shared_ptr<store::Store> store = store_of(world, member.region);
  const codec::Timestamp now = world.clock().now();
  DINETTE_TRY(const store::StreamId log, store->new_stream());
  api::TableRecord record = record_of(source, member, *store, log, now);
  std::vector<store::EntryWrite> entries;
  std::optional<api::StreamEntry> stream;
  if (source.stream && source.stream->view_type) {
    DINETTE_TRY(const auto shards, new_shards(*store, first_shards(record)));
    DINETTE_TRY(const store::View view, store->view());
    DINETTE_TRY(stream, enable_stream(view, record, *source.stream->view_type, {now, member.until}, shards));
    entries.push_back(write_of(*stream));
  }
  DINETTE_TRY(const store::TablePointer made,
              store->catalog().create(record.table_name, encode_record(record), entries));
  if (!made) return open_replica(world, member.region, source);  // which was made meanwhile, perhaps
  if (stream) keep_stream(*store, world.jobs(), *stream, upkeep.stream_retention);
  return made;
}

kv::Result<bool> ReplicaFill::step(const store::Table& source, const api::TableRecord& group) {
  if (rows_done_) return step_through(source, group, store::Area::marks());
  DINETTE_TRY(const bool more, step_through(source, group, store::Area::rows()));
  if (more) return true;
  rows_done_ = true;
  last_key_.clear();
  return true;
}

kv::Result<bool> ReplicaFill::step_through(const store::Table& source, const api::TableRecord& group,
                                           store::Area area) {
  DINETTE_TRY(const store::View view, store_of(world_, group.region)->view());
  store::KeyRange range;
  if (!last_key_.empty()) range.begin = last_key_ + '\0';
  DINETTE_TRY(store::RowCursor keys, view.scan(source, area, range, store::Direction::forward));
  for (std::size_t i = 0; i < rows_per_step; ++i) {
    DINETTE_TRY(const bool more, keys.next());
    if (!more) return false;
    const std::string key(keys.key());
    DINETTE_TRY(const auto row, view.read(source, key));
    DINETTE_TRY(const auto mark, view.read(source, key, store::Area::marks()));
    const bool is_entered = rows_done_ && row;
    if (!is_entered) {
      DINETTE_TRY(const bool entered, enter(group, key, row.value_or(kv::Value()), mark));
      if (!entered) return true;
    }
    last_key_ = key;
  }
  return true;
}

kv::Result<bool> ReplicaFill::enter(const api::TableRecord& group, std::string_view key, kv::Value record,
                                    const std::optional<kv::Value>& mark) {
  ItemVersion version;  // before all others: of an item from before there were replicas
  if (mark) {
    DINETTE_TRY(version, read_mark(mark->view()));
  }
  DINETTE_TRY(const store::TablePointer table, open_replica(world_, region_, group));
  if (!table) return false;
  ReplicateAction action(table->schema_as<TableSchema>(), key, std::move(record));
  WriteOrigin origin{world_.clock().now()};
  origin.replicated = &version;
  origin.filling = true;
  const auto written = write_item(*store_of(world_, region_), *table, action, origin);
  if (written) return written->has_value();
  if (written.error().code == api::ErrorCode::conditional_check_failed_exception) return true;
  return base::Failure{kv::Error{kv::ErrorKind::conflict, written.error().message}};
}

}  // namespace dinette::dynamodb
