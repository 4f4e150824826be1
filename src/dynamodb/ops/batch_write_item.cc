#include "dynamodb/api/batch_write_item.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/item_collection_metrics.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/put_request.h"
#include "dynamodb/api/unprocessed_delete.h"
#include "dynamodb/api/unprocessed_put.h"
#include "dynamodb/api/unprocessed_write.h"
#include "dynamodb/api/write_request.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/request/gate.h"
#include "dynamodb/request/item_claims.h"
#include "dynamodb/request/request_checks.h"
#include "dynamodb/request/table_charges.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/writes/actions/delete_action.h"
#include "dynamodb/writes/actions/put_action.h"
#include "dynamodb/writes/item_collection_metrics.h"
#include "dynamodb/writes/write_charge.h"
#include "dynamodb/writes/write_item.h"
#include "dynamodb/writes/write_together.h"

// docs/service/batch.md section 2. Everything is checked before anything is written; then each write is an
// atomic one of its own, or all are one.
namespace dinette::dynamodb::ops {
namespace {

using Requests = std::vector<api::WriteRequest>;

/// What the request asks of one table.
struct TableWrite {
  const std::string& name;  ///< as the client wrote it
  const Requests& requests;
  OpenTable table = {};
  std::vector<std::unique_ptr<ItemAction>> actions = {};  ///< one per request
};

const std::optional<codec::ValueProblem>& problem_of_write(const api::WriteRequest& request) {
  return request.put_request ? request.put_request->item.problem : request.delete_request->key.problem;
}

Answer<void> check_requests(const api::BatchWriteItemInput& input) {
  if (input.request_items.empty())
    return validation("The requestItems parameter is required for BatchWriteItem");
  std::size_t count = 0;
  for (const auto& [name, requests] : input.request_items) {
    count += requests.size();
    for (const api::WriteRequest& request : requests) {
      if (request.put_request && request.delete_request) {
        return validation(
            "Supplied WriteRequest has more than one request set, must contain exactly one of PutRequest or "
            "DeleteRequest");
      }
      if (!request.put_request && !request.delete_request) {
        return validation(
            "Supplied WriteRequest is empty, must contain exactly one of PutRequest or DeleteRequest");
      }
    }
  }
  if (count > model::limits::batch_writes)
    return validation("Too many items requested for the BatchWriteItem call");
  return {};
}

Answer<void> check_values(const Context& context, const Requests& requests) {
  for (const api::WriteRequest& request : requests)
    DINETTE_CHECK(check_problem(context.envelope, problem_of_write(request)));
  return {};
}

/// Refuses a wrong key, which is checked before anything else.
Answer<std::unique_ptr<PutAction>> put_of(const TableSchema& schema, const api::PutRequest& request) {
  const kv::Value& record = request.item.record;
  DINETTE_STORED(model::Item known,
                 codec::read_attributes(record.view(), schema.key_and_indexed_attributes()));
  DINETTE_CHECK(check_key_within(schema, known));
  return std::make_unique<PutAction>(schema, record, std::move(known), ActionCondition());
}

Answer<std::unique_ptr<ItemAction>> action_of(const TableSchema& schema, const api::WriteRequest& request) {
  if (request.put_request) {
    DINETTE_TRY(std::unique_ptr<ItemAction> put, put_of(schema, *request.put_request));
    return put;
  }
  const model::Item& key = request.delete_request->key.attributes;
  DINETTE_CHECK(check_key(schema, key));
  return std::unique_ptr<ItemAction>(std::make_unique<DeleteAction>(schema, key, ActionCondition()));
}

/// Compares keys by value, and tables by identity, whether named by name or by ARN.
Answer<void> check_duplicates(const std::vector<TableWrite>& tables) {
  std::set<std::pair<store::TableId, std::string_view>> seen;
  for (const TableWrite& table : tables) {
    for (const auto& action : table.actions) {
      if (!seen.emplace(table.table.table->id, action->key()).second)
        return validation("Provided list of item keys contains duplicates");
    }
  }
  return {};
}

/// Performs each step for all tables before the next step.
Answer<std::vector<TableWrite>> check(const Context& context, const api::BatchWriteItemInput& input) {
  DINETTE_CHECK(check_requests(input));
  std::vector<TableWrite> tables;
  for (const auto& [name, requests] : input.request_items) tables.push_back({name, requests});
  for (const TableWrite& table : tables) DINETTE_CHECK(check_values(context, table.requests));
  for (TableWrite& table : tables) {
    DINETTE_TRY(table.table, open_to_write(context, table.name));
  }
  for (TableWrite& table : tables) {
    for (const api::WriteRequest& request : table.requests) {
      DINETTE_TRY(auto action, action_of(table.table.schema(), request));
      table.actions.push_back(std::move(action));
    }
  }
  DINETTE_CHECK(check_duplicates(tables));
  for (const TableWrite& table : tables) {
    for (const auto& action : table.actions) DINETTE_CHECK(action->check(table.table.schema()));
  }
  return tables;
}

api::UnprocessedWrite unprocessed(const api::WriteRequest& request) {
  if (!request.put_request)
    return {std::nullopt, api::UnprocessedDelete{codec::to_text(request.delete_request->key.attributes)}};
  const std::string_view record = request.put_request->item.record.view();
  return {api::UnprocessedPut{codec::copy_of(codec::record_text(record))}, std::nullopt};
}

/// What the writes to one table came to.
struct TableOutcome {
  bool wrote = false;
  bool conflicted = false;               ///< with a transaction
  std::optional<ApiError> refusal = {};  ///< why the first unprocessed write was not done
  Charge charge = {};
  std::vector<api::ItemCollectionMetrics> metrics = {};  ///< one a collection
  std::vector<api::UnprocessedWrite> unprocessed = {};
};

/// How far a batch has come. What is done is not repeated when the rest of it has to wait on another thread.
struct WriteProgress {
  std::vector<TableOutcome> outcomes = {};  ///< one per table
  std::size_t writes = 0;                   ///< done, in the order of the request
  model::Work work = {};
};

/// Writes to one table.
class Writer {
 public:
  /// `deadline` and `work` are those of the batch: what would have to wait longer, or comes when as much was
  /// done as a request may ask for, is not processed.
  Writer(const Context& context, const api::BatchWriteItemInput& input, const std::string& name,
         kv::Deadline deadline, model::Work& work, TableOutcome& outcome)
      : context_(context), input_(input), name_(name), deadline_(deadline), work_(work), outcome_(outcome) {}

