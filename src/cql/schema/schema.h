#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/store/key_codec.h"

#include "cql/types/type.h"

/// Keyspaces, tables and user types as plain values (docs/service-keyspaces/ddl.md). Names are as the lexer
/// gives them: folded to lower case unless they were quoted; all look-ups compare them exactly.
namespace dinette::cql::schema {

/// What an object is doing; the names are those of docs/service-keyspaces/system-tables.md section 8.
enum class Status : std::uint8_t { active = 0, creating = 1, updating = 2, deleting = 3, restoring = 4 };

/// Returns "ACTIVE", "CREATING" and so on.
std::string_view name_of(Status status);

/// A change that takes time. It ends by the clock alone.
struct Transition {
  Status status = Status::active;  ///< until then; active: there is none
  base::TimePoint begun{};
  base::TimePoint until{};

  friend bool operator==(const Transition&, const Transition&) = default;
};

/// Returns what an object is doing at a moment. A clock that was set back to before the change counts it as
/// over. What was being deleted is gone then: see is_gone().
Status status_at(const Transition& transition, base::TimePoint now);
/// Returns true of what has been deleted, though it may still be stored.
bool is_gone(const Transition& transition, base::TimePoint now);

struct UserType {
  std::string name{};
  std::vector<std::string> fields{};
  std::vector<Type> types{};  ///< of the fields, as many; user types among them are frozen and complete
  base::TimePoint changed{};

  friend bool operator==(const UserType&, const UserType&) = default;
};

/// Returns the type of columns that have it.
Type type_of(std::string_view keyspace, const UserType& type, bool frozen);

using Tags = std::map<std::string, std::string, std::less<>>;

struct Replication {
  enum class Strategy : std::uint8_t { single_region = 0, simple = 1, network = 2 };

  Strategy strategy = Strategy::single_region;
  /// Names of regions, or of data centres in lenient mode, with their factors. Of `network` alone.
  std::map<std::string, std::string, std::less<>> regions{};
  std::string factor{};  ///< of `simple` in lenient mode; empty: that of the service

  friend bool operator==(const Replication&, const Replication&) = default;
};

struct Keyspace {
  std::string name{};
  Replication replication{};
  bool durable_writes = true;           ///< shown, and nothing else
  bool client_side_timestamps = false;  ///< asked for with regions that were added
  /// Tables of several regions have timestamps of clients.
  bool has_several_regions() const { return replication.regions.size() > 1; }
  Tags tags{};
  base::TimePoint created{};
  Transition transition{};
  std::vector<UserType> types{};  ///< ascending by name

  const UserType* find_type(std::string_view type) const;
  friend bool operator==(const Keyspace&, const Keyspace&) = default;
};

enum class ColumnKind : std::uint8_t { partition_key = 0, clustering = 1, static_ = 2, regular = 3 };

/// Returns "partition_key", "clustering", "static", "regular".
std::string_view name_of(ColumnKind kind);

struct Column {
  std::uint32_t id = 0;  ///< never used again in its table, also when the column is dropped
  std::string name{};
  ColumnKind kind = ColumnKind::regular;
  int position = -1;  ///< from 0 among the columns of the partition key, or the clustering columns
  store::Order order = store::Order::ascending;  ///< of a clustering column
  Type type{};

  bool in_key() const { return kind <= ColumnKind::clustering; }
  /// Returns true if it has a cell per element or field.
  bool has_parts() const;

  friend bool operator==(const Column&, const Column&) = default;
};

/// A column that was dropped. Its cells stay stored: no other column gets its id.
struct DroppedColumn {
  std::string name{};
  Type type{};
  base::TimePoint dropped{};

  friend bool operator==(const DroppedColumn&, const DroppedColumn&) = default;
};

/// docs/service-keyspaces/ddl.md section 3, CUSTOM_PROPERTIES.
struct Capacity {
  bool provisioned = false;
  std::int64_t read_units = 0;  ///< if provisioned
  std::int64_t write_units = 0;
  base::TimePoint on_demand_since{};      ///< when PAY_PER_REQUEST was chosen last
  std::int64_t warm_read_units = 12'000;  ///< per second, at once
  std::int64_t warm_write_units = 4'000;
  std::vector<base::TimePoint> decreases{};  ///< of provisioned units, of the present UTC day; ascending

