#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/base/bytes.h"

#include "cql/data/row_key.h"
#include "cql/statements/modification.h"
#include "cql/types/key_order.h"
#include "cql/types/parts.h"
#include "cql/values/numbers.h"

namespace dinette::cql::statements {
namespace {

using data::CellChange;
using schema::Column;
using ChangeKind = CellChange::Kind;
using OperationKind = Operation::Kind;

// docs/service-keyspaces/limits.md.
constexpr std::size_t most_partition_key_bytes = 2'048;
constexpr std::size_t most_clustering_bytes = 850;
constexpr std::size_t most_rows_of_range = 1'000;
constexpr std::int64_t most_time_to_live = 630'720'000;
constexpr std::int64_t window_before = std::int64_t{2} * 24 * 60 * 60 * 1'000'000;
constexpr std::int64_t window_after = std::int64_t{5} * 60 * 1'000'000;

std::vector<std::string> parts_of(std::string_view collection) {
  std::vector<std::string> parts;
  PartReader in(collection);
  in.read_int();
  while (!in.at_end()) {
    parts.emplace_back(
        in.read(static_cast<std::size_t>(std::max(in.read_int().value_or(0), 0))).value_or(""));
  }
  return parts;
}

/// Turns operations into changes of cells.
class ChangeMaker {
 public:
  explicit ChangeMaker(const Bindings& bindings) : bindings_(bindings) {}

  Answer<void> add(const Operation& operation, std::vector<CellChange>& out) {
    const Column& column = *operation.column;
    switch (operation.kind) {
      case OperationKind::erase:
        out.push_back(
            {.kind = column.has_parts() ? ChangeKind::erase_all : ChangeKind::erase, .column = &column});
        return {};
      case OperationKind::erase_field:
        out.push_back({.kind = ChangeKind::erase, .column = &column, .path = field_path(operation.field)});
        return {};
      case OperationKind::erase_element:
        return add_element(operation, nullptr, out);
      default:
        break;
    }
    DINETTE_TRY(TermValue value, operation.value->evaluate(bindings_));
    if (value.is_unset()) return {};
    switch (operation.kind) {
      case OperationKind::set:
        set(column, std::move(value), out);
        return {};
      case OperationKind::set_field: {
        CellChange change{.kind = ChangeKind::erase, .column = &column, .path = field_path(operation.field)};
        if (value.has_bytes()) {
          change.kind = ChangeKind::put;
          change.value = std::move(value.bytes);
        }
        out.push_back(std::move(change));
        return {};
      }
      case OperationKind::set_element:
        return add_element(operation, &value, out);
      default:
        return change(operation, value, out);
    }
  }

 private:
  static std::string field_path(std::uint16_t field) {
    std::string path;
    base::append_big_endian(path, field);
    return path;
  }

  /// Puts the elements of a collection that is not frozen, or the fields of a user type.
  static void put_parts(const Column& column, std::string_view value, std::vector<CellChange>& out) {
    if (column.type.kind == Kind::udt) return put_fields(column, value, out);
    std::vector<std::string> parts = parts_of(value);
    if (column.type.kind == Kind::list) {
      if (parts.empty()) return;
      out.push_back({.kind = ChangeKind::append, .column = &column, .values = std::move(parts)});
      return;
    }
    const bool is_map = column.type.kind == Kind::map;
    for (std::size_t i = 0; i < parts.size(); i += is_map ? 2 : 1) {
      CellChange change{.kind = ChangeKind::put, .column = &column};
      append_key(change.path, column.type.arguments.front(), parts[i]);
      change.key = std::move(parts[i]);
      if (is_map) change.value = std::move(parts[i + 1]);
      out.push_back(std::move(change));
    }
  }

