#include "dynamodb/wire/fault_gate.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "dynamodb/model/resource_arn.h"
#include "dynamodb/request/context.h"
#include "dynamodb/wire/fault_targets.h"
#include "dynamodb/wire/injected_error.h"

namespace dinette::dynamodb::wire {

using Phase = tenancy::FaultEffect::Phase;

namespace {

/// Returns the table that throttling of an operation on items names.
std::optional<ThrottledTable> throttled_table(const Context& context, const aws::OperationKind& kind,
                                              std::string_view name) {
  if (kind.plane != aws::Plane::data) return std::nullopt;
  return ThrottledTable{model::table_arn(context.region, context.account, name),
                        kind.effect == aws::Effect::write ? Axis::write : Axis::read};
}

}  // namespace

void FaultGate::resume(tenancy::FaultHit hit) {
  hit_ = std::move(hit);
  resumed_ = true;
}

Answer<void> FaultGate::admit(const Context& context, std::string_view operation) {
  if (!resumed_) {
    const std::vector<tenancy::FaultTarget> targets = fault_targets(context, endpoint_, request_);
    hit_ = faults_.next({operation, targets});
  }
  if (!hit_) return GateLink::admit(context, operation);
  random_.seed(hit_->seed);
  const std::vector<std::string_view> tables = named_tables(endpoint_.naming_members, request_);
  if (!tables.empty()) table_ = throttled_table(context, endpoint_.kind, tables.front());
  if (hit_->effect.phase == Phase::before) {
    DINETTE_CHECK(end());
    if (delayed()) return base::Failure{ApiError{.code = {}, .message = {}, .must_wait = true}};
  }
  return GateLink::admit(context, operation);
}

bool FaultGate::admit_item(const Context& context, std::size_t position) {
  if (hit_) {
    const tenancy::FaultEffect& effect = hit_->effect;
    const bool left = std::ranges::find(effect.unprocessed, position + 1) != effect.unprocessed.end();
    const bool drawn = effect.unprocessed_share > 0 && tenancy::draw(random_) < effect.unprocessed_share;
    if (left || drawn) return false;
  }
  return GateLink::admit_item(context, position);
}

Answer<void> FaultGate::replace(Answer<void> answer) {
  if (hit_ && hit_->effect.phase == Phase::after) DINETTE_CHECK(end());
  return answer;
}

const tenancy::FaultHit* FaultGate::delayed() const {
  return hit_ && hit_->delay > hit_->delay.zero() && !resumed_ ? &*hit_ : nullptr;
}

/// Returns the error that the client gets, if any. A dropped connection counts as one, so that nothing
/// follows.
Answer<void> FaultGate::end() const {
  const tenancy::FaultEffect& effect = hit_->effect;
  if (auto error = injected_error(effect.error, effect.message, table_))
    return base::Failure{*std::move(error)};
  if (effect.drop) return base::Failure{ApiError{api::ErrorCode::internal_server_error, ""}};
  return {};
}

}  // namespace dinette::dynamodb::wire
