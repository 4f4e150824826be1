#include "dynamodb/api/execute_transaction.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dynamodb/api/item_response.h"
#include "dynamodb/api/parameterized_statement.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/partiql/explain.h"
#include "dynamodb/partiql/item_read.h"
#include "dynamodb/partiql/select.h"
#include "dynamodb/partiql/statement_access.h"
#include "dynamodb/partiql/statement_key.h"
#include "dynamodb/partiql/write.h"
#include "dynamodb/reads/read_throughput.h"
#include "dynamodb/reads/read_view.h"
#include "dynamodb/request/cancellation.h"
#include "dynamodb/request/hand_to_worker.h"
#include "dynamodb/request/item_claims.h"
#include "dynamodb/request/request_digest.h"
#include "dynamodb/request/table_charges.h"
#include "dynamodb/writes/transactions/transaction.h"
#include "dynamodb/writes/transactions/transaction_output.h"

// Order of the steps: docs/service/partiql.md section 8.
namespace dinette::dynamodb::ops {
namespace {

using partiql::Verb;

/// A statement of the request, on one version of its table.
struct Member {
  const api::ParameterizedStatement& request;
  partiql::Bound bound;
  OpenTable table = {};
  std::optional<ApiError> reason = {};  ///< for which the transaction is cancelled
  std::string key = {};                 ///< the store's, of the item that it is about
  std::unique_ptr<partiql::Write> write = {};
};

Answer<void> check_parameters(const api::ExecuteTransactionInput& input) {
  for (const api::ParameterizedStatement& statement : input.transact_statements)
    DINETTE_CHECK(partiql::check_parameters(statement.parameters));
  return {};
}

ApiError mismatch() {
  return {api::ErrorCode::validation_exception, std::string(key_schema_mismatch)};
}

/// Refusals of the whole request; what cancels it is noted in the member.
Answer<void> look_at_read(Member& member, const partiql::ReadSource& source) {
  const TableSchema& schema = member.table.schema();
  partiql::StatementKey key = partiql::key_of(member.bound, schema, partiql::Equality::or_in);
  if (!key.alone || !key.whole(schema)) {
    // Reads that overlap, or are too many, are refused as such.
    DINETTE_CHECK(partiql::key_to_read(member.bound, source));
    return validation(
        "Select statements within ExecuteTransaction must specify the primary key in the where clause.");
  }
  if (!check_key_fits(schema, key.values)) {
    member.reason = mismatch();
    return {};
  }
  DINETTE_CHECK(partiql::key_to_read(member.bound, source));
  member.key = encode_key(schema, key.values);
  return {};
}

Answer<void> look_at_write(Member& member) {
  const Verb verb = member.bound.statement().verb;
  const TableSchema& schema = member.table.schema();
  const partiql::StatementKey key = partiql::key_of(member.bound, schema, partiql::Equality::strict);
  if (verb == Verb::exists && (key.alone || !key.whole(schema)))
    return validation("EXISTS() must contain a single item read with additional condition");
  const bool names_item = key.whole(schema) && (verb == Verb::exists || !key.repeated);
  if (verb != Verb::insert && !(names_item && check_key_fits(schema, key.values))) {
    member.reason = mismatch();
    return {};
  }
  auto write = partiql::Write::make(member.bound, member.table,
                                    member.request.return_values_on_condition_check_failure);
  if (write) {
    member.write = std::move(write).value();
    member.key = member.write->action().key();
  } else if (write.error().of_request) {
    return base::Failure{std::move(write).error()};
  } else {
    member.reason = std::move(write).error();
  }
  return {};
}

Answer<void> look_at(const Context& context, Member& member) {
  const partiql::Statement& statement = member.bound.statement();
  if (!statement.column_refusal.empty()) return validation(statement.column_refusal);
  auto table =
      statement.reads() ? open_for_data(context, statement.table) : open_to_write(context, statement.table);
  if (!table && table.error().code == api::ErrorCode::resource_not_found_exception) {
    member.reason = std::move(table).error();
    return {};
  }
  DINETTE_TRY(member.table, std::move(table));
  if (statement.returning) return validation("RETURNING clause is not supported in ExecuteTransaction.");
  if (statement.index) return validation("Reads on indices are not supported within transactions.");
  if (!statement.reads()) return look_at_write(member);
  DINETTE_TRY(const partiql::ReadSource source, partiql::open_source(context, statement, true));
  return look_at_read(member, source);
}

/// The refusal of one statement says which.
ApiError of_statement(std::size_t index, ApiError error) {
  if (error.code == api::ErrorCode::validation_exception)
    error.message =
        "Validation failed in TransactStatements[" + std::to_string(index) + "]: " + error.message;
  return error;
}

Answer<std::vector<Member>> open(const Context& context, const api::ExecuteTransactionInput& input) {
  std::vector<Member> members;
  members.reserve(input.transact_statements.size());  // writes refer to their members
  for (const api::ParameterizedStatement& statement : input.transact_statements) {
    const std::size_t index = members.size();
    auto bound = partiql::bind(context, statement.statement, statement.parameters);
    if (!bound) return base::Failure{of_statement(index, std::move(bound).error())};
    Member& member = members.emplace_back(Member{statement, *std::move(bound)});
    if (auto fits = look_at(context, member); !fits)
      return base::Failure{of_statement(index, std::move(fits).error())};
    auto may = partiql::check_access(context, member.bound, "ExecuteTransaction");
    if (!may && !member.reason) member.reason = std::move(may).error();
  }
  return members;
}

Answer<void> check_one_kind(const std::vector<Member>& members) {
  const auto reads = [](const Member& member) { return member.bound.statement().reads(); };
  if (!std::ranges::any_of(members, reads) || std::ranges::all_of(members, reads)) return {};
  return validation(
      "ExecuteTransaction API does not support both read and write operations in the same request.");
}

/// Collects a reason for every statement with a fault, unlike TransactWriteItems.
Answer<void> check_reasons(std::vector<Member>& members) {
  const auto fault = [](const Member& member) { return member.reason.has_value(); };
  if (std::ranges::none_of(members, fault)) return {};
  std::vector<std::optional<ApiError>> reasons;
  for (Member& member : members) reasons.push_back(std::move(member.reason));
  return cancelled(std::move(reasons));
}

Answer<void> check_each_item_once(const std::vector<Member>& members) {
  std::set<std::pair<store::TableId, std::string_view>> seen;
  for (const Member& member : members) {
    if (!seen.emplace(member.table.table->id, member.key).second)
      return validation("Transaction request cannot include multiple operations on one item");
  }
  return {};
}

/// Returns a digest by which a token compares requests: ignores white space at the end of statements.
base::Sha256Digest digest_of(const api::ExecuteTransactionInput& input) {
  RequestDigest digest("ExecuteTransaction");
  for (const api::ParameterizedStatement& statement : input.transact_statements) {
    std::string_view text = statement.statement;
    const std::size_t end = text.find_last_not_of(" \t\v\f\r\n");
    digest.add(text.substr(0, end == std::string_view::npos ? 0 : end + 1));
    std::string values;
    if (statement.parameters) {
      for (const auto& parameter : *statement.parameters) codec::append_value(values, parameter.value);
    }
    digest.add(values);
    digest.add_enum(statement.return_values_on_condition_check_failure);
  }
  digest.add_enum(input.return_consumed_capacity);
  return digest.finish();
}

/// Cancels a transaction of reads if ongoing requests write its items, where conflicts are refused.
Answer<void> check_conflicts(const Context& context, const std::vector<Member>& members) {
  if (!context.claims) return {};
  std::vector<ClaimedItem> items;
  for (const Member& member : members) items.push_back({member.table.table->id, member.key});
  return context.claims->read(items);
}

/// Asks the gate about all tables, then about all partitions.
Answer<void> admit_reads(const Context& context, const std::vector<Member>& members) {
  for (const Member& member : members)
    DINETTE_CHECK(admit_read_of_table(context, {.table = *member.table.table}, true));
  for (const Member& member : members)
    DINETTE_CHECK(admit_read_of_partition(context, {.table = *member.table.table, .key = member.key}, true));
  return {};
}

/// An item that was read, and the part of it that is returned.
struct MemberRead {
  bool found = false;
  double units = 0;
  api::ItemResponse response = {};
};

Answer<MemberRead> read_member(const store::View& view, const Member& member, model::Work& work) {
  DINETTE_TRY(const std::optional<kv::Value> row, read_item(view, *member.table.table, member.key));
  MemberRead read{.found = row.has_value(),
                  .units = 2 * read_units(row ? codec::record_size(row->view()) : 0, true)};
  if (!row) return read;
  codec::ItemText item;
  DINETTE_STORED([[maybe_unused]] const std::size_t selected,
                 partiql::selection_of(member.bound).append_selected(*item.json, row->view(), work));
  if (*item.json != "{}") read.response.item = std::move(item);
  return read;
}

/// Reads all items in one snapshot.
Answer<api::ExecuteTransactionOutput> read(const Context& context, const api::ExecuteTransactionInput& input,
                                           const std::vector<Member>& members) {
  for (const Member& member : members) DINETTE_CHECK(check_may_transact(member.table));
  DINETTE_CHECK(check_conflicts(context, members));
  DINETTE_CHECK(admit_reads(context, members));
  DINETTE_STORED(const store::View view, context.store.view());
  std::vector<MemberRead> reads;
  model::Work work;
  for (const Member& member : members) {
    DINETTE_TRY(MemberRead read, read_member(view, member, work));
    reads.push_back(std::move(read));
    DINETTE_CHECK(check_loop_work(work.units()));
  }
  api::ExecuteTransactionOutput output;
  output.responses.emplace();
  TableCharges charges;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Member& member = members[i];
    MemberRead& read = reads[i];
    charges.add(member.bound.statement().table, {.table = read.units});
    take_read(context, {.table = *member.table.table, .key = member.key}, read.units);
    if (context.explanation)
      partiql::explain_item(*context.explanation, member.bound, member.table.schema(), read.found,
                            read.units);
    output.responses->push_back(std::move(read.response));
  }
  output.consumed_capacity =
      charges.consumed_capacity(context, input.return_consumed_capacity, CapacityAxis::read);
  return output;
}

/// Explains a transaction; a replay has read no items.
void explain(Explanation& explanation, const std::vector<Member>& members,
             const std::vector<TransactionAction>& actions, const WrittenTransaction& written) {
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const bool found = !written.replayed() && written.items[i].old.exists();
    partiql::explain_write(explanation, members[i].bound, actions[i].table.schema(), *actions[i].action,
                           found, false, charge_of_action(written, i).units());
  }
}

