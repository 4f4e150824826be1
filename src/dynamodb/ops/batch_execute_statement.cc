#include "dynamodb/api/batch_execute_statement.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "dynamodb/api/batch_statement_request.h"
#include "dynamodb/api/batch_statement_response.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/partiql/item_read.h"
#include "dynamodb/partiql/select.h"
#include "dynamodb/partiql/statement_access.h"
#include "dynamodb/partiql/write.h"
#include "dynamodb/request/consumed_capacity.h"
#include "dynamodb/request/explanation.h"
#include "dynamodb/request/gate.h"
#include "dynamodb/request/hand_to_worker.h"

// docs/service/partiql.md section 7. All statements are checked before any is run; then each runs by
// itself.
namespace dinette::dynamodb::ops {
namespace {

using api::BatchStatementErrorCodeEnum;
using api::BatchStatementRequest;
using api::BatchStatementResponse;
using api::ErrorCode;

struct ShortCode {
  ErrorCode code;
  BatchStatementErrorCodeEnum name;
};
constexpr std::array<ShortCode, 10> short_codes = {
    {{ErrorCode::access_denied_exception, BatchStatementErrorCodeEnum::access_denied},
     {ErrorCode::conditional_check_failed_exception, BatchStatementErrorCodeEnum::conditional_check_failed},
     {ErrorCode::duplicate_item_exception, BatchStatementErrorCodeEnum::duplicate_item},
     {ErrorCode::item_collection_size_limit_exceeded_exception,
      BatchStatementErrorCodeEnum::item_collection_size_limit_exceeded},
     {ErrorCode::provisioned_throughput_exceeded_exception,
      BatchStatementErrorCodeEnum::provisioned_throughput_exceeded},
     {ErrorCode::request_limit_exceeded, BatchStatementErrorCodeEnum::request_limit_exceeded},
     {ErrorCode::resource_not_found_exception, BatchStatementErrorCodeEnum::resource_not_found},
     {ErrorCode::throttling_exception, BatchStatementErrorCodeEnum::throttling_error},
     {ErrorCode::transaction_conflict_exception, BatchStatementErrorCodeEnum::transaction_conflict},
     {ErrorCode::validation_exception, BatchStatementErrorCodeEnum::validation_error}}};

api::BatchStatementError error_of(ApiError error) {
  const auto* const known = std::ranges::find(short_codes, error.code, &ShortCode::code);
  const auto code =
      known == short_codes.end() ? BatchStatementErrorCodeEnum::internal_server_error : known->name;
  return {code, std::move(error.message), std::move(error.item)};
}

/// The statement of one member, and which item it is about.
struct BatchMember {
  const BatchStatementRequest& request;
  std::optional<partiql::Bound> bound = {};
  std::optional<ApiError> refusal = {};  ///< why it is not run
  store::TableId table = {};
  std::string key = {};  ///< the store's
};

Answer<void> find_item(const Context& context, BatchMember& member) {
  const partiql::Bound& bound = *member.bound;
  if (bound.statement().verb == partiql::Verb::exists)
    return validation("EXISTS can only be used in ExecuteTransaction write requests.");
  if (bound.statement().reads()) {
    const bool consistent = member.request.consistent_read.value_or(false);
    DINETTE_TRY(const partiql::ReadSource source,
                partiql::open_source(context, bound.statement(), consistent));
    DINETTE_TRY(const auto key, partiql::key_to_read(bound, source));
    if (!key) {
      return validation(
          "Select statements within BatchExecuteStatement must specify the primary key in the where clause.");
    }
    member.table = source.table.table->id;
    member.key = encode_key(source.table.schema(), *key);
    return {};
  }
  DINETTE_TRY(const OpenTable table, open_for_data(context, bound.statement().table));
  DINETTE_TRY(const auto write,
              partiql::Write::make(bound, table, member.request.return_values_on_condition_check_failure));
  member.table = table.table->id;
  member.key = write->action().key();
  return {};
}

Answer<void> check_one_kind(const std::vector<BatchMember>& members) {
  const auto is = [](bool reads) {
    return [reads](const BatchMember& member) {
      return member.bound && member.bound->statement().verb != partiql::Verb::exists &&
             member.bound->statement().reads() == reads;
    };
  };
  if (std::ranges::any_of(members, is(true)) && std::ranges::any_of(members, is(false)))
    return validation("Read and write requests together in the same batch is not supported.");
  return {};
}

Answer<void> check_duplicates(const std::vector<BatchMember>& members) {
  std::set<std::pair<store::TableId, std::string_view>> seen;
  for (const BatchMember& member : members) {
    if (!member.refusal && !seen.emplace(member.table, member.key).second)
      return validation("Provided list of item keys contains duplicates");
  }
  return {};
}

Answer<std::vector<BatchMember>> check(const Context& context, const api::BatchExecuteStatementInput& input) {
  std::vector<BatchMember> members;
  for (const BatchStatementRequest& request : input.statements) {
    BatchMember& member = members.emplace_back(BatchMember{request});
    auto bound = partiql::bind(context, request.statement, request.parameters);
    if (bound)
      member.bound.emplace(*std::move(bound));
    else
      member.refusal = std::move(bound).error();
  }
  DINETTE_CHECK(check_one_kind(members));
  for (BatchMember& member : members) {
    if (member.refusal) continue;
    auto found = find_item(context, member);
    if (found) found = partiql::check_access(context, *member.bound, "BatchExecuteStatement");
    if (found) continue;
    if (found.error().must_wait) return base::Failure{std::move(found).error()};
    member.refusal = std::move(found).error();
  }
  DINETTE_CHECK(check_duplicates(members));
  return members;
}

/// What the statements on one table came to.
struct TableCharge {
  std::string name;
  bool succeeded = false;
  Charge charge = {};
};

/// How far a batch has come. What is done is not repeated when the rest of it has to wait on another thread.
struct StatementProgress {
  std::vector<BatchStatementResponse> responses = {};
  std::vector<TableCharge> charges = {};
  model::Work work = {};
};

class Runner {
 public:
  Runner(const Context& context, StatementProgress& progress)
      : context_(context), progress_(progress), deadline_(context.store.deadline()) {}