  friend bool operator==(const Capacity&, const Capacity&) = default;
};

/// A stream of the changes of a table.
struct ChangeStream {
  std::uint64_t id = 0;  ///< its store::StreamId
  std::string view_type = "NEW_AND_OLD_IMAGES";
  base::TimePoint since{};                 ///< when it began, which names it
  std::optional<base::TimePoint> ended{};  ///< readable for a day afterwards

  friend bool operator==(const ChangeStream&, const ChangeStream&) = default;
};

/// The property `cdc`, and what it led to.
struct ChangeCapture {
  bool enabled = false;
  std::string view_type = "NEW_AND_OLD_IMAGES";  ///< of the stream that is open, or of the next one
  std::vector<ChangeStream> streams{};           ///< the latest one last; it is open if enabled

  /// Returns the stream that changes go to; null if there is none.
  const ChangeStream* open() const { return enabled && !streams.empty() ? &streams.back() : nullptr; }
  friend bool operator==(const ChangeCapture&, const ChangeCapture&) = default;
};

/// How capacity is to scale (docs/service-keyspaces/ddl.md section 3, AUTOSCALING_SETTINGS).
struct AutoScaling {
  bool disabled = false;
  std::optional<std::int64_t> minimum_units{};
  std::optional<std::int64_t> maximum_units{};
  std::optional<std::int32_t> target_value{};  ///< in percent of what is provisioned
  bool disable_scale_in = false;
  std::int32_t scale_in_cooldown = 0;  ///< in seconds
  std::int32_t scale_out_cooldown = 0;

  friend bool operator==(const AutoScaling&, const AutoScaling&) = default;
};

struct TableOptions {
  std::int32_t default_time_to_live = 0;  ///< in seconds; 0: none
  std::string comment{};
  Capacity capacity{};
  bool client_side_timestamps = false;
  bool time_to_live = false;  ///< the property `ttl`
  bool point_in_time_recovery = false;
  base::TimePoint recoverable_since{};                ///< with it
  std::string kms_key{};                              ///< of a customer-managed key; empty: owned by AWS
  std::vector<base::TimePoint> encryption_changes{};  ///< of the last 24 hours; ascending
  ChangeCapture cdc{};
  /// Kept and shown: nothing here scales.
  std::optional<AutoScaling> read_autoscaling{};
  std::optional<AutoScaling> write_autoscaling{};
  std::map<std::string, std::int64_t, std::less<>> replica_read_units{};  ///< by region

  friend bool operator==(const TableOptions&, const TableOptions&) = default;
};

struct Table {
  std::string keyspace{};
  std::string name{};
  std::string id{};  ///< 16 bytes of a uuid, the `id` of system_schema.tables
  /// The partition key, the clustering columns, the static ones, the regular ones: the order of SELECT *.
  /// Both parts of the key are in their order, the others ascending by name.
  std::vector<Column> columns{};
  std::uint32_t next_column = 0;  ///< the id of the next column that is added
  TableOptions options{};
  Tags tags{};
  base::TimePoint created{};
  Transition transition{};
  bool filling = false;                  ///< a RESTORE TABLE is bringing its rows; nothing else may use it
  std::vector<DroppedColumn> dropped{};  ///< ascending by name, each once
  bool compact_storage = false;          ///< asked for, and without effect

  /// Returns null if there is none of that name.
  const Column* find_column(std::string_view column) const;
  const Column* find_column(std::uint32_t column) const;
  std::size_t partition_key_size() const;  ///< how many columns; they come first
  std::size_t clustering_size() const;     ///< how many columns; they follow
  bool has_static_columns() const;
  bool has_counters() const;  ///< then all other columns than the key's are counters
  /// Returns "keyspace.name", as messages name it.
  std::string full_name() const { return keyspace + "." + name; }

  friend bool operator==(const Table&, const Table&) = default;
};

/// Brings columns into the order of Table::columns.
void sort_columns(std::vector<Column>& columns);

}  // namespace dinette::cql::schema