  static void put_fields(const Column& column, std::string_view value, std::vector<CellChange>& out) {
    PartReader in(value);
    for (std::size_t field = 0; field < column.type.arguments.size() && !in.at_end(); ++field) {
      const std::int32_t size = in.read_int().value_or(-1);
      if (size < 0) continue;
      CellChange change{
          .kind = ChangeKind::put, .column = &column, .path = field_path(static_cast<std::uint16_t>(field))};
      change.value = in.read(static_cast<std::size_t>(size)).value_or("");
      out.push_back(std::move(change));
    }
  }

  static void set(const Column& column, TermValue value, std::vector<CellChange>& out) {
    if (!column.has_parts()) {
      CellChange change{.kind = value.is_null() ? ChangeKind::erase : ChangeKind::put, .column = &column};
      change.value = std::move(value.bytes);
      out.push_back(std::move(change));
      return;
    }
    // The elements that are put have the timestamp after the deletion's.
    out.push_back({.kind = ChangeKind::erase_all, .column = &column, .replaces = true});
    if (!value.is_null()) put_parts(column, value.bytes, out);
  }

  Answer<void> add_element(const Operation& operation, const TermValue* value, std::vector<CellChange>& out) {
    const Column& column = *operation.column;
    DINETTE_TRY(TermValue key, operation.key->evaluate(bindings_));
    const bool is_list = column.type.kind == Kind::list;
    if (key.is_null() && column.type.kind == Kind::set) return invalid("Invalid null set element");
    if (key.is_unset()) {
      return invalid(is_list ? "Invalid unset value for list index" : "Invalid unset map key");
    }
    if (key.is_null()) {
      return invalid(is_list ? "Invalid null value for list index" : "Invalid null map key");
    }
    const bool erases = value == nullptr || value->is_null();
    CellChange change{.column = &column};
    if (!erases) change.value = value->bytes;
    if (is_list) {
      change.kind = erases ? ChangeKind::erase_at : ChangeKind::put_at;
      change.number = read_fixed(key.bytes);
    } else {
      change.kind = erases ? ChangeKind::erase : ChangeKind::put;
      append_key(change.path, column.type.arguments.front(), key.bytes);
      if (!erases) change.key = std::move(key.bytes);
    }
    out.push_back(std::move(change));
    return {};
  }

  Answer<void> change(const Operation& operation, const TermValue& value, std::vector<CellChange>& out) {
    const Column& column = *operation.column;
    const bool subtracts = operation.kind == OperationKind::subtract;
    if (column.type.kind == Kind::counter) {
      if (value.is_null()) return invalid("Invalid null value for counter increment");
      const std::int64_t number = read_fixed(value.bytes);
      if (subtracts && number == std::numeric_limits<std::int64_t>::min()) {
        return invalid("The negation of " + std::to_string(number) +
                       " overflows supported counter precision (signed 8 bytes integer)");
      }
      out.push_back({.kind = ChangeKind::add, .column = &column, .number = subtracts ? -number : number});
      return {};
    }
    if (value.is_null()) return {};
    if (!subtracts && operation.kind == OperationKind::add) {
      put_parts(column, value.bytes, out);
      return {};
    }
    std::vector<std::string> parts = parts_of(value.bytes);
    if (column.type.kind == Kind::list) {
      out.push_back({.kind = subtracts ? ChangeKind::erase_equal : ChangeKind::prepend,
                     .column = &column,
                     .values = std::move(parts)});
      return {};
    }
    for (const std::string& part : parts) {
      CellChange erased{.kind = ChangeKind::erase, .column = &column};
      append_key(erased.path, column.type.arguments.front(), part);
      out.push_back(std::move(erased));
    }
    return {};
  }

