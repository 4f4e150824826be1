#include "dynamodb/api/execute_statement.h"

#include <utility>

#include "dynamodb/partiql/select.h"
#include "dynamodb/partiql/statement_access.h"
#include "dynamodb/partiql/write.h"
#include "dynamodb/request/consumed_capacity.h"
#include "dynamodb/writes/write_charge.h"

// Order of the steps: docs/service/partiql.md section 2.
namespace dinette::dynamodb::ops {
namespace {

Answer<api::ExecuteStatementOutput> read(const Context& context, const api::ExecuteStatementInput& input,
                                         const partiql::Bound& bound) {
  DINETTE_TRY(partiql::SelectedPage page,
              partiql::select(context, bound,
                              {.text = input.statement,
                               .parameters = input.parameters,
                               .consistent = input.consistent_read,
                               .limit = static_cast<std::size_t>(input.limit.value_or(0)),
                               .next_token = input.next_token ? &*input.next_token : nullptr}));
  api::ExecuteStatementOutput output;
  output.items = std::move(page.items);
  output.next_token = std::move(page.next_token);
  output.last_evaluated_key = std::move(page.last_key);
  output.consumed_capacity =
      consumed_capacity(context, input.return_consumed_capacity, bound.statement().table, page.charge);
  return output;
}

/// Puts the message of a failed condition into `Message` (docs/service/wire.md section 3).
ApiError with_capital_message(ApiError error) {
  error.capital_message = error.code == api::ErrorCode::conditional_check_failed_exception;
  return error;
}

Answer<api::ExecuteStatementOutput> write(const Context& context, const api::ExecuteStatementInput& input,
                                          const partiql::Bound& bound) {
  auto written = partiql::write(context, bound, input.return_values_on_condition_check_failure);
  if (!written) {
    charge_failure(context, bound.statement().table, written.error());
    return base::Failure{with_capital_message(std::move(written).error())};
  }
  api::ExecuteStatementOutput output;
  codec::ItemListText& items = output.items.emplace();
  if (written->returned) *items.json = *written->returned->json;
  output.consumed_capacity =
      consumed_capacity(context, input.return_consumed_capacity, bound.statement().table, written->charge);
  return output;
}

}  // namespace

Answer<api::ExecuteStatementOutput> execute_statement(const Context& context,
                                                      api::ExecuteStatementInput&& input) {
  DINETTE_TRY(const partiql::Bound bound, partiql::bind(context, input.statement, input.parameters));
  if (bound.statement().verb == partiql::Verb::exists)
    return validation("EXISTS can only be used in ExecuteTransaction write requests.");
  DINETTE_CHECK(partiql::check_access(context, bound, {}));
  return bound.statement().reads() ? read(context, input, bound) : write(context, input, bound);
}

}  // namespace dinette::dynamodb::ops