/// Returns nothing if a table was altered since it was opened.
Answer<std::optional<api::ExecuteTransactionOutput>> write(const Context& context,
                                                           const api::ExecuteTransactionInput& input,
                                                           std::vector<Member>& members,
                                                           const TransactionToken* token) {
  std::vector<TransactionAction> actions;
  for (Member& member : members)
    actions.push_back({member.bound.statement().table, member.table, member.write->take_action()});
  DINETTE_TRY(const auto end, write_transaction(context, actions, token));
  if (!end) return std::optional<api::ExecuteTransactionOutput>();
  if (context.explanation) explain(*context.explanation, members, actions, *end);
  api::ExecuteTransactionOutput output;
  output.responses.emplace();
  output.consumed_capacity = transaction_capacity(context, input.return_consumed_capacity, actions, *end);
  return std::optional(std::move(output));
}

}  // namespace

Answer<api::ExecuteTransactionOutput> execute_transaction(const Context& context,
                                                          api::ExecuteTransactionInput&& input) {
  DINETTE_CHECK(check_parameters(input));
  std::optional<TransactionToken> token;
  if (input.client_request_token) token.emplace(context, *input.client_request_token, digest_of(input));
  if (context.explanation) context.explanation->be_list();
  for (;;) {
    DINETTE_TRY(std::vector<Member> members, open(context, input));
    DINETTE_CHECK(check_one_kind(members));
    DINETTE_CHECK(check_reasons(members));
    DINETTE_CHECK(check_each_item_once(members));
    if (members.front().bound.statement().reads()) return read(context, input, members);
    DINETTE_TRY(std::optional<api::ExecuteTransactionOutput> output,
                write(context, input, members, token ? &*token : nullptr));
    if (output) return *std::move(output);
  }
}

}  // namespace dinette::dynamodb::ops
