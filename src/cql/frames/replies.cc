#include "cql/frames/replies.h"

#include <algorithm>
#include <limits>

#include "dinette/base/bytes.h"

namespace dinette::cql::frames {
namespace {

enum class Result : std::int32_t { void_ = 1, rows = 2, set_keyspace = 3, prepared = 4, schema_change = 5 };

namespace metadata_flag {
constexpr std::int32_t one_table = 1;
constexpr std::int32_t more_pages = 2;
constexpr std::int32_t no_columns = 4;
}  // namespace metadata_flag

void append_short(std::string& out, std::size_t number) {
  base::append_big_endian(out, static_cast<std::uint16_t>(number));
}

void append_int(std::string& out, std::int32_t number) {
  base::append_big_endian(out, static_cast<std::uint32_t>(number));
}

/// Returns the beginning of a text that is too long for its length, without part of a character.
std::string_view shortened(std::string_view text) {
  std::size_t size = std::numeric_limits<std::uint16_t>::max();
  if (text.size() <= size) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

/// Also [short bytes].
void append_string(std::string& out, std::string_view text) {
  text = shortened(text);
  append_short(out, text.size());
  out += text;
}

void append_bytes(std::string& out, std::optional<std::string_view> bytes) {
  append_int(out, bytes ? static_cast<std::int32_t>(bytes->size()) : -1);
  if (bytes) out += *bytes;
}

void append_string_list(std::string& out, std::initializer_list<std::string_view> texts) {
  append_short(out, texts.size());
  for (const std::string_view text : texts) append_string(out, text);
}

std::string result_of(Result kind) {
  std::string body;
  append_int(body, static_cast<std::int32_t>(kind));
  return body;
}

bool is_of_one_table(const std::vector<ColumnSpec>& columns) {
  return !columns.empty() && std::ranges::all_of(columns, [&](const ColumnSpec& column) {
    return column.keyspace == columns.front().keyspace && column.table == columns.front().table;
  });
}

void append_columns(std::string& out, const std::vector<ColumnSpec>& columns) {
  const bool one_table = is_of_one_table(columns);
  if (one_table) {
    append_string(out, columns.front().keyspace);
    append_string(out, columns.front().table);
  }
  for (const ColumnSpec& column : columns) {
    if (!one_table) {
      append_string(out, column.keyspace);
      append_string(out, column.table);
    }
    append_string(out, column.name);
    append_option(out, column.type);
  }
}

void append_metadata(std::string& out, const Metadata& metadata) {
  const Columns* const columns = metadata.columns.get();
  const bool one_table = !metadata.skipped && columns != nullptr && columns->of_one_table();
  append_int(out, (one_table ? metadata_flag::one_table : 0) |
                      (metadata.paging_state ? metadata_flag::more_pages : 0) |
                      (metadata.skipped ? metadata_flag::no_columns : 0));
  append_int(out, columns != nullptr ? static_cast<std::int32_t>(columns->specs().size()) : 0);
  if (metadata.paging_state) append_bytes(out, *metadata.paging_state);
  if (!metadata.skipped && columns != nullptr) out += columns->bytes();
}

void append_bind_metadata(std::string& out, const PreparedStatement& statement, Version version) {
  append_int(out, is_of_one_table(statement.binds) ? metadata_flag::one_table : 0);
  append_int(out, static_cast<std::int32_t>(statement.binds.size()));
  if (version >= Version::v4) {
    append_int(out, static_cast<std::int32_t>(statement.key_binds.size()));
    for (const std::uint16_t position : statement.key_binds) append_short(out, position);
  }
  append_columns(out, statement.binds);
}

std::string_view name_of(SchemaChange::Kind kind) {
  switch (kind) {
    case SchemaChange::Kind::created:
      return "CREATED";
    case SchemaChange::Kind::updated:
      return "UPDATED";
    case SchemaChange::Kind::dropped:
      return "DROPPED";
  }
  return "";
}

std::string_view name_of(SchemaChange::Target target) {
  switch (target) {
    case SchemaChange::Target::keyspace:
      return "KEYSPACE";
    case SchemaChange::Target::table:
      return "TABLE";
    case SchemaChange::Target::type:
      return "TYPE";
  }
  return "";
}

/// Versions 3 and 4 have the same form for keyspaces, tables and types.
void append_change(std::string& out, const SchemaChange& change) {
  append_string(out, name_of(change.kind));
  append_string(out, name_of(change.target));
  append_string(out, change.keyspace);
  if (change.target != SchemaChange::Target::keyspace) append_string(out, change.name);
}

void append_timeout(std::string& out, const Timeout& timeout) {
  append_short(out, static_cast<std::size_t>(timeout.consistency));
  append_int(out, timeout.received);
  append_int(out, timeout.required);
}

std::size_t size_of(std::span<const std::vector<Cell>> rows) {
  std::size_t size = 0;
  for (const std::vector<Cell>& row : rows) {
    for (const Cell& cell : row) size += sizeof(std::int32_t) + (cell ? cell->size() : 0);
  }
  return size;
}

}  // namespace

Columns::Columns(std::vector<ColumnSpec> specs)
    : specs_(std::move(specs)), of_one_table_(is_of_one_table(specs_)) {
  append_columns(bytes_, specs_);
}

std::string authenticate_body(std::string_view authenticator) {
  std::string body;
  append_string(body, authenticator);
  return body;
}

std::string supported_body() {
  std::string body;
  append_short(body, 3);
  append_string(body, "CQL_VERSION");
  append_string_list(body, {"3.4.4"});
  append_string(body, "COMPRESSION");
  append_string_list(body, {"snappy", "lz4"});
  append_string(body, "PROTOCOL_VERSIONS");
  append_string_list(body, {"3/v3", "4/v4"});
  return body;
}

std::string challenge_body(std::optional<std::string_view> token) {
  std::string body;
  append_bytes(body, token);
  return body;
}

std::string error_body(ErrorCode code, std::string_view message) {
  std::string body;
  append_int(body, static_cast<std::int32_t>(code));
  append_string(body, message);
  return body;
}

std::string already_exists_body(std::string_view message, std::string_view keyspace, std::string_view table) {
  std::string body = error_body(ErrorCode::already_exists, message);
  append_string(body, keyspace);
  append_string(body, table);
  return body;
}

std::string unprepared_body(std::string_view message, std::string_view id) {
  std::string body = error_body(ErrorCode::unprepared, message);
  append_string(body, id);
  return body;
}

std::string function_failure_body(std::string_view message, std::string_view keyspace, std::string_view name,
                                  std::span<const std::string> types) {
  std::string body = error_body(ErrorCode::function_failure, message);
  append_string(body, keyspace);
  append_string(body, name);
  append_short(body, types.size());
  for (const std::string& type : types) append_string(body, type);
  return body;
}

std::string unavailable_body(std::string_view message, Consistency consistency, std::int32_t required,
                             std::int32_t alive) {
  std::string body = error_body(ErrorCode::unavailable, message);
  append_short(body, static_cast<std::size_t>(consistency));
  append_int(body, required);
  append_int(body, alive);
  return body;
}

std::string write_timeout_body(std::string_view message, const Timeout& timeout,
                               std::string_view write_type) {
  std::string body = error_body(ErrorCode::write_timeout, message);
  append_timeout(body, timeout);
  append_string(body, write_type);
  return body;
}

std::string read_timeout_body(std::string_view message, const Timeout& timeout, bool data_present) {
  std::string body = error_body(ErrorCode::read_timeout, message);
  append_timeout(body, timeout);
  body.push_back(data_present ? '\1' : '\0');
  return body;
}

std::string warnings_before(std::string_view body, std::span<const std::string> warnings) {
  std::string out;
  append_short(out, warnings.size());
  for (const std::string& text : warnings) append_string(out, text);
  return out.append(body);
}

std::string void_result() {
  return result_of(Result::void_);
}

std::string rows_result(const Metadata& metadata, std::span<const std::vector<Cell>> rows) {
  constexpr std::size_t numbers_size = 16;
  const std::size_t columns = metadata.columns != nullptr ? metadata.columns->bytes().size() : 0;
  const std::size_t state = metadata.paging_state ? metadata.paging_state->size() + sizeof(std::int32_t) : 0;
  std::string body;
  body.reserve(numbers_size + columns + state + size_of(rows));
  append_int(body, static_cast<std::int32_t>(Result::rows));
  append_metadata(body, metadata);
  append_int(body, static_cast<std::int32_t>(rows.size()));
  for (const std::vector<Cell>& row : rows) {
    for (const Cell& cell : row) append_bytes(body, cell);
  }
  return body;
}

std::string set_keyspace_result(std::string_view keyspace) {
  std::string body = result_of(Result::set_keyspace);
  append_string(body, keyspace);
  return body;
}

std::string prepared_result(const PreparedStatement& statement, Version version) {
  std::string body = result_of(Result::prepared);
  append_string(body, statement.id);
  append_bind_metadata(body, statement, version);
  append_metadata(body, statement.result.value_or(Metadata{.skipped = true}));
  return body;
}

std::string schema_change_result(const SchemaChange& change) {
  std::string body = result_of(Result::schema_change);
  append_change(body, change);
  return body;
}

std::string schema_change_event(const SchemaChange& change) {
  std::string body;
  append_string(body, "SCHEMA_CHANGE");
  append_change(body, change);
  return body;
}

}  // namespace dinette::cql::frames
