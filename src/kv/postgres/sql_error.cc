#include "kv/postgres/sql_error.h"

#include <string_view>

namespace dinette::kv::postgres {
namespace {

bool is_class(std::string_view state, std::string_view of) {
  return state.starts_with(of);
}

ErrorKind kind_of(const SqlError& error) {
  switch (trouble_of(error)) {
    case SqlTrouble::check_failed:
    case SqlTrouble::conflict:
      return ErrorKind::conflict;
    case SqlTrouble::locked:
      return ErrorKind::timed_out;
    default:
      return ErrorKind::io;
  }
}

/// Returns true if a message about a connection is not about the URL itself, which libpq could not read.
bool was_attempted(std::string_view message) {
  return message.starts_with("connection to server") ||
         message.starts_with("could not translate host name") || message == no_answer;
}

}  // namespace

SqlTrouble trouble_of(const SqlError& error) {
  const std::string_view state = error.state;
  if (state == "22012") return SqlTrouble::check_failed;
  if (state == "40001" || state == "40P01") return SqlTrouble::conflict;
  if (state == "26000" || state == "42P05") return SqlTrouble::unprepared;
  if (state == "22003") return SqlTrouble::overflow;
  if (state == "55P03" || state == "57014") return SqlTrouble::locked;
  if (state == no_connection || state == "57P03" || state == "53300") return SqlTrouble::away;
  // A demoted primary: the next connection goes to the new one.
  if (state == "25006") return SqlTrouble::away;
  if (state.empty() || state == "40003" || is_class(state, "57P") || is_class(state, "08"))
    return SqlTrouble::lost;
  return SqlTrouble::refused;
}

bool may_repeat(const SqlError& error) {
  switch (trouble_of(error)) {
    case SqlTrouble::lost:
    case SqlTrouble::away:
    case SqlTrouble::unprepared:
    case SqlTrouble::conflict:
      return true;
    default:
      return false;
  }
}

Error kv_error(const SqlError& error) {
  const std::string state = error.state.empty() ? "" : " (" + error.state + ")";
  return {kind_of(error), "PostgreSQL: " + error.message + state};
}

std::string explain_at_start(const SqlError& error, bool has_tables) {
  const std::string_view state = error.state;
  // libpq adds a question of its own on a second line.
  const std::string reason = error.message.substr(0, error.message.find(" \tIs the server running"));
  const auto with = [&](const char* advice) { return reason + ". " + advice; };
  if (state == no_connection && !was_attempted(error.message)) return reason;
  if (state == "3D000" || error.message.find("does not exist") != std::string::npos)
    return with("Create the database and the role first: createuser dinette; createdb -O dinette dinette");
  if (is_class(state, "28") || error.message.find("authentication") != std::string::npos ||
      error.message.find("no password") != std::string::npos)
    return with("Give user and password in the URL, in PGPASSWORD or in ~/.pgpass");
  if (state == "42501" && has_tables)
    return with(
        "The tables of Dinette in this database belong to another role: connect as that one, or let it grant "
        "its rights to this one: GRANT ALL ON ALL TABLES IN SCHEMA public TO the role, and the same for ALL "
        "SEQUENCES");
  if (state == "42501")
    return with("The role must be allowed to create tables: GRANT CREATE ON SCHEMA public TO the role");
  if (state == "25006" || error.message.find("read-only") != std::string::npos)
    return with("Name a database that can be written to; of several hosts, the primary is found by itself");
  if (state == "53300") return with("Raise max_connections of the database, or lower --store-connections");
  if (state.empty() || state == no_connection)
    return with("Is the database running, and are its host and port correct?");
  return error.message;
}

}  // namespace dinette::kv::postgres
