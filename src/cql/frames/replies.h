#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cql/error.h"
#include "cql/frames/body_reader.h"
#include "cql/types/type.h"

/// Bodies of replies (docs/service-keyspaces/protocol.md sections 6 and 7). Of texts of kind [string] more
/// than 65,535 bytes are cut off.
namespace dinette::cql::frames {

std::string authenticate_body(std::string_view authenticator);
/// The versions of CQL and of the protocol that are served; no compression.
std::string supported_body();
/// Also of AUTH_SUCCESS; without a token it is null.
std::string challenge_body(std::optional<std::string_view> token);

std::string error_body(ErrorCode code, std::string_view message);
std::string already_exists_body(std::string_view message, std::string_view keyspace, std::string_view table);
std::string unprepared_body(std::string_view message, std::string_view id);

std::string function_failure_body(std::string_view message, std::string_view keyspace, std::string_view name,
                                  std::span<const std::string> types);
std::string unavailable_body(std::string_view message, Consistency consistency, std::int32_t required,
                             std::int32_t alive);

/// How many replicas answered in time.
struct Timeout {
  Consistency consistency = Consistency::local_quorum;
  std::int32_t received = 0;
  std::int32_t required = 0;
};

/// `write_type` is "SIMPLE", "BATCH" and so on.
std::string write_timeout_body(std::string_view message, const Timeout& timeout, std::string_view write_type);
std::string read_timeout_body(std::string_view message, const Timeout& timeout, bool data_present);

struct ColumnSpec {
  std::string keyspace{};
  std::string table{};
  std::string name{};
  Type type{};

  friend bool operator==(const ColumnSpec&, const ColumnSpec&) = default;
};

/// The columns of rows, and their bytes in replies. Columns of one table share its name. Immutable; plans and
/// results share it.
class Columns {
 public:
  explicit Columns(std::vector<ColumnSpec> specs);

  const std::vector<ColumnSpec>& specs() const { return specs_; }
  bool of_one_table() const { return of_one_table_; }
  std::string_view bytes() const { return bytes_; }

 private:
  std::vector<ColumnSpec> specs_;
  bool of_one_table_;
  std::string bytes_;
};

/// What is sent about rows.
struct Metadata {
  std::shared_ptr<const Columns> columns{};   ///< null: there are none
  std::optional<std::string> paging_state{};  ///< there are more pages
  bool skipped = false;                       ///< the client knows the columns

  static Metadata of(std::vector<ColumnSpec> specs) {
    return {.columns = std::make_shared<const Columns>(std::move(specs))};
  }
};

using Cell = std::optional<std::string>;  ///< null is nullopt

/// Returns a body after the warnings that a frame with that flag begins with.
std::string warnings_before(std::string_view body, std::span<const std::string> warnings);

std::string void_result();
/// Each row has as many cells as there are columns.
std::string rows_result(const Metadata& metadata, std::span<const std::vector<Cell>> rows);
std::string set_keyspace_result(std::string_view keyspace);

struct PreparedStatement {
  std::string id{};
  std::vector<ColumnSpec> binds{};
  /// The positions of the partition key's columns among the binds, in the order of the key; or none.
  std::vector<std::uint16_t> key_binds{};
  std::optional<Metadata> result{};  ///< of a SELECT
};

std::string prepared_result(const PreparedStatement& statement, Version version);

struct SchemaChange {
  enum class Kind : std::uint8_t { created, updated, dropped };
  enum class Target : std::uint8_t { keyspace, table, type };

  Kind kind = Kind::created;
  Target target = Target::keyspace;
  std::string keyspace{};
  std::string name{};  ///< of a table or type
};

std::string schema_change_result(const SchemaChange& change);
std::string schema_change_event(const SchemaChange& change);

}  // namespace dinette::cql::frames
