#include "admin/faults.h"

#include <utility>

#include "admin/fault_rules.h"

namespace dinette::admin {
namespace {

Reply reply_of(const NamedWorld& chosen) {
  Json faults = Json::array();
  for (const tenancy::FaultRecord& one : chosen.world->faults().list())
    faults.push_back({{"rule", admin::describe(one.rule)}, {"matched", one.matched}, {"fired", one.fired}});
  return {{{"world", chosen.name}, {"faults", std::move(faults)}}};
}

}  // namespace

Answer list_faults(State& state, const Call& call) {
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  return reply_of(chosen);
}

Answer put_faults(State& state, const Call& call) {
  DINETTE_CHECK(call.body.allow_only({"world", "rules"}));
  DINETTE_TRY(auto rules, read_rules(call.body, state.options.prepare_fault));
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  if (const auto replaced = chosen.world->replace_faults(std::move(rules)); !replaced)
    return storage_failure(replaced.error());
  return reply_of(chosen);
}

Answer delete_faults(State& state, const Call& call) {
  DINETTE_CHECK(call.body.allow_only({"world"}));
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  if (const auto replaced = chosen.world->replace_faults({}); !replaced)
    return storage_failure(replaced.error());
  return reply_of(chosen);
}

}  // namespace dinette::admin
