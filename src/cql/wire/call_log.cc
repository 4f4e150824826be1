#include "cql/wire/call_log.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "dinette/base/log.h"

namespace dinette::cql::wire {
namespace {

/// The names of operations, in their order.
constexpr std::array<std::string_view, 23> names_of_operations = {
    "SELECT",          "INSERT",         "UPDATE",        "DELETE",       "BATCH",       "USE",
    "CREATE KEYSPACE", "ALTER KEYSPACE", "DROP KEYSPACE", "CREATE TABLE", "ALTER TABLE", "DROP TABLE",
    "RESTORE TABLE",   "CREATE TYPE",    "ALTER TYPE",    "DROP TYPE",    "TRUNCATE",    "UNSUPPORTED",
    "STARTUP",         "OPTIONS",        "AUTH_RESPONSE", "REGISTER",     "PREPARE"};
static_assert(names_of_operations.size() == static_cast<std::size_t>(Operation::prepare) + 1);

struct NamedError {
  ErrorCode code;
  std::string_view name;
  int status;  ///< of the same kind in HTTP, by which metrics tell errors of clients from those of the server
};

constexpr std::array named_errors = {
    NamedError{ErrorCode::server_error, "ServerError", 500},
    NamedError{ErrorCode::protocol_error, "ProtocolError", 400},
    NamedError{ErrorCode::bad_credentials, "BadCredentials", 401},
    NamedError{ErrorCode::unavailable, "Unavailable", 503},
    NamedError{ErrorCode::write_timeout, "WriteTimeout", 503},
    NamedError{ErrorCode::read_timeout, "ReadTimeout", 503},
    NamedError{ErrorCode::function_failure, "FunctionFailure", 400},
    NamedError{ErrorCode::syntax_error, "SyntaxError", 400},
    NamedError{ErrorCode::unauthorized, "Unauthorized", 403},
    NamedError{ErrorCode::invalid, "Invalid", 400},
    NamedError{ErrorCode::configuration_error, "ConfigError", 400},
    NamedError{ErrorCode::already_exists, "AlreadyExists", 409},
    NamedError{ErrorCode::unprepared, "Unprepared", 404},
};

std::size_t position_of(ErrorCode code) {
  return static_cast<std::size_t>(std::ranges::find(named_errors, code, &NamedError::code) -
                                  named_errors.begin());
}

std::vector<std::string_view> operation_names() {
  return {names_of_operations.begin(), names_of_operations.end()};
}

std::vector<observe::RequestCounters::Error> counted_errors() {
  std::vector<observe::RequestCounters::Error> errors;
  for (const NamedError& error : named_errors) errors.push_back({error.name, error.status});
  return errors;
}

std::string_view operation_of(const Call& call) {
  return call.operation ? names_of_operations[static_cast<std::size_t>(*call.operation)] : std::string_view();
}

std::string_view error_of(const Call& call) {
  return call.answer ? std::string_view() : name_of(call.answer.error().code);
}

std::string tables_of(const Call& call) {
  std::string names;
  if (!call.details) return names;
  for (const observe::TableUse& table : call.details->tables)
    names.append(names.empty() ? "" : ",").append(table.name);
  return names;
}

int status_of(const Call& call) {
  constexpr int success = 200;
  return call.answer ? success : named_errors[position_of(call.answer.error().code)].status;
}

}  // namespace

std::string_view name_of(Operation operation) {
  return names_of_operations[static_cast<std::size_t>(operation)];
}

std::optional<Operation> operation_of_name(std::string_view name) {
  const auto found = std::ranges::find(names_of_operations, name);
  if (found == names_of_operations.end()) return std::nullopt;
  return static_cast<Operation>(found - names_of_operations.begin());
}

std::optional<ErrorCode> error_code_of(std::string_view name) {
  const auto found = std::ranges::find(named_errors, name, &NamedError::name);
  if (found == named_errors.end()) return std::nullopt;
  return found->code;
}

std::string_view name_of(ErrorCode code) {
  return named_errors[position_of(code)].name;
}

CallLog::CallLog(observe::RecentRequests* recent, observe::Reports* reports)
    : counters_("keyspaces", operation_names(), counted_errors()), recent_(recent), reports_(reports) {}

void CallLog::take_details(Call& call) const {
  const bool by_reports = call.listed && reports_ != nullptr && reports_->recording();
  const bool by_recent = call.listed && recent_ != nullptr && recent_->recording();
  const bool kept = call.listed && recent_ != nullptr && recent_->keeping();
  const bool in_full = by_reports || by_recent || base::log_enabled(base::LogLevel::info);
  if (!in_full && !kept) return;
  call.details.emplace();
  call.details->wants_tables = in_full;
  call.details->wants_keys = by_reports;
  call.details->wants_changes = by_recent;
}

void CallLog::add(const Call& call) {
  const auto duration = Call::Steady::now() - call.start;
  const auto operation =
      call.operation ? std::optional(static_cast<std::size_t>(*call.operation)) : std::nullopt;
  const auto error = call.answer ? std::nullopt : std::optional(position_of(call.answer.error().code));
  counters_.count(operation, error, duration);
  if (base::log_enabled(base::LogLevel::info)) log(call, duration);
  if (call.details && call.listed) record(call, duration);
}

/// Without messages of errors: they may repeat the values of a statement.
void CallLog::log(const Call& call, Call::Steady::duration duration) const {
  const std::string tables = tables_of(call);
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
  base::log(base::LogLevel::info, "keyspaces request",
            {{"operation", operation_of(call)},
             {"keyspace", call.client->keyspace},
             {"table", tables},
             {"error", error_of(call)},
             {"microseconds", microseconds},
             {"request_bytes", call.frame.body.size()},
             {"reply_bytes", call.answer ? call.answer->body.size() : 0},
             {"remote", call.client->remote}});
}

void CallLog::record(const Call& call, Call::Steady::duration duration) const {
  if (reports_ != nullptr && reports_->recording() && !call.details->world.empty())
    reports_->add(operation_of(call), error_of(call), *call.details);
  // Heartbeats would push out what users ask for.
  if (recent_ == nullptr || !recent_->keeping() || call.operation == Operation::options) return;
  recent_->add(observe::AnsweredRequest{.details = *call.details,
                                        .end = call.start + duration,
                                        .duration = duration,
                                        .status = status_of(call),
                                        .id = call.id,
                                        .operation = operation_of(call),
                                        .error = error_of(call),
                                        .remote = call.client->remote,
                                        .agent = call.client->agent,
                                        .is_known = call.operation.has_value()});
}

}  // namespace dinette::cql::wire