  /// If the table was altered meanwhile, it is opened again and the write retried.
  Answer<void> write(OpenTable table, const api::WriteRequest& request, std::unique_ptr<ItemAction> action) {
    for (;;) {
      if (work_.units() >= model::limits::request_work) return leave(request);
      auto written = write_item(context_, table, *action, deadline_);
      if (!written && is_conflict(written.error())) outcome_.conflicted = true;
      if (!written && (is_conflict(written.error()) || is_throttled(written.error()))) {
        if (!outcome_.refusal) outcome_.refusal = std::move(written).error();
        return leave(request);
      }
      DINETTE_TRY(const std::optional<WrittenItem> done, std::move(written));
      if (done) return account(table, *action, *done);
      DINETTE_TRY(table, open_to_write(context_, name_));
      DINETTE_TRY(action, action_of(table.schema(), request));
      DINETTE_CHECK(action->check(table.schema()));
    }
  }

  /// Adds what a write came to.
  Answer<void> account(const OpenTable& table, const ItemAction& action, const WrittenItem& written) {
    outcome_.wrote = true;
    outcome_.charge.add(charge_of(written.plan));
    work_.add(work_of(written));
    DINETTE_TRY(auto metrics, item_collection_metrics(context_, input_.return_item_collection_metrics, table,
                                                      action.key_attributes()));
    if (metrics) add_metrics(outcome_.metrics, *std::move(metrics));
    return {};
  }

  /// Leaves it unprocessed.
  Answer<void> leave(const api::WriteRequest& request) {
    outcome_.unprocessed.push_back(unprocessed(request));
    return {};
  }

 private:
  const Context& context_;
  const api::BatchWriteItemInput& input_;
  const std::string& name_;
  const kv::Deadline deadline_;
  model::Work& work_;
  TableOutcome& outcome_;
};

/// Carries out the writes of a batch.
class BatchWrite {
 public:
  BatchWrite(const Context& context, const api::BatchWriteItemInput& input, std::vector<TableWrite>& tables,
             WriteProgress& progress)
      : context_(context), input_(input), tables_(tables), progress_(progress) {
    progress_.outcomes.resize(tables.size());
  }

