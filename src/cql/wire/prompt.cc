#include "cql/wire/prompt.h"

#include <future>
#include <memory>
#include <utility>

#include "cql/grammar/lexer.h"
#include "cql/values/to_text.h"
#include "cql/wire/call_log.h"

namespace dinette::cql::wire {
namespace {

Frame frame_of(std::string_view statement) {
  return {.header = {.version = frames::Version::v4}, .body = std::string(statement)};
}

Client client_of(const Endpoint& endpoint, const PromptStatement& statement) {
  return {.remote = std::string(statement.remote),
          .agent = std::string(statement.agent),
          .caller = {.account = endpoint.options().account},
          .world = statement.world,
          .world_name = std::string(statement.world_name),
          .keyspace = std::string(statement.keyspace)};
}

frames::Query query_of(const Call& call, const PromptStatement& statement) {
  frames::Query query{.statement = call.frame.body, .parameters = {}};
  query.parameters.consistency = frames::Consistency::local_quorum;  // which reads and writes may have
  query.parameters.page_size = statement.page_size;
  query.parameters.paging_state = statement.paging_state;
  return query;
}

/// Waits until the delay that a fault rule orders is over.
void wait_out_delay(Call& call) {
  auto over = std::make_shared<std::promise<void>>();
  const auto end = over->get_future();
  call.world->faults().resume_after_delay(*call.fault, [over = std::move(over)] { over->set_value(); });
  end.wait();
  call.delay_over = true;
}

std::string text_of(const Type& type, std::string_view value) {
  const bool has_parts = !type.arguments.empty();
  return has_parts ? json_text(type, value) : value_text(type, value);
}

PromptRows rows_of(const statements::RowSet& result) {
  PromptRows out;
  const auto& specs = result.metadata.columns->specs();
  for (const frames::ColumnSpec& column : specs)
    out.columns.push_back({column.keyspace, column.table, column.name, to_text(column.type)});
  for (const auto& row : result.rows) {
    auto& texts = out.rows.emplace_back();
    for (std::size_t i = 0; i < specs.size(); ++i)
      texts.push_back(row[i] ? std::optional(text_of(specs[i].type, *row[i])) : std::nullopt);
  }
  out.paging_state = result.metadata.paging_state;
  return out;
}

PromptError error_of(const Error& error) {
  PromptError out{.name = std::string(name_of(error.code)), .message = error.message};
  if (error.code == ErrorCode::syntax_error) out.place = grammar::place_of(error.message);
  return out;
}

}  // namespace

Prompted<PromptAnswer> run_prompt(Endpoint& endpoint, const PromptStatement& statement) {
  Call call(frame_of(statement.statement), std::make_shared<const Client>(client_of(endpoint, statement)));
  call.request = query_of(call, statement);
  call.listed = statement.listed;
  call.faults_asked = statement.spared_by_faults;
  call.keeps_rows = true;
  endpoint.begin(call);
  while (endpoint.answer(call, true) == Endpoint::Run::delayed) wait_out_delay(call);
  endpoint.finish(call);
  if (!call.answer) return base::Failure{error_of(call.answer.error())};
  PromptAnswer answer{.keyspace = call.answer->keyspace};
  if (call.rows) answer.rows = rows_of(*call.rows);
  return answer;
}

}  // namespace dinette::cql::wire
