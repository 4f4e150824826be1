#include "kv/postgres/connection.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <poll.h>

namespace dinette::kv::postgres {
namespace {

constexpr int binary = 1;

std::string without_line_end(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string message_of(PGconn* connection) {
  return without_line_end(pq().PQerrorMessage(connection));
}

std::string field_of(const PGresult* result, int field) {
  const char* const text = pq().PQresultErrorField(result, field);
  return text == nullptr ? "" : text;
}

/// Waits for the socket. Returns false if the time is over.
bool wait_for(int socket, short events, Deadline deadline) {
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    constexpr std::chrono::milliseconds longest = std::chrono::hours(1);
    pollfd waited{socket, events, 0};
    const auto timeout = std::clamp(left, std::chrono::milliseconds(0), longest);
    const int ready = poll(&waited, 1, static_cast<int>(timeout.count()));
    if (ready > 0) return true;
    if (ready == 0) {
      if (left <= longest) return false;
    } else if (errno != EINTR) {
      return true;  // libpq will find out what is wrong
    }
  }
}

PGconn* start_connection(const Target& target) {
  // What the URL says itself comes later and wins.
  const std::array<const char*, 5> names = {"fallback_application_name", "target_session_attrs",
                                            "tcp_user_timeout", "dbname", nullptr};
  const char* const session = target.read_only ? "any" : "read-write";
  const std::array<const char*, 5> values = {"dinette", session, "10000", target.url.c_str(), nullptr};
  return pq().PQconnectStartParams(names.data(), values.data(), 1);
}

/// Returns false if the time is over before the connection is made or refused.
bool finish_connecting(PGconn* connection, Deadline deadline) {
  PostgresPollingStatusType state = PGRES_POLLING_WRITING;
  while (state != PGRES_POLLING_OK && state != PGRES_POLLING_FAILED) {
    const short events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    if (!wait_for(pq().PQsocket(connection), events, deadline)) return false;
    state = pq().PQconnectPoll(connection);
  }
  return true;
}

}  // namespace

SqlResult<std::unique_ptr<Connection>> Connection::open(Target& target, Deadline deadline) {
  PGconn* const made = start_connection(target);
  if (made == nullptr) return base::Failure{SqlError{"53200", "there is no memory for a connection"}};
  std::unique_ptr<Connection> connection(new Connection(made, target));
  const bool in_time = pq().PQstatus(made) == CONNECTION_BAD || finish_connecting(made, deadline);
  if (!in_time) return base::Failure{SqlError{no_connection, no_answer}};
  if (pq().PQstatus(made) != CONNECTION_OK) return base::Failure{SqlError{no_connection, message_of(made)}};
  pq().PQsetNoticeReceiver(made, &take_notice, connection.get());
  if (pq().PQsetnonblocking(made, 1) != 0 || pq().PQenterPipelineMode(made) != 1)
    return base::Failure{SqlError{no_connection, message_of(made)}};
  connection->add(text::settle_plans);
  connection->flush_without_waiting();
  return connection;
}

Connection::Connection(PGconn* connection, Target& target) : target_(target), connection_(connection) {}

Connection::~Connection() {
  pq().PQfinish(connection_);
}

void Connection::take_notice(void* self, const PGresult* notice) {
  // "canceling wait for synchronous replication": the commit is reported as done all the same.
  if (field_of(notice, PG_DIAG_SQLSTATE) != "01000") return;
  if (field_of(notice, PG_DIAG_MESSAGE_PRIMARY).find("replication") == std::string::npos) return;
  static_cast<Connection*>(self)->not_replicated_ = true;
}

bool Connection::send(bool sent) {
  if (!sent) usable_ = false;
  return sent;
}

void Connection::add(Statement statement, const Parameters& parameters) {
  const auto number = static_cast<std::size_t>(statement);
  const std::string text(statement_text(statement));
  std::array<const char*, 8> values{};
  std::array<int, 8> lengths{};
  std::array<int, 8> formats{};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    values[i] = parameters[i].data();
    lengths[i] = static_cast<int>(parameters[i].size());
    formats[i] = binary;
  }
  const int count = static_cast<int>(parameters.size());
  if (target_.forgets_statements) {
    if (send(pq().PQsendQueryParams(connection_, text.c_str(), count, nullptr, values.data(), lengths.data(),
                                    formats.data(), binary) == 1))
      commands_.push_back({});
    return;
  }
  const std::string name = "dinette_" + std::to_string(number);
  if (!prepared_[number]) {
    prepared_.set(number);  // until it fails
    if (!send(pq().PQsendPrepare(connection_, name.c_str(), text.c_str(), 0, nullptr) == 1)) return;
    commands_.push_back({.prepares = static_cast<int>(number)});
  }
  if (send(pq().PQsendQueryPrepared(connection_, name.c_str(), count, values.data(), lengths.data(),
                                    formats.data(), binary) == 1))
    commands_.push_back({});
}