  Answer<void> run() {
    // In memory one commit per item costs no more than one for all, and no request waits for more than one
    // item. A gate may refuse some of them.
    const bool gains = context_.store.may_block() && !context_.claims && !context_.gate;
    if (gains && progress_.writes == 0) DINETTE_CHECK(write_at_once());
    return write_the_rest();
  }

 private:
  Writer writer(std::size_t table) {
    return Writer(context_, input_, tables_[table].name, deadline_, progress_.work,
                  progress_.outcomes[table]);
  }

  /// Writes all by one commit, or nothing.
  Answer<void> write_at_once() {
    std::vector<ActionOnTable> actions;
    for (const TableWrite& table : tables_) {
      for (const auto& action : table.actions) actions.push_back({table.table, *action});
    }
    DINETTE_TRY(const std::vector<WrittenItem> written, write_together(context_, actions, deadline_));
    if (written.empty()) return {};
    progress_.writes = written.size();
    auto item = written.begin();
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      for (const auto& action : tables_[t].actions)
        DINETTE_CHECK(writer(t).account(tables_[t].table, *action, *item++));
    }
    return {};
  }

  Answer<void> write_the_rest() {
    std::size_t position = 0;
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      TableWrite& table = tables_[t];
      for (std::size_t i = 0; i < table.requests.size(); ++i) {
        if (position++ < progress_.writes) continue;
        Writer one = writer(t);
        DINETTE_CHECK(admits_item(context_, progress_.writes)
                          ? one.write(table.table, table.requests[i], std::move(table.actions[i]))
                          : one.leave(table.requests[i]));
        ++progress_.writes;
      }
    }
    return {};
  }

  const Context& context_;
  const api::BatchWriteItemInput& input_;
  std::vector<TableWrite>& tables_;
  WriteProgress& progress_;
  const kv::Deadline deadline_ = context_.store.deadline();
};

void add(const std::string& table, TableOutcome outcome, api::BatchWriteItemOutput& output) {
  if (!outcome.metrics.empty())
    output.item_collection_metrics->emplace_back(table, std::move(outcome.metrics));
  if (!outcome.unprocessed.empty())
    output.unprocessed_items->emplace_back(table, std::move(outcome.unprocessed));
}

}  // namespace

Answer<api::BatchWriteItemOutput> batch_write_item(const Context& context, api::BatchWriteItemInput&& input) {
  DINETTE_TRY(std::vector<TableWrite> tables, check(context, input));
  WriteProgress progress;
  if (context.progress) progress = std::move(*std::static_pointer_cast<WriteProgress>(context.progress));
  if (auto written = BatchWrite(context, input, tables, progress).run(); !written) {
    if (written.error().must_wait) context.progress = std::make_shared<WriteProgress>(std::move(progress));
    return base::Failure{std::move(written).error()};
  }
  api::BatchWriteItemOutput output;
  output.unprocessed_items.emplace();
  // There, but empty, if no table has item collections (docs/service/capacity.md section 6).
  if (input.return_item_collection_metrics == api::ReturnItemCollectionMetrics::size)
    output.item_collection_metrics.emplace();
  TableCharges charges;
  bool conflicted = false;
  std::optional<ApiError> refusal;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    if (std::optional<ApiError>& first = progress.outcomes[t].refusal; first && !refusal)
      refusal = std::move(first);
    conflicted |= progress.outcomes[t].conflicted;
    if (progress.outcomes[t].wrote) charges.add(tables[t].name, progress.outcomes[t].charge);
    add(tables[t].name, std::move(progress.outcomes[t]), output);
  }
  output.consumed_capacity = charges.consumed_capacity(context, input.return_consumed_capacity);
  if (!charges.empty() || conflicted) return output;
  if (refusal && !refusal->throttling.empty()) return base::Failure{*std::move(refusal)};
  return no_item_admitted(tables.front().table.schema().arn(), Axis::write);
}

}  // namespace dinette::dynamodb::ops
