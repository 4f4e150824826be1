#include "dynamodb/wire/endpoint.h"

#include <algorithm>

namespace dinette::dynamodb::wire {

const Endpoint* find_endpoint(std::string_view target) {
  const auto target_of = [](const Endpoint& endpoint) { return endpoint.operation->target; };
  const auto found = std::ranges::lower_bound(endpoints(), target, {}, target_of);
  return found != endpoints().end() && target_of(*found) == target ? &*found : nullptr;
}

std::optional<std::size_t> find_planned(std::string_view target) {
  const auto found = std::ranges::lower_bound(planned_targets(), target);
  if (found == planned_targets().end() || *found != target) return std::nullopt;
  return static_cast<std::size_t>(found - planned_targets().begin());
}

}  // namespace dinette::dynamodb::wire
