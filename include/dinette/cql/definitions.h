#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/result.h"
#include "dinette/tenancy/world.h"

/// Keyspaces, tables and user types for another front end of the same process: they are described as plain
/// values, and changed by statements of CQL. The world must have world_face() (service.h). Thread-safe.
namespace dinette::cql {

/// Whose definitions they are. Views: must outlive the call.
struct DefinitionScope {
  tenancy::World& world;
  std::string_view name_space;            ///< as tenancy::Tenants chooses it
  std::string_view account;               ///< twelve digits, for ARNs
  std::string_view region;                ///< likewise
  bool strict = false;                    ///< enforces the quotas of the service
  std::chrono::milliseconds state_delay;  ///< how long objects stay CREATING and so on
};

/// Why something was not done.
struct DefinitionRefusal {
  enum class Reason : std::uint8_t {
    invalid,    ///< the statement, or what it asks for
    exists,     ///< there is an object of that name
    quota,      ///< the service allows no more
    failed,     ///< the storage did; details are in the log
    must_wait,  ///< run it again where it may wait (base/waiting.h)
  };

  Reason reason = Reason::invalid;
  std::string message{};  ///< that of CQL
};

template <class T>
using Defined = base::Result<T, DefinitionRefusal>;

enum class DefinitionStatus : std::uint8_t { active, creating, updating, deleting, restoring };

using DefinitionTags = std::map<std::string, std::string, std::less<>>;

struct KeyspaceDescription {
  std::string name{};
  std::string arn{};  ///< with its final slash
  bool multi_region = false;
  std::vector<std::string> regions{};  ///< at least the own one
  DefinitionStatus status = DefinitionStatus::active;
  DefinitionTags tags{};
};

struct ColumnDescription {
  enum class Kind : std::uint8_t { partition_key, clustering, static_, regular };

  std::string name{};
  std::string type{};  ///< as CQL: "frozen<list<text>>"
  Kind kind = Kind::regular;
  bool descending = false;  ///< of a clustering column
};

/// How the capacity of a table is to scale. Kept and shown: nothing scales.
struct AutoScalingDescription {
  bool disabled = false;
  std::optional<std::int64_t> minimum_units{};
  std::optional<std::int64_t> maximum_units{};
  std::optional<double> target_value{};  ///< of what is provisioned, in percent
  bool disable_scale_in = false;
  std::int32_t scale_in_cooldown = 0;  ///< in seconds
  std::int32_t scale_out_cooldown = 0;
};

struct TableDescription {
  std::string keyspace{};
  std::string name{};
  std::string arn{};
  base::TimePoint created{};
  DefinitionStatus status = DefinitionStatus::active;
  std::vector<ColumnDescription> columns{};  ///< in the order of SELECT *
  std::string comment{};
  bool provisioned = false;
  std::int64_t read_units = 0;  ///< if provisioned
  std::int64_t write_units = 0;
  base::TimePoint on_demand_since{};  ///< otherwise
  std::int64_t warm_read_units = 0;   ///< per second
  std::int64_t warm_write_units = 0;
  std::string kms_key{};  ///< empty: the key is owned by AWS
  bool point_in_time_recovery = false;
  base::TimePoint earliest_restorable{};  ///< with it
  bool time_to_live = false;
  std::int32_t default_time_to_live = 0;  ///< in seconds
  bool client_side_timestamps = false;
  std::optional<AutoScalingDescription> read_scaling{};
  std::optional<AutoScalingDescription> write_scaling{};
  std::map<std::string, std::int64_t, std::less<>> replica_read_units{};  ///< by region
  std::vector<std::string> regions{};                                     ///< of its keyspace
  bool captures_changes = false;
  std::string view_type{};          ///< of its stream: "NEW_IMAGE" and so on
  std::string latest_stream_arn{};  ///< empty: there never was one
  DefinitionTags tags{};
};

/// A keyspace, and what is in it.
struct KeyspaceTables {
  KeyspaceDescription keyspace{};
  std::vector<TableDescription> tables{};
};

struct TypeDescription {
  std::string keyspace{};
  std::string name{};
  std::string keyspace_arn{};
  std::vector<std::pair<std::string, std::string>> fields{};  ///< names, and types as CQL
  base::TimePoint changed{};
  std::vector<std::string> referring_tables{};
  std::vector<std::string> parent_types{};
  std::int32_t nesting_depth = 0;
};

/// Carries out CREATE, ALTER, DROP or RESTORE. Names in it must have their keyspace.
Defined<void> define(const DefinitionScope& scope, std::string_view statement);

/// Returns true if the text is a type of CQL and nothing else.
bool is_type_text(std::string_view text);

/// Each returns nothing if there is no such object. System keyspaces and their tables are among them.
Defined<std::optional<KeyspaceDescription>> describe_keyspace(const DefinitionScope& scope,
                                                              std::string_view keyspace);
Defined<std::optional<TableDescription>> describe_table(const DefinitionScope& scope,
                                                        std::string_view keyspace, std::string_view table);
Defined<std::optional<TypeDescription>> describe_type(const DefinitionScope& scope, std::string_view keyspace,
                                                      std::string_view type);

/// Returns true if a table is there, or was dropped and can still be restored.
Defined<bool> can_restore(const DefinitionScope& scope, std::string_view keyspace, std::string_view table);

/// Returns all keyspaces: the system's, then those of users ascending by name. The cost of this and of the
/// next is proportional to the number of tables.
Defined<std::vector<KeyspaceDescription>> list_keyspaces(const DefinitionScope& scope);
/// Returns the keyspaces of users with their tables, ascending by name.
Defined<std::vector<KeyspaceTables>> list_tables(const DefinitionScope& scope);
/// Returns the names of the tables of a keyspace, and of its types, ascending.
Defined<std::vector<std::string>> list_table_names(const DefinitionScope& scope, std::string_view keyspace);
Defined<std::vector<std::string>> list_type_names(const DefinitionScope& scope, std::string_view keyspace);

}  // namespace dinette::cql