void Connection::add(std::string_view text) {
  const std::string with_end(text);
  if (send(pq().PQsendQueryParams(connection_, with_end.c_str(), 0, nullptr, nullptr, nullptr, nullptr,
                                  binary) == 1))
    commands_.push_back({});
}

void Connection::end_flush(bool discarded) {
  if (send(pq().PQpipelineSync(connection_) == 1)) commands_.push_back({.ends = true});
  if (!discarded) return;
  for (Command& command : commands_) command.discarded = true;
}

void Connection::flush_without_waiting() {
  end_flush(true);
  if (usable_) move_out();
}

void Connection::begin_flush() {
  end_flush(false);
  not_replicated_ = false;
  if (usable_) move_out();
}

SqlResult<std::vector<Rows>> Connection::flush(Deadline deadline) {
  begin_flush();
  while (true) {
    if (auto flushed = take_flush()) return *std::move(flushed);
    // Reads while it sends, or both sides could wait with full buffers.
    if (!wait_for(socket(), has_unsent_ ? POLLIN | POLLOUT : POLLIN, deadline)) {
      usable_ = false;
      return base::Failure{SqlError{"", no_answer}};
    }
    move_bytes();
  }
}

void Connection::move_out() {
  const int left = pq().PQflush(connection_);
  if (left < 0) usable_ = false;
  has_unsent_ = left > 0;
}

void Connection::move_bytes() {
  if (pq().PQconsumeInput(connection_) != 1) usable_ = false;
  if (usable_ && has_unsent_) move_out();
}

std::optional<SqlResult<std::vector<Rows>>> Connection::take_flush() {
  while (usable_ && !commands_.empty()) {
    if (pq().PQisBusy(connection_) != 0) return std::nullopt;
    Rows::Held result(pq().PQgetResult(connection_));
    const bool ends = result && pq().PQresultStatus(result.get()) == PGRES_PIPELINE_SYNC;
    if (ends) {
      if (auto flushed = end_of_flush()) return flushed;
      continue;
    }
    const bool answered = !result;
    if (result) take_result(std::move(result));
    if (pq().PQstatus(connection_) != CONNECTION_OK) usable_ = false;
    // A commit that failed ends with a null, then comes the end of the flush.
    if (answered && !commands_.front().ends) end_command();
  }
  if (usable_) return std::nullopt;
  return SqlResult<std::vector<Rows>>(base::Failure{lost(message_of(connection_))});
}

void Connection::take_result(Rows::Held result) {
  const Command& command = commands_.front();
  switch (pq().PQresultStatus(result.get())) {
    case PGRES_TUPLES_OK:
    case PGRES_COMMAND_OK:
      if (command.prepares < 0 && !command.discarded) rows_.emplace_back(std::move(result));
      return;
    case PGRES_PIPELINE_ABORTED:
      break;
    default:
      if (!error_) {
        error_ = SqlError{field_of(result.get(), PG_DIAG_SQLSTATE),
                          without_line_end(pq().PQresultErrorMessage(result.get()))};
        error_->statement = statements_;
      }
  }
  if (command.prepares >= 0) prepared_.reset(static_cast<std::size_t>(command.prepares));
}

void Connection::end_command() {
  if (commands_.front().prepares < 0) ++statements_;
  commands_.pop_front();
}

/// Returns nothing if the flush was discarded.
std::optional<SqlResult<std::vector<Rows>>> Connection::end_of_flush() {
  const bool discarded = commands_.front().discarded;
  commands_.pop_front();
  statements_ = 0;
  auto rows = std::exchange(rows_, {});
  auto error = std::exchange(error_, std::nullopt);
  if (discarded) return std::nullopt;
  if (!error) return SqlResult<std::vector<Rows>>(std::move(rows));
  if (trouble_of(*error) == SqlTrouble::unprepared) target_.forgets_statements = true;
  if (pq().PQstatus(connection_) != CONNECTION_OK) usable_ = false;
  return SqlResult<std::vector<Rows>>(base::Failure{*std::move(error)});
}

SqlError Connection::lost(std::string message) {
  usable_ = false;
  // The database may have said why it ended the connection.
  if (error_) return *error_;
  return {"", message.empty() ? "the connection ended" : std::move(message)};
}

}  // namespace dinette::kv::postgres