  const Bindings& bindings_;
};

std::size_t total_size(const KeyValues& values) {
  std::size_t size = 0;
  for (const std::string& value : values) size += value.size();
  return size;
}

Answer<void> check_clustering_key(const Place& place, const KeyValues& values) {
  const std::size_t most = place.strict() ? most_clustering_bytes : longest_key;
  const std::size_t size = total_size(values);
  if (size > most) return key_too_long(size, most);
  return {};
}

/// Keys of the store have a limit as well, which encoding brings nearer.
Answer<void> check_stored_key(std::size_t size, const KeyValues& values) {
  constexpr std::size_t beginning = 64;
  if (size + beginning <= kv::max_key_size) return {};
  return key_too_long(total_size(values), kv::max_key_size - beginning);
}

/// One statement's writes.
class WriteMaker {
 public:
  WriteMaker(const Place& place, const Modification& statement, const Bindings& bindings, std::size_t number,
             Writes& out)
      : place_(place),
        statement_(statement),
        table_(statement.table()),
        bindings_(bindings),
        number_(number),
        out_(out) {
    now_ = std::chrono::floor<std::chrono::seconds>(place.now.time_since_epoch()).count();
    const bool counters = table_.has_counters();
    rules_ = {.by_timestamp = !counters && (!place.strict() || table_.options.client_side_timestamps),
              .later_request_wins = place.strict(),
              .now = now_};
  }

  Answer<void> run(const Options& options, const BoundAttributes& batch) {
    DINETTE_CHECK(choose_stamp(options, batch));
    ChangeMaker maker(bindings_);
    changes_.reserve(statement_.operations.size());
    for (const Operation& operation : statement_.operations) DINETTE_CHECK(maker.add(operation, changes_));
    for (const Operation& operation : statement_.static_operations) {
      DINETTE_CHECK(maker.add(operation, static_changes_));
    }
    if (statement_.where.is_point(table_)) {
      DINETTE_TRY(PointKey key, point_key(table_, statement_.where, bindings_));
      return add_point(std::move(key));
    }
    DINETTE_TRY(auto keys, partition_keys(table_, statement_.where, bindings_));
    for (KeyValues& key : keys) {
      DINETTE_CHECK(check_partition_key(key, most_of_partition_key()));
      DINETTE_CHECK(add_partition(std::move(key), &key == &keys.back()));
    }
    return {};
  }

 private:
  Answer<void> choose_stamp(const Options& options, const BoundAttributes& batch) {
    DINETTE_TRY(const BoundAttributes own, bind_attributes(statement_.attributes, bindings_));
    std::optional<data::Timestamp> timestamp = own.timestamp ? own.timestamp : batch.timestamp;
    if (!timestamp && !statement_.is_conditional()) timestamp = options.timestamp;
    if (!rules_.by_timestamp || statement_.is_conditional()) timestamp.reset();
    if (timestamp && place_.strict()) DINETTE_CHECK(check_window(*timestamp));
    if (!timestamp) timestamp = batch.server;
    stamp_.timestamp = timestamp ? *timestamp : server_timestamp(place_);
    const std::int32_t time_to_live = own.time_to_live.value_or(
        statement_.kind == Modification::Kind::delete_ ? 0 : table_.options.default_time_to_live);
    if (time_to_live > 0 && !table_.has_counters()) {
      stamp_.time_to_live = time_to_live;
      stamp_.expires = now_ + time_to_live;
      place_.note_upkeep(base::TimePoint(std::chrono::seconds(stamp_.expires)));
    }
    return {};
  }

  /// docs/service-keyspaces/timestamps.md section 1.
  Answer<void> check_window(data::Timestamp timestamp) const {
    const std::int64_t now = place_.now.time_since_epoch().count();
    if (timestamp >= now - window_before && timestamp <= now + window_after) return {};
    return invalid(
        "Timestamp " + std::to_string(timestamp) +
        " is outside of the allowed range: at most 2 days in the past and 5 minutes in the future.");
  }

  std::size_t most_of_partition_key() const {
    return place_.strict() ? most_partition_key_bytes : longest_key;
  }

