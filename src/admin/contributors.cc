#include "admin/contributors.h"

namespace dinette::admin {
namespace {

Json describe(const observe::ContributorRule& rule) {
  Json json = {{"rule", rule.rule}, {"table", rule.table}, {"keys", Json::array()}};
  if (!rule.index.empty()) json["index"] = rule.index;
  for (const auto& key : rule.keys) {
    json["keys"].push_back({{"key", key.name}, {"count", key.count}, {"atMostOver", key.at_most_over}});
  }
  return json;
}

}  // namespace

Answer list_contributors(State& state, const Call& call) {
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  DINETTE_ADMIN_STORED(const auto rules, state.options.contributors(*chosen.world));
  Json all = Json::array();
  for (const observe::ContributorRule& rule : rules) all.push_back(describe(rule));
  return Reply{{{"world", chosen.name}, {"rules", std::move(all)}}};
}

}  // namespace dinette::admin
