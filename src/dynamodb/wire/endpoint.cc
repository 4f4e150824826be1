#include "dynamodb/wire/endpoint.h"

#include <algorithm>

namespace dinette::dynamodb::wire {

const Endpoint* find_endpoint(std::string_view target) {
  const auto target_of = [](const Endpoint& endpoint) { return endpoint.operation->target; };
  const auto found = std::ranges::lower_bound(endpoints(), target, {}, target_of);
  return found != endpoints().end() && target_of(*found) == target ? &*found : nullptr;
}

bool is_planned(std::string_view target) {
  return std::ranges::binary_search(planned_targets(), target);
}

}  // namespace dinette::dynamodb::wire