  /// Fails only if it must wait.
  Answer<void> run(const BatchMember& member) {
    DINETTE_CHECK(check_loop_work(progress_.work.units()));
    if (member.refusal) {
      explain_failure();
      BatchStatementResponse refused;
      refused.error = error_of({member.refusal->code, member.refusal->message});
      if (member.refusal->code == ErrorCode::access_denied_exception)
        refused.table_name = member.bound->statement().table;
      progress_.responses.push_back(std::move(refused));
      return {};
    }
    BatchStatementResponse response;
    response.table_name = member.bound->statement().table;
    auto done = carry_out(member, response);
    if (!done && done.error().must_wait) return done;
    if (!done) {
      explain_failure();
      if (const double units = done.error().consumed; units > 0) charge_of(member).charge.failed += units;
      response.error = error_of(std::move(done).error());
    }
    progress_.responses.push_back(std::move(response));
    return {};
  }

 private:
  Answer<void> carry_out(const BatchMember& member, BatchStatementResponse& response) {
    const bool reads = member.bound->statement().reads();
    if (!admits_item(context_, progress_.responses.size()))
      return no_item_admitted({}, reads ? Axis::read : Axis::write);
    return reads ? read(member, response) : write(member, response);
  }

  Answer<void> read(const BatchMember& member, BatchStatementResponse& response) {
    const BatchStatementRequest& request = member.request;
    DINETTE_TRY(partiql::SelectedPage page,
                partiql::select(context_, *member.bound,
                                {.text = request.statement,
                                 .parameters = request.parameters,
                                 .consistent = request.consistent_read.value_or(false)}));
    progress_.work.add(page.work);
    if (!(*page.items.json).empty()) response.item.emplace().json = std::move(page.items.json);
    charge(member, page.charge);
    return {};
  }

  Answer<void> write(const BatchMember& member, BatchStatementResponse& response) {
    DINETTE_TRY(
        partiql::WriteOutcome written,
        partiql::write(context_, *member.bound, member.request.return_values_on_condition_check_failure,
                       deadline_, &progress_.work));
    response.item = std::move(written.returned);
    if (response.item) progress_.work.add(ItemSelection::work_of_copying((*response.item->json).size()));
    charge(member, written.charge);
    return {};
  }

  void explain_failure() {
    if (context_.explanation) context_.explanation->add_nothing();
  }

  TableCharge& charge_of(const BatchMember& member) {
    const std::string& name = member.bound->statement().table;
    const auto known = std::ranges::find(progress_.charges, name, &TableCharge::name);
    return known != progress_.charges.end() ? *known : progress_.charges.emplace_back(TableCharge{name});
  }

  void charge(const BatchMember& member, const Charge& charge) {
    TableCharge& of_table = charge_of(member);
    of_table.succeeded = true;
    of_table.charge.add(charge);
  }

  const Context& context_;
  StatementProgress& progress_;
  const kv::Deadline deadline_;
};

api::BatchExecuteStatementOutput output_of(const Context& context,
                                           const api::BatchExecuteStatementInput& input,
                                           StatementProgress progress) {
  api::BatchExecuteStatementOutput output;
  output.responses = std::move(progress.responses);
  for (const TableCharge& table : progress.charges) {
    if (!table.succeeded) {
      tell_gate(context, table.name, table.charge);
      continue;
    }
    add_consumed_capacity(output.consumed_capacity, context, input.return_consumed_capacity, table.name,
                          table.charge);
  }
  return output;
}

}  // namespace

Answer<api::BatchExecuteStatementOutput> batch_execute_statement(const Context& context,
                                                                 api::BatchExecuteStatementInput&& input) {
  DINETTE_TRY(const std::vector<BatchMember> members, check(context, input));
  if (context.explanation) context.explanation->be_list();
  StatementProgress progress;
  if (context.progress) progress = std::move(*std::static_pointer_cast<StatementProgress>(context.progress));
  Runner runner(context, progress);
  while (progress.responses.size() < members.size()) {
    auto run = runner.run(members[progress.responses.size()]);
    if (run) continue;
    if (run.error().must_wait) context.progress = std::make_shared<StatementProgress>(std::move(progress));
    return base::Failure{std::move(run).error()};
  }
  return output_of(context, input, std::move(progress));
}

}  // namespace dinette::dynamodb::ops
