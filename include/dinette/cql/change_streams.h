#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/cql/definitions.h"
#include "dinette/kv/commit_position.h"

/// Streams of the changes of tables, for another front end of the same process
/// (docs/service-keyspaces/control-plane.md section 5).
namespace dinette::cql {

struct ChangeStreamDescription {
  std::string arn{};
  std::string label{};  ///< when it began, the end of the ARN
  std::string keyspace{};
  std::string table{};
  std::string view_type{};  ///< "NEW_IMAGE" and so on
  base::TimePoint since{};
  bool enabled = false;  ///< else it gets no more records, and can be read for a day
};

/// Returns the streams that can be read, in the order of their tables, then of their times. `keyspace` and
/// `table` may be empty: all.
Defined<std::vector<ChangeStreamDescription>> list_change_streams(const DefinitionScope& scope,
                                                                  std::string_view keyspace,
                                                                  std::string_view table);

/// Returns nothing if there is no such stream.
Defined<std::optional<ChangeStreamDescription>> describe_change_stream(const DefinitionScope& scope,
                                                                       std::string_view keyspace,
                                                                       std::string_view table,
                                                                       std::string_view label);

/// A row as it was or as it is; members are JSON of keyspacesstreams: cells by the names of their columns.
struct ChangeImage {
  std::string value_cells{};
  std::string static_cells{};
  std::optional<std::int64_t> write_time{};       ///< of the row, in microseconds since 1970
  std::optional<std::int64_t> expiration_time{};  ///< in seconds since 1970
};

struct ChangedRow {
  kv::CommitPosition position{};
  base::TimePoint created{};
  bool by_time_to_live = false;
  std::string partition_keys{};   ///< JSON: values by the names of their columns
  std::string clustering_keys{};  ///< likewise; empty for static cells
  std::optional<ChangeImage> before{};
  std::optional<ChangeImage> after{};
};

struct ChangePage {
  std::vector<ChangedRow> rows{};
  kv::CommitPosition next{};  ///< where the next page begins
  bool at_end = false;        ///< there were no more records
};

/// How much one page has at most; at least one record if there is one.
struct ChangePageLimits {
  std::size_t records;
  std::size_t bytes;
};

/// Returns records from a position on, oldest first. Nothing if there is no such stream.
Defined<std::optional<ChangePage>> read_changes(const DefinitionScope& scope,
                                                const ChangeStreamDescription& stream,
                                                kv::CommitPosition from, const ChangePageLimits& limits);

/// Returns the position after the last record.
Defined<std::optional<kv::CommitPosition>> end_of_changes(const DefinitionScope& scope,
                                                          const ChangeStreamDescription& stream);

}  // namespace dinette::cql
