#include <algorithm>

#include "dinette/dynamodb/service.h"

#include "dynamodb/wire/endpoint.h"
#include "dynamodb/wire/ordered_error.h"

namespace dinette::dynamodb {

std::optional<std::string> fault_problem(const store::FaultRule& rule) {
  const auto named = [&](const wire::Endpoint& one) { return one.operation->name == rule.operation; };
  if (!rule.operation.empty() && std::ranges::none_of(wire::endpoints(), named))
    return "Dinette serves no operation '" + rule.operation + "'.";
  const std::string& error = rule.effect.error;
  if (!error.empty() && !wire::ordered_error(error, "")) return "DynamoDB has no error '" + error + "'.";
  const bool partial = !rule.effect.unprocessed.empty() || rule.effect.unprocessed_share > 0;
  if (partial && rule.operation != "BatchGetItem" && rule.operation != "BatchWriteItem")
    return "Only the operations BatchGetItem and BatchWriteItem leave items unprocessed.";
  return std::nullopt;
}

}  // namespace dinette::dynamodb