  Answer<data::RowWrite> new_write(KeyValues key) const {
    data::RowWrite write{.stored = statement_.open.stored.get(), .table = &table_};
    write.prefix = data::partition_prefix(std::vector<std::string_view>(key.begin(), key.end()));
    write.partition = std::move(key);
    write.stamp = stamp_;
    write.rules = rules_;
    write.time = place_.now;
    write.tests = statement_.is_conditional();
    write.sizes = place_.sizes;
    DINETTE_CHECK(check_stored_key(write.prefix.size(), write.partition));
    return write;
  }

  /// One row, the usual case.
  Answer<void> add_point(PointKey key) {
    DINETTE_CHECK(check_partition_key(key.partition, most_of_partition_key()));
    DINETTE_TRY(data::RowWrite write, new_write(std::move(key.partition)));
    if (statement_.only_static()) {
      write.static_changes = std::move(static_changes_);
      add(std::move(write));
      return {};
    }
    const std::vector<std::string_view> clustering(key.clustering.begin(), key.clustering.end());
    std::string key_part = data::clustering_part(table_, clustering);
    return fill(add(std::move(write)), std::move(key.clustering), std::move(key_part), true);
  }

  /// `is_last`: the changes may be moved.
  Answer<void> add_partition(KeyValues key, bool is_last) {
    DINETTE_TRY(data::RowWrite write, new_write(std::move(key)));
    if (statement_.only_static()) {
      write.static_changes = static_changes_;
      // A DELETE that tests static cells alone: the partition, if they fulfil its conditions.
      write.deletes = deletes_all_columns();
      if (write.deletes) add_range(write, {});
      add(std::move(write));
      return {};
    }
    DINETTE_TRY(ClusteringKeys rows, clustering_keys(table_, statement_.where, bindings_));
    if (!statement_.where.names_row(table_)) return add_ranges(write, rows);
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
      const bool is_last_row = is_last && i + 1 == rows.rows.size();
      data::RowWrite& one = is_last_row ? add(std::move(write)) : add(write);
      DINETTE_CHECK(
          fill(one, std::move(rows.rows[i]), std::move(rows.slices[i].front().range.begin), is_last_row));
    }
    return {};
  }

  /// Makes a write one of a row.
  Answer<void> fill(data::RowWrite& write, KeyValues clustering, std::string key_part, bool is_last) {
    DINETTE_CHECK(check_clustering_key(place_, clustering));
    DINETTE_CHECK(check_stored_key(write.prefix.size() + key_part.size(), clustering));
    write.clustering = std::move(clustering);
    write.key_part = std::move(key_part);
    write.has_row = changes_rows();
    write.marks = statement_.kind == Modification::Kind::insert;
    write.deletes = deletes_all_columns();
    write.changes = is_last ? std::move(changes_) : changes_;
    write.static_changes = is_last ? std::move(static_changes_) : static_changes_;
    return {};
  }

  bool deletes_all_columns() const {
    return statement_.kind == Modification::Kind::delete_ && statement_.operations.empty() &&
           statement_.static_operations.empty();
  }

  /// An UPDATE with a full key of static columns alone changes no row.
  bool changes_rows() const {
    return statement_.kind == Modification::Kind::insert || statement_.static_operations.empty() ||
           !statement_.operations.empty() || statement_.is_conditional();
  }

  data::RowWrite& add(data::RowWrite write) {
    out_.statements.push_back(number_);
    return out_.rows.emplace_back(std::move(write));
  }

  Answer<void> add_ranges(const data::RowWrite& write, const ClusteringKeys& rows) {
    for (const std::vector<data::Slice>& slices : rows.slices) {
      for (const data::Slice& slice : slices) add_range(write, slice.range);
    }
    return {};
  }

