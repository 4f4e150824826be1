#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cql/error.h"
#include "cql/frames/requests.h"
#include "cql/schema/ddl.h"
#include "cql/schema/place.h"
#include "cql/wire/world_state.h"

namespace dinette::cql::wire {

/// The kinds of requests that are counted and logged, named as users write them. Kept in this order by
/// operation_names().
enum class Operation : std::uint8_t {
  select,
  insert,
  update,
  delete_,
  batch,
  use,
  create_keyspace,
  alter_keyspace,
  drop_keyspace,
  create_table,
  alter_table,
  drop_table,
  restore_table,
  create_type,
  alter_type,
  drop_type,
  truncate,
  unsupported,
  startup,
  options,
  log_in,
  register_,
  prepare,
};

/// What a request has led to.
struct Reply {
  frames::Opcode opcode = frames::Opcode::result;
  std::string body{};
  std::vector<std::string> warnings{};
  std::optional<std::string> keyspace{};           ///< that the connection uses from now on
  std::optional<schema::SchemaOutcome> changed{};  ///< for connections that have registered for events
};

/// Carries out the requests that need data: QUERY, PREPARE, EXECUTE and BATCH. Lives as long as one request.
class Runner {
 public:
  /// `keyspace`: that of the connection, or empty. What is passed must outlive the runner.
  Runner(const Place& place, WorldState& state, std::string_view keyspace, frames::Version version)
      : place_(place), state_(state), keyspace_(keyspace), version_(version) {}

  Answer<Reply> run(const frames::Query& query);
  Answer<Reply> run(const frames::Prepare& prepare);
  Answer<Reply> run(const frames::Execute& execute);
  Answer<Reply> run(const frames::Batch& batch);

  /// Returns the statements of a request, which also tells what it is; those that cannot be read are left
  /// out.
  std::vector<grammar::Statement> statements_of(const frames::Request& request);
  std::string_view keyspace() const { return keyspace_; }

  /// Returns what the request is, as far as it is known yet.
  std::optional<Operation> operation() const { return operation_; }

  /// Has rows kept as values, instead of in the body of the reply. `rows` must outlive the runner.
  void keep_rows_in(std::optional<statements::RowSet>& rows) { rows_ = &rows; }

 private:
  void note(const grammar::Statement& statement);
  Answer<Reply> run_other(const grammar::Statement& statement, std::string_view keyspace,
                          const frames::Parameters& parameters, bool executes) const;
  Answer<Reply> run_plan(const statements::Plan& plan, const frames::Parameters& parameters,
                         std::string_view prepared = {}) const;
  /// Has clients prepare again what they have an old description of.
  template <class T>
  Answer<T> without_outdated(Answer<T> answer) const;
  Reply reply_of(statements::Outcome outcome, bool skips_metadata) const;
  Answer<statements::PlanPointer> plan_of(const frames::BatchedStatement& statement) const;
  Answer<std::shared_ptr<const Prepared>> find_prepared(std::string_view id) const;

  const Place& place_;
  WorldState& state_;
  const std::string_view keyspace_;
  const frames::Version version_;
  std::optional<Operation> operation_{};
  std::optional<statements::RowSet>* rows_ = nullptr;  ///< see keep_rows_in()
};

/// Returns the body of an error frame. `level`: of the request, for errors that repeat it.
std::string error_body(const Error& error, frames::Consistency level);

}  // namespace dinette::cql::wire
