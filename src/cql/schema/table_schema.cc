#include "cql/schema/table_schema.h"

#include <utility>

#include "dinette/base/record_bytes.h"

namespace dinette::cql::schema {
namespace {

using base::RecordReader;
using base::RecordWriter;

// Kept on disk: never renumber.
constexpr std::uint8_t keyspace_format = 5;
constexpr std::uint8_t table_format = 4;
/// Those before: without what Cassandra's own replication has; without dropped columns, and without times of
/// changes.
constexpr std::uint8_t earlier_keyspace_format = 1;
constexpr std::uint8_t table_format_without_dropped = 3;
constexpr std::uint8_t table_format_without_times = 2;

/// More than types can nest: what is stored deeper is corrupt.
constexpr int deepest_type = 64;

constexpr char between_names = '.';

void add_text(RecordWriter& out, const std::string& text) {
  out.add(std::string_view(text));
}

void add_texts(RecordWriter& out, const std::vector<std::string>& texts) {
  out.add_list(texts, [&](const std::string& text) { add_text(out, text); });
}

std::vector<std::string> read_texts(RecordReader& in) {
  std::vector<std::string> texts;
  in.read_list([&] { texts.emplace_back(in.text()); });
  return texts;
}

void add_time(RecordWriter& out, base::TimePoint moment) {
  out.add(static_cast<std::int64_t>(moment.time_since_epoch().count()));
}

base::TimePoint read_time(RecordReader& in) {
  return base::TimePoint(base::TimePoint::duration(in.int64()));
}

void add_type(RecordWriter& out, const Type& type) {
  out.add(static_cast<std::uint32_t>(type.kind));
  out.add(type.frozen);
  out.add_list(type.arguments, [&](const Type& argument) { add_type(out, argument); });
  add_text(out, type.keyspace);
  add_text(out, type.name);
  add_texts(out, type.fields);
}

Type read_type(RecordReader& in, int depth = 0) {
  Type type;
  if (depth > deepest_type) {
    in.fail();
    return type;
  }
  type.kind = static_cast<Kind>(in.number<std::uint32_t>());
  type.frozen = in.truth();
  in.read_list([&] { type.arguments.push_back(read_type(in, depth + 1)); });
  type.keyspace = in.text();
  type.name = in.text();
  type.fields = read_texts(in);
  if (type.kind == Kind::udt && type.fields.size() != type.arguments.size()) in.fail();
  return type;
}

void add_transition(RecordWriter& out, const Transition& transition) {
  out.add(static_cast<std::uint8_t>(transition.status));
  add_time(out, transition.begun);
  add_time(out, transition.until);
}

Transition read_transition(RecordReader& in) {
  Transition transition;
  transition.status = Status{in.number<std::uint8_t>()};
  transition.begun = read_time(in);
  transition.until = read_time(in);
  return transition;
}

void add_tags(RecordWriter& out, const Tags& tags) {
  out.add_list(tags, [&](const auto& tag) {
    add_text(out, tag.first);
    add_text(out, tag.second);
  });
}

Tags read_tags(RecordReader& in) {
  Tags tags;
  in.read_list([&] {
    std::string key(in.text());
    tags.emplace(std::move(key), in.text());
  });
  return tags;
}

void add_user_type(RecordWriter& out, const UserType& type) {
  add_text(out, type.name);
  add_texts(out, type.fields);
  out.add_list(type.types, [&](const Type& field) { add_type(out, field); });
  add_time(out, type.changed);
}

UserType read_user_type(RecordReader& in) {
  UserType type;
  type.name = in.text();
  type.fields = read_texts(in);
  in.read_list([&] { type.types.push_back(read_type(in)); });
  type.changed = read_time(in);
  if (type.types.size() != type.fields.size()) in.fail();
  return type;
}

Keyspace read_keyspace(RecordReader& in, std::uint8_t format) {
  Keyspace keyspace;
  keyspace.name = in.text();
  keyspace.replication.strategy = Replication::Strategy{in.number<std::uint8_t>()};
  keyspace.replication.regions = read_tags(in);
  keyspace.client_side_timestamps = in.truth();
  keyspace.tags = read_tags(in);
  keyspace.created = read_time(in);
  keyspace.transition = read_transition(in);
  in.read_list([&] { keyspace.types.push_back(read_user_type(in)); });
  if (format == earlier_keyspace_format) return keyspace;
  keyspace.replication.factor = in.text();
  keyspace.durable_writes = in.truth();
  return keyspace;
}

void add_column(RecordWriter& out, const Column& column) {
  out.add(column.id);
  add_text(out, column.name);
  out.add(static_cast<std::uint8_t>(column.kind));
  out.add(static_cast<std::int32_t>(column.position));
  out.add(column.order == store::Order::descending);
  add_type(out, column.type);
}

Column read_column(RecordReader& in) {
  Column column;
  column.id = in.number<std::uint32_t>();
  column.name = in.text();
  column.kind = ColumnKind{in.number<std::uint8_t>()};
  column.position = in.int32();
  column.order = in.truth() ? store::Order::descending : store::Order::ascending;
  column.type = read_type(in);
  return column;
}

void add_dropped(RecordWriter& out, const DroppedColumn& column) {
  add_text(out, column.name);
  add_type(out, column.type);
  add_time(out, column.dropped);
}

DroppedColumn read_dropped(RecordReader& in) {
  DroppedColumn column;
  column.name = in.text();
  column.type = read_type(in);
  column.dropped = read_time(in);
  return column;
}

void add_stream(RecordWriter& out, const ChangeStream& stream) {
  out.add(stream.id);
  add_text(out, stream.view_type);
  add_time(out, stream.since);
  out.add(stream.ended.has_value());
  add_time(out, stream.ended.value_or(base::TimePoint()));
}

ChangeStream read_stream(RecordReader& in) {
  ChangeStream stream;
  stream.id = in.number<std::uint64_t>();
  stream.view_type = in.text();
  stream.since = read_time(in);
  const bool ended = in.truth();
  const base::TimePoint end = read_time(in);
  if (ended) stream.ended = end;
  return stream;
}

template <class Number>
void add_optional(RecordWriter& out, const std::optional<Number>& number) {
  out.add(number.has_value());
  out.add(static_cast<std::int64_t>(number.value_or(0)));
}

template <class Number>
void read_optional(RecordReader& in, std::optional<Number>& number) {
  const bool given = in.truth();
  const std::int64_t value = in.int64();
  if (given) number = static_cast<Number>(value);
}

void add_scaling(RecordWriter& out, const std::optional<AutoScaling>& scaling) {
  out.add(scaling.has_value());
  if (!scaling) return;
  out.add(scaling->disabled);
  add_optional(out, scaling->minimum_units);
  add_optional(out, scaling->maximum_units);
  add_optional(out, scaling->target_value);
  out.add(scaling->disable_scale_in);
  out.add(scaling->scale_in_cooldown);
  out.add(scaling->scale_out_cooldown);
}

std::optional<AutoScaling> read_scaling(RecordReader& in) {
  if (!in.truth()) return std::nullopt;
  AutoScaling scaling;
  scaling.disabled = in.truth();
  read_optional(in, scaling.minimum_units);
  read_optional(in, scaling.maximum_units);
  read_optional(in, scaling.target_value);
  scaling.disable_scale_in = in.truth();
  scaling.scale_in_cooldown = in.int32();
  scaling.scale_out_cooldown = in.int32();
  return scaling;
}

void add_options(RecordWriter& out, const TableOptions& options) {
  out.add(options.default_time_to_live);
  add_text(out, options.comment);
  out.add(options.capacity.provisioned);
  out.add(options.capacity.read_units);
  out.add(options.capacity.write_units);
  add_time(out, options.capacity.on_demand_since);
  out.add(options.capacity.warm_read_units);
  out.add(options.capacity.warm_write_units);
  out.add(options.client_side_timestamps);
  out.add(options.time_to_live);
  out.add(options.point_in_time_recovery);
  add_time(out, options.recoverable_since);
  add_text(out, options.kms_key);
  out.add(options.cdc.enabled);
  add_text(out, options.cdc.view_type);
  out.add_list(options.cdc.streams, [&](const ChangeStream& stream) { add_stream(out, stream); });
  add_scaling(out, options.read_autoscaling);
  add_scaling(out, options.write_autoscaling);
  out.add_list(options.replica_read_units, [&](const auto& replica) {
    add_text(out, replica.first);
    out.add(replica.second);
  });
  out.add_list(options.capacity.decreases, [&](base::TimePoint time) { add_time(out, time); });
  out.add_list(options.encryption_changes, [&](base::TimePoint time) { add_time(out, time); });
}

TableOptions read_options(RecordReader& in, bool with_times) {
  TableOptions options;
  options.default_time_to_live = in.int32();
  options.comment = in.text();
  options.capacity.provisioned = in.truth();
  options.capacity.read_units = in.int64();
  options.capacity.write_units = in.int64();
  options.capacity.on_demand_since = read_time(in);
  options.capacity.warm_read_units = in.int64();
  options.capacity.warm_write_units = in.int64();
  options.client_side_timestamps = in.truth();
  options.time_to_live = in.truth();
  options.point_in_time_recovery = in.truth();
  options.recoverable_since = read_time(in);
  options.kms_key = in.text();
  options.cdc.enabled = in.truth();
  options.cdc.view_type = in.text();
  in.read_list([&] { options.cdc.streams.push_back(read_stream(in)); });
  options.read_autoscaling = read_scaling(in);
  options.write_autoscaling = read_scaling(in);
  in.read_list([&] {
    std::string region(in.text());
    options.replica_read_units.emplace(std::move(region), in.int64());
  });
  if (!with_times) return options;
  in.read_list([&] { options.capacity.decreases.push_back(read_time(in)); });
  in.read_list([&] { options.encryption_changes.push_back(read_time(in)); });
  return options;
}

Table read_table(RecordReader& in, std::uint8_t format) {
  Table table;
  table.keyspace = in.text();
  table.name = in.text();
  table.id = in.text();
  in.read_list([&] { table.columns.push_back(read_column(in)); });
  table.next_column = in.number<std::uint32_t>();
  table.options = read_options(in, format != table_format_without_times);
  table.tags = read_tags(in);
  table.created = read_time(in);
  table.transition = read_transition(in);
  table.filling = in.truth();
  if (format != table_format) return table;
  in.read_list([&] { table.dropped.push_back(read_dropped(in)); });
  table.compact_storage = in.truth();
  return table;
}

}  // namespace

std::shared_ptr<const store::Schema> decode(std::string_view description) {
  RecordReader in(description);
  const auto format = in.number<std::uint8_t>();
  if (format == keyspace_format || format == earlier_keyspace_format) {
    Keyspace keyspace = read_keyspace(in, format);
    return in.complete() ? std::make_shared<KeyspaceSchema>(std::move(keyspace)) : nullptr;
  }
  if (format < table_format_without_times || format > table_format) return nullptr;
  Table table = read_table(in, format);
  if (!in.complete() || table.partition_key_size() == 0) return nullptr;
  return std::make_shared<TableSchema>(std::move(table));
}

std::string encode(const Keyspace& keyspace) {
  RecordWriter out;
  out.add(keyspace_format);
  add_text(out, keyspace.name);
  out.add(static_cast<std::uint8_t>(keyspace.replication.strategy));
  add_tags(out, keyspace.replication.regions);
  out.add(keyspace.client_side_timestamps);
  add_tags(out, keyspace.tags);
  add_time(out, keyspace.created);
  add_transition(out, keyspace.transition);
  out.add_list(keyspace.types, [&](const UserType& type) { add_user_type(out, type); });
  add_text(out, keyspace.replication.factor);
  out.add(keyspace.durable_writes);
  return std::move(out).take();
}

std::string encode(const Table& table) {
  RecordWriter out;
  out.add(table_format);
  add_text(out, table.keyspace);
  add_text(out, table.name);
  add_text(out, table.id);
  out.add_list(table.columns, [&](const Column& column) { add_column(out, column); });
  out.add(table.next_column);
  add_options(out, table.options);
  add_tags(out, table.tags);
  add_time(out, table.created);
  add_transition(out, table.transition);
  out.add(table.filling);
  out.add_list(table.dropped, [&](const DroppedColumn& column) { add_dropped(out, column); });
  out.add(table.compact_storage);
  return std::move(out).take();
}

std::string stored_name(std::string_view keyspace, std::string_view table) {
  return std::string(keyspace) + between_names + std::string(table);
}

bool names_keyspace(std::string_view stored) {
  return stored.find(between_names) == std::string_view::npos;
}

}  // namespace dinette::cql::schema
