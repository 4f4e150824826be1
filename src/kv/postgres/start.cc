#include "kv/postgres/start.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dinette::kv::postgres {
namespace {

base::Failure<Error> unusable(const std::string& sentence) {
  return base::Failure{Error{ErrorKind::unsupported, sentence}};
}

base::Failure<Error> cannot_start(const SqlError& error, bool has_tables = false) {
  return base::Failure{Error{ErrorKind::io, explain_at_start(error, has_tables)}};
}

/// Executes one statement without parameters. `of_tables`: it needs the tables, which exist.
Result<Rows> ask(Pool& pool, Connection& connection, std::string_view text, bool of_tables = false) {
  connection.add(text);
  auto rows = connection.flush(pool.patience());
  if (!rows) return cannot_start(rows.error(), of_tables);
  return std::move(rows->front());
}

Result<void> check_database(Pool& pool, Connection& connection) {
  DINETTE_TRY(const Rows version,
              ask(pool, connection, "select version(), current_setting('server_version_num')"));
  const int number = std::stoi(std::string(version.bytes(0, 1)));
  if (const auto reason = explain_unusable(version.bytes(0, 0), number)) return unusable(*reason);
  // The order of keys is that of unsigned bytes, shorter ones first.
  DINETTE_TRY(
      const Rows order,
      ask(pool, connection, "select '\\x7f'::bytea < '\\x80'::bytea and '\\x00'::bytea < '\\x0000'::bytea"));
  if (!order.flag(0, 0)) return unusable("this database does not compare bytea as bytes");
  return {};
}

Result<bool> tables_exist(Pool& pool, Connection& connection) {
  DINETTE_TRY(const Rows exists, ask(pool, connection, "select to_regclass('dn_schema') is not null"));
  return exists.flag(0, 0);
}

Result<void> make_tables(Pool& pool, Connection& connection) {
  DINETTE_TRY(const bool exist, tables_exist(pool, connection));
  if (exist) {
    DINETTE_TRY(const Rows version, ask(pool, connection, "select max(version) from dn_schema", true));
    if (version.is_null(0, 0) || version.int8(0, 0) >= schema_version) return {};
  }
  connection.add(text::begin);
  for (const std::string_view statement : schema_statements()) connection.add(statement);
  connection.add(text::commit);
  const auto made = connection.flush(pool.patience());
  if (!made) return cannot_start(made.error(), exist);
  return {};
}

Result<void> check_tables(Pool& pool, Connection& connection) {
  DINETTE_TRY(const Rows version, ask(pool, connection, "select version from dn_schema", true));
  if (version.size() == 1 && version.int8(0, 0) == schema_version) return {};
  return unusable(
      "the tables in this database were made by another version of Dinette, in a format that this "
      "one does not know");
}

/// The default world is kept as soon as a server has started.
Result<void> require_data(Pool& pool, Connection& connection) {
  const auto nothing = [] { return unusable("no Dinette data in this database"); };
  DINETTE_TRY(const bool exist, tables_exist(pool, connection));
  if (!exist) return nothing();
  DINETTE_CHECK(check_tables(pool, connection));
  DINETTE_TRY(const Rows worlds,
              ask(pool, connection, "select count(*) > 0 from dn_world where name = ''", true));
  if (!worlds.flag(0, 0)) return nothing();
  return {};
}

}  // namespace

Result<std::shared_ptr<Pool>> start(Pool::Settings settings) {
  DINETTE_CHECK(load_libpq());
  auto pool = std::make_shared<Pool>(std::move(settings));
  auto connected = pool->connect(pool->patience());
  if (!connected) return cannot_start(connected.error());
  Connection& connection = **connected;
  DINETTE_CHECK(check_database(*pool, connection));
  if (pool->is_read_only()) {
    DINETTE_CHECK(require_data(*pool, connection));
    return pool;
  }
  DINETTE_CHECK(make_tables(*pool, connection));
  DINETTE_CHECK(check_tables(*pool, connection));
  DINETTE_TRY(const Rows server, ask(*pool, connection, "select nextval('dn_server')", true));
  pool->set_server(server.int8(0, 0));
  return pool;
}

}  // namespace dinette::kv::postgres
