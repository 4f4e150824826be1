#include <algorithm>
#include <utility>

#include "dinette/dynamodb/service.h"

#include "dynamodb/wire/endpoint.h"
#include "dynamodb/wire/fault_targets.h"
#include "dynamodb/wire/injected_error.h"

namespace dinette::dynamodb {
std::optional<std::string> prepare_fault(tenancy::FaultRule& rule) {
  const auto named = [&](const wire::Endpoint& one) { return one.operation->name == rule.operation; };
  const auto endpoints = wire::endpoints();
  const auto endpoint = std::ranges::find_if(endpoints, named);
  if (!rule.operation.empty() && endpoint == endpoints.end())
    return "Dinette serves no operation '" + rule.operation + "'.";
  const std::string& error = rule.effect.error;
  if (!error.empty() && !wire::injected_error(error, "")) return "DynamoDB has no error '" + error + "'.";
  const bool partial = !rule.effect.unprocessed.empty() || rule.effect.unprocessed_share > 0;
  const bool batch = endpoint != endpoints.end() && endpoint->kind.grouping == aws::Grouping::batch;
  if (partial && !batch)
    return "Only the operations BatchGetItem, BatchWriteItem and BatchExecuteStatement leave items "
           "unprocessed.";
  for (tenancy::FaultAttribute& one : rule.key) {
    auto attribute = wire::fault_attribute(one.name, one.type, one.value);
    if (!attribute)
      return "The attribute '" + one.name + "' of the key must be a string, a number or binary.";
    one = *std::move(attribute);
  }
  return std::nullopt;
}

}  // namespace dinette::dynamodb
