#include "cql/statements/execute.h"

#include <unordered_map>
#include <utility>

#include "cql/statements/data_plan.h"
#include "cql/statements/select_plan.h"
#include "cql/statements/truncate_plan.h"
#include "cql/statements/write_plan.h"

namespace dinette::cql::statements {
namespace {

using DataPlanPointer = std::shared_ptr<const DataPlan>;

Answer<DataPlanPointer> make_plan(const Place& place, std::string_view keyspace,
                                  grammar::Statement statement) {
  if (std::holds_alternative<grammar::Select>(statement.value)) {
    return SelectPlan::make(place, keyspace, std::move(statement));
  }
  if (std::holds_alternative<grammar::Batch>(statement.value)) {
    return BatchPlan::make(place, keyspace, std::move(statement));
  }
  if (std::holds_alternative<grammar::Truncate>(statement.value)) {
    return TruncatePlan::make(place, keyspace, std::move(statement));
  }
  return ModificationPlan::make(place, keyspace, std::move(statement));
}

const DataPlan& data_plan(const Plan& plan) {
  return static_cast<const DataPlan&>(plan);
}

/// Returns the plan, or a new one if a table has changed since.
Answer<DataPlanPointer> current(const Place& place, PlanPointer plan) {
  const DataPlan& one = data_plan(*plan);
  DINETTE_TRY(const bool fresh, one.is_current(place));
  if (fresh) return std::static_pointer_cast<const DataPlan>(std::move(plan));
  return make_plan(place, one.keyspace(), one.statement());
}

bool is_same_result(const std::optional<frames::Metadata>& one,
                    const std::optional<frames::Metadata>& other) {
  if (!one || !other) return one.has_value() == other.has_value();
  return one->columns->specs() == other->columns->specs();
}

/// Clients send values and read rows by the description that they were given
/// (docs/service-keyspaces/protocol.md section 6). `id`: of what they have prepared; empty: nothing.
Answer<void> check_description(const Plan& current, const Plan& known, std::string_view id) {
  const frames::PreparedStatement& one = current.description();
  const frames::PreparedStatement& other = known.description();
  const bool same = &one == &other || id.empty() ||
                    (one.binds == other.binds && one.key_binds == other.key_binds &&
                     is_same_result(one.result, other.result));
  if (same) return {};
  return base::Failure<Error>(Error{ErrorCode::unprepared, "", {std::string(id)}});
}

/// Returns an error that says that a client has to prepare its statement again: which shows it what is wrong
/// if the statement no longer fits its tables. `id`: as above.
Error to_prepare_again(Error error, std::string_view id) {
  const bool stays = id.empty() || error.must_wait || error.code != ErrorCode::invalid;
  return stays ? std::move(error) : Error{ErrorCode::unprepared, "", {std::string(id)}};
}

/// A plan that someone else owns.
PlanPointer borrowed(const Plan& plan) {
  return {PlanPointer(), &plan};
}

bool is_counter_type(frames::Batch::Type type) {
  return type == frames::Batch::Type::counter;
}

grammar::Batch::Type batch_type(frames::Batch::Type type) {
  if (is_counter_type(type)) return grammar::Batch::Type::counter;
  return type == frames::Batch::Type::logged ? grammar::Batch::Type::logged : grammar::Batch::Type::unlogged;
}

}  // namespace

bool is_data_statement(const grammar::Statement& statement) {
  return std::holds_alternative<grammar::Select>(statement.value) ||
         std::holds_alternative<grammar::Insert>(statement.value) ||
         std::holds_alternative<grammar::Update>(statement.value) ||
         std::holds_alternative<grammar::Delete>(statement.value) ||
         std::holds_alternative<grammar::Batch>(statement.value) ||
         std::holds_alternative<grammar::Truncate>(statement.value);
}

Answer<PlanPointer> prepare(const Place& place, std::string_view keyspace, grammar::Statement statement) {
  DINETTE_TRY(auto plan, make_plan(place, keyspace, std::move(statement)));
  return PlanPointer(std::move(plan));
}

Answer<std::vector<frames::Value>> arrange(const Plan& plan, const frames::Parameters& parameters) {
  if (parameters.names.empty()) return parameters.values;
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < parameters.names.size(); ++i) places.try_emplace(parameters.names[i], i);
  std::vector<frames::Value> values;
  // A marker without a name has that of its column.
  for (const frames::ColumnSpec& bind : plan.description().binds) {
    const auto found = places.find(bind.name);
    if (found == places.end()) return invalid("Invalid amount of bind variables");
    values.push_back(parameters.values[found->second]);
  }
  return values;
}

Answer<Outcome> execute(const Place& place, const Plan& plan, std::span<const frames::Value> values,
                        const Options& options) {
  PlanPointer known = borrowed(plan);
  for (;;) {
    auto found = current(place, std::move(known));
    if (!found) return base::Failure<Error>(to_prepare_again(std::move(found).error(), options.prepared));
    DataPlanPointer one = *std::move(found);
    DINETTE_CHECK(check_description(*one, plan, options.prepared));
    if (values.size() != one->statement().markers.size()) return invalid("Invalid amount of bind variables");
    DINETTE_CHECK(one->check_levels(place, options));
    DINETTE_TRY(auto outcome, one->run(place, values, options));
    if (outcome) return *std::move(outcome);
    known = std::move(one);
  }
}

Answer<Outcome> execute_batch(const Place& place, frames::Batch::Type type,
                              std::span<const BatchMember> members, const Options& options) {
  std::vector<PlanPointer> known;
  for (const BatchMember& member : members) known.push_back(member.plan);
  for (;;) {
    std::vector<DataPlanPointer> plans;
    std::vector<BatchPart> parts;
    for (std::size_t i = 0; i < members.size(); ++i) {
      auto found = current(place, std::move(known[i]));
      if (!found)
        return base::Failure<Error>(to_prepare_again(std::move(found).error(), members[i].prepared));
      DataPlanPointer plan = *std::move(found);
      DINETTE_CHECK(check_description(*plan, *members[i].plan, members[i].prepared));
      const auto* const modification = dynamic_cast<const ModificationPlan*>(plan.get());
      if (modification == nullptr) {
        return invalid("Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.");
      }
      const std::size_t markers = plan->statement().markers.size();
      if (markers != members[i].values.size()) {
        return invalid("There were " + std::to_string(markers) + " markers(?) in CQL but " +
                       std::to_string(members[i].values.size()) + " bound variables");
      }
      DINETTE_CHECK(plan->check_levels(place, options));
      parts.push_back({&modification->modification(), members[i].values});
      known[i] = plan;
      plans.push_back(std::move(plan));
    }
    DINETTE_TRY(auto outcome, run_batch(place, batch_type(type), parts, {}, options));
    if (outcome) return *std::move(outcome);
  }
}

}  // namespace dinette::cql::statements