  void add_range(const data::RowWrite& write, const store::KeyRange& range) {
    data::RangeDeletion deletion{.stored = write.stored, .table = write.table};
    deletion.partition = write.partition;
    deletion.prefix = write.prefix;
    deletion.all = statement_.where.clustering.empty();
    deletion.range = range;
    deletion.deletion = {stamp_.timestamp, now_};
    deletion.rules = rules_;
    deletion.time = place_.now;
    deletion.sizes = place_.sizes;
    deletion.most_rows = place_.strict() ? most_rows_of_range : 0;
    out_.ranges.push_back(std::move(deletion));
  }

  const Place& place_;
  const Modification& statement_;
  const schema::Table& table_;
  const Bindings& bindings_;
  const std::size_t number_;
  Writes& out_;
  data::Seconds now_ = 0;
  data::Rules rules_;
  data::Stamp stamp_;
  std::vector<CellChange> changes_;
  std::vector<CellChange> static_changes_;
};

}  // namespace

data::Timestamp server_timestamp(const Place& place) {
  // Worlds have clocks of their own; of two that share an element one may skip some microseconds.
  static std::array<std::atomic<data::Timestamp>, 64> latest{};
  constexpr data::Timestamp recent = 1'000'000;
  std::atomic<data::Timestamp>& last = latest[std::hash<const void*>()(&place.world) / 64 % latest.size()];
  const data::Timestamp now = place.now.time_since_epoch().count();
  data::Timestamp before = last.load();
  for (;;) {
    // A clock that was set back begins again.
    const bool follows = before >= now && before - now < recent;
    const data::Timestamp next = follows ? before + 1 : now;
    if (last.compare_exchange_weak(before, next)) return next;
  }
}

namespace {

/// Returns the value of TIMESTAMP, of which one that is bound may be no number at all.
Answer<TermValue> timestamp_of(const Term& term, const Bindings& bindings) {
  auto value = term.evaluate(bindings);
  if (value || !term.is_marker()) return value;
  const std::string_view bytes = bindings.values[term.marker_index()].bytes;
  const auto* const first = reinterpret_cast<const unsigned char*>(bytes.data());
  return invalid("Invalid timestamp value: 0x" +
                 base::hex(std::span(first, std::min<std::size_t>(bytes.size(), 64))));
}

}  // namespace

Answer<BoundAttributes> bind_attributes(const Attributes& attributes, const Bindings& bindings) {
  BoundAttributes out;
  if (attributes.timestamp) {
    DINETTE_TRY(const TermValue value, timestamp_of(*attributes.timestamp, bindings));
    if (value.is_null()) return invalid("Invalid null value of timestamp");
    if (value.has_bytes()) out.timestamp = read_fixed(value.bytes);
    if (out.timestamp == data::no_timestamp) {
      return invalid("Out of bound timestamp, must be in [-9223372036854775807, 9223372036854775807]");
    }
  }
  if (!attributes.time_to_live) return out;
  DINETTE_TRY(const TermValue value, attributes.time_to_live->evaluate(bindings));
  if (value.is_unset()) return out;
  const std::int64_t seconds = value.is_null() ? 0 : read_fixed(value.bytes);
  if (seconds < 0) {
    return invalid("A TTL must be greater or equal to 0, but was " + std::to_string(seconds));
  }
  if (seconds > most_time_to_live) {
    return invalid("ttl is too large. requested (" + std::to_string(seconds) + ") maximum (" +
                   std::to_string(most_time_to_live) + ")");
  }
  out.time_to_live = static_cast<std::int32_t>(seconds);
  return out;
}

Answer<void> add_writes(const Place& place, const Modification& statement, const Bindings& bindings,
                        const Options& options, const BoundAttributes& batch, std::size_t number,
                        Writes& out) {
  if (!statement.json) return WriteMaker(place, statement, bindings, number, out).run(options, batch);
  DINETTE_TRY(const Modification insert, insert_of_json(statement, bindings));
  if (place.strict()) DINETTE_CHECK(check_column_count(insert));
  return WriteMaker(place, insert, bindings, number, out).run(options, batch);
}

}  // namespace dinette::cql::statements
