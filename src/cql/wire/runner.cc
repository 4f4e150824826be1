#include "cql/wire/runner.h"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "dinette/base/ascii.h"

#include "cql/frames/consistency.h"
#include "cql/frames/replies.h"
#include "cql/grammar/parse.h"
#include "cql/recovery/restore_table.h"
#include "cql/schema/ddl.h"
#include "cql/system/open_table.h"

namespace dinette::cql::wire {
namespace {

using grammar::Statement;
using statements::Outcome;
using statements::PlanPointer;

statements::Options options_of(const frames::Parameters& parameters) {
  return {.consistency = parameters.consistency,
          .serial_consistency = parameters.serial_consistency,
          .page_size = parameters.page_size,
          .paging_state = parameters.paging_state,
          .timestamp = parameters.timestamp};
}

std::string in_hex(std::string_view bytes) {
  return base::hex(std::span(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

base::Failure<Error> unprepared(std::string_view id) {
  return Error{ErrorCode::unprepared,
               "Prepared query with ID " + in_hex(id) +
                   " not found (either the query was not prepared on this host (maybe the host has been "
                   "restarted?) or you have prepared too many queries and it has been evicted from the "
                   "internal cache)",
               {std::string(id)}};
}

/// docs/service-keyspaces/protocol.md section 5. `executes`: a prepared statement.
base::Failure<Error> wrong_count(std::size_t markers, const frames::Parameters& parameters, bool executes) {
  if (!executes) return invalid("Invalid amount of bind variables");
  return invalid("there were " + std::to_string(markers) + " markers(?) in CQL but " +
                 std::to_string(parameters.values.size()) + " bound variables");
}

bool is_modification(const Statement& statement) {
  return std::holds_alternative<grammar::Insert>(statement.value) ||
         std::holds_alternative<grammar::Update>(statement.value) ||
         std::holds_alternative<grammar::Delete>(statement.value);
}

}  // namespace

/// The first operations are in the order of the statement's alternatives.
void Runner::note(const Statement& statement) {
  operation_ = static_cast<Operation>(statement.value.index());
}

Answer<Reply> Runner::run(const frames::Query& query) {
  DINETTE_TRY(Statement statement, grammar::parse(query.statement));
  note(statement);
  if (!statements::is_data_statement(statement))
    return run_other(statement, keyspace_, query.parameters, false);
  DINETTE_TRY(const PlanPointer plan, statements::prepare(place_, keyspace_, std::move(statement)));
  return run_plan(*plan, query.parameters);
}

Answer<Reply> Runner::run(const frames::Prepare& prepare) {
  operation_ = Operation::prepare;
  DINETTE_TRY(Statement statement, grammar::parse(prepare.statement));
  const auto prepared = std::make_shared<Prepared>();
  prepared->id = id_of(keyspace_, prepare.statement);
  prepared->bytes = prepare.statement.size();
  prepared->keyspace = keyspace_;
  frames::PreparedStatement described;
  if (statements::is_data_statement(statement)) {
    DINETTE_TRY(prepared->plan, statements::prepare(place_, keyspace_, std::move(statement)));
    described = prepared->plan->description();
  } else {
    // docs/service-keyspaces/ddl.md section 1.
    if (place_.strict() && schema::is_ddl(statement)) return invalid("DDL statements cannot be prepared.");
    prepared->other = std::make_shared<const Statement>(std::move(statement));
  }
  described.id = prepared->id;
  state_.keep(place_.store.name_space(), prepared);
  return Reply{.body = frames::prepared_result(described, version_)};
}

Answer<Reply> Runner::run(const frames::Execute& execute) {
  DINETTE_TRY(const auto prepared, find_prepared(execute.id));
  note(prepared->plan != nullptr ? prepared->plan->statement() : *prepared->other);
  if (prepared->plan == nullptr)
    return run_other(*prepared->other, prepared->keyspace, execute.parameters, true);
  return run_plan(*prepared->plan, execute.parameters, execute.id);
}

Answer<Reply> Runner::run(const frames::Batch& batch) {
  operation_ = Operation::batch;
  std::vector<statements::BatchMember> members;
  members.reserve(batch.statements.size());
  for (const frames::BatchedStatement& statement : batch.statements) {
    DINETTE_TRY(PlanPointer plan, plan_of(statement));
    const std::size_t markers = plan->description().binds.size();
    if (statement.values.size() != markers) {
      return invalid("There were " + std::to_string(markers) + " markers(?) in CQL but " +
                     std::to_string(statement.values.size()) + " bound variables");
    }
    const std::string_view id = statement.prepared ? statement.statement : std::string_view();
    members.push_back({std::move(plan), statement.values, id});
  }
  const statements::Options options{.consistency = batch.consistency,
                                    .serial_consistency = batch.serial_consistency,
                                    .timestamp = batch.timestamp};
  DINETTE_TRY(Outcome outcome,
              without_outdated(statements::execute_batch(place_, batch.type, members, options)));
  return reply_of(std::move(outcome), false);
}

std::vector<Statement> Runner::statements_of(const frames::Request& request) {
  std::vector<Statement> out;
  const auto add_text = [&](std::string_view text) {
    if (auto parsed = grammar::parse(text)) out.push_back(*std::move(parsed));
  };
  const auto add_prepared = [&](std::string_view id) {
    const auto prepared = state_.find(place_.store.name_space(), id);
    if (prepared != nullptr)
      out.push_back(prepared->plan != nullptr ? prepared->plan->statement() : *prepared->other);
  };
  if (const auto* const query = std::get_if<frames::Query>(&request)) add_text(query->statement);
  if (const auto* const execute = std::get_if<frames::Execute>(&request)) add_prepared(execute->id);
  if (const auto* const prepare = std::get_if<frames::Prepare>(&request)) add_text(prepare->statement);
  if (const auto* const batch = std::get_if<frames::Batch>(&request)) {
    for (const frames::BatchedStatement& one : batch->statements)
      one.prepared ? add_prepared(one.statement) : add_text(one.statement);
  }
  if (!out.empty()) note(out.front());
  if (std::holds_alternative<frames::Prepare>(request)) operation_ = Operation::prepare;
  if (std::holds_alternative<frames::Batch>(request)) operation_ = Operation::batch;
  return out;
}

/// USE and DDL.
Answer<Reply> Runner::run_other(const Statement& statement, std::string_view keyspace,
                                const frames::Parameters& parameters, bool executes) const {
  const std::size_t markers = statement.markers.size();
  if (parameters.values.size() != markers) return wrong_count(markers, parameters, executes);
  const frames::Consistency level = parameters.consistency;
  if (const auto* const use = std::get_if<grammar::Use>(&statement.value)) {
    DINETTE_CHECK(system::check_usable(place_, use->keyspace));
    if (place_.strict()) DINETTE_CHECK(frames::check_read_level(level));
    return Reply{.body = frames::set_keyspace_result(use->keyspace), .keyspace = use->keyspace};
  }
  if (place_.strict()) DINETTE_CHECK(frames::check_read_level(level));
  DINETTE_TRY(auto changed, recovery::execute_definition(place_, keyspace, statement));
  if (!changed) return Reply{.body = frames::void_result()};
  return Reply{.body = frames::schema_change_result(changed->change), .changed = std::move(changed)};
}

Answer<Reply> Runner::run_plan(const statements::Plan& plan, const frames::Parameters& parameters,
                               std::string_view prepared) const {
  statements::Options options = options_of(parameters);
  options.prepared = prepared;
  const bool skips = parameters.skip_metadata && plan.description().result.has_value();
  const auto run_with = [&](std::span<const frames::Value> values) -> Answer<Reply> {
    DINETTE_TRY(Outcome outcome, without_outdated(statements::execute(place_, plan, values, options)));
    return reply_of(std::move(outcome), skips);
  };
  if (!parameters.names.empty()) {
    DINETTE_TRY(const auto values, statements::arrange(plan, parameters));
    return run_with(values);
  }
  const std::size_t markers = plan.description().binds.size();
  if (parameters.values.size() != markers) return wrong_count(markers, parameters, !prepared.empty());
  return run_with(parameters.values);
}

template <class T>
Answer<T> Runner::without_outdated(Answer<T> answer) const {
  if (answer || answer.error().code != ErrorCode::unprepared) return answer;
  const std::string id = answer.error().names.front();
  state_.forget(place_.store.name_space(), id);
  return unprepared(id);
}

Reply Runner::reply_of(Outcome outcome, bool skips_metadata) const {
  auto* const rows = std::get_if<statements::RowSet>(&outcome);
  if (rows == nullptr)
    return {.body = frames::void_result(),
            .warnings = std::move(std::get<statements::Void>(outcome).warnings)};
  if (rows_ != nullptr) [[unlikely]] {
    *rows_ = std::move(*rows);
    return {};
  }
  rows->metadata.skipped = skips_metadata;
  return {.body = frames::rows_result(rows->metadata, rows->rows), .warnings = std::move(rows->warnings)};
}

Answer<PlanPointer> Runner::plan_of(const frames::BatchedStatement& statement) const {
  if (statement.prepared) {
    DINETTE_TRY(const auto prepared, find_prepared(statement.statement));
    if (prepared->plan != nullptr && is_modification(prepared->plan->statement())) return prepared->plan;
  } else {
    DINETTE_TRY(Statement parsed, grammar::parse(statement.statement));
    if (is_modification(parsed)) return statements::prepare(place_, keyspace_, std::move(parsed));
  }
  return invalid("Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.");
}

Answer<std::shared_ptr<const Prepared>> Runner::find_prepared(std::string_view id) const {
  auto prepared = state_.find(place_.store.name_space(), id);
  if (prepared == nullptr) return unprepared(id);
  return prepared;
}

std::string error_body(const Error& error, frames::Consistency level) {
  constexpr std::int32_t replicas_required = 2;
  const auto name = [&](std::size_t i) {
    return i < error.names.size() ? std::string_view(error.names[i]) : std::string_view();
  };
  const frames::Timeout timeout{.consistency = level, .received = 0, .required = replicas_required};
  switch (error.code) {
    case ErrorCode::already_exists:
      return frames::already_exists_body(error.message, name(0), name(1));
    case ErrorCode::unprepared:
      return frames::unprepared_body(error.message, name(0));
    case ErrorCode::function_failure:
      return frames::function_failure_body(
          error.message, name(0), name(1),
          std::span(error.names).subspan(std::min<std::size_t>(2, error.names.size())));
    case ErrorCode::unavailable:
      return frames::unavailable_body(error.message, level, replicas_required, 0);
    case ErrorCode::write_timeout:
      return frames::write_timeout_body(error.message, timeout, name(0).empty() ? "SIMPLE" : name(0));
    case ErrorCode::read_timeout:
      return frames::read_timeout_body(error.message, timeout, false);
    default:
      return frames::error_body(error.code, error.message);
  }
}

}  // namespace dinette::cql::wire
