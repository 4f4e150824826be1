#include "admin/regions.h"

#include <chrono>
#include <string>
#include <utility>

#include "dinette/base/iso_time.h"
#include "dinette/tenancy/region_links.h"

namespace dinette::admin {
namespace {

using std::chrono::microseconds;

constexpr std::size_t most_regions_named = 1000;
/// Clocks that are further apart help no test, and would leave the years that there are.
constexpr microseconds most_skew = std::chrono::days(3650);

double seconds_of(microseconds time) {
  return std::chrono::duration<double>(time).count();
}

Json describe_link(const ReplicaLink& link) {
  Json json = {{"table", link.table},     {"from", link.from},        {"to", link.to},
               {"status", link.status},   {"cut", link.cut},          {"pending", link.pending},
               {"applied", link.applied}, {"outdated", link.outdated}};
  if (link.behind) json["secondsBehind"] = seconds_of(*link.behind);
  return json;
}

Answer describe(State& state, const NamedWorld& chosen) {
  const tenancy::RegionSetting setting = chosen.world->links().setting();
  Json cut = Json::array();
  for (const tenancy::RegionLink& link : setting.cut) cut.push_back({{"from", link.from}, {"to", link.to}});
  Json skews = Json::object();
  for (const auto& [region, skew] : setting.skews) skews[region] = seconds_of(skew);
  DINETTE_ADMIN_STORED(const auto links, state.options.replica_links(*chosen.world));
  Json replication = Json::array();
  for (const ReplicaLink& link : links) replication.push_back(describe_link(link));
  return Reply{{{"world", chosen.name},
                {"cut", std::move(cut)},
                {"skews", std::move(skews)},
                {"replication", std::move(replication)}}};
}

Result<void> read_cut(const Body& body, tenancy::RegionSetting& setting) {
  const Json& list = body.any("cut");
  if (list.is_null()) return {};
  if (!list.is_array() || list.size() > most_regions_named)
    return bad_request("The member 'cut' must be an array of at most 1000 links.");
  for (const Json& one : list) {
    if (!one.is_object()) return bad_request("A link must be an object.");
    const Body link = Body::of(one);
    DINETTE_CHECK(link.allow_only({"from", "to"}));
    tenancy::RegionLink cut;
    DINETTE_TRY(cut.from, link.name("from"));
    DINETTE_TRY(cut.to, link.name("to"));
    if (cut.from.empty() || cut.to.empty()) return bad_request("A link must have a 'from' and a 'to'.");
    if (cut.from == cut.to) return bad_request("A link must lead from one region to another.");
    setting.cut.insert(std::move(cut));
  }
  return {};
}

Result<void> read_skews(const Body& body, tenancy::RegionSetting& setting) {
  const Json& skews = body.any("skews");
  if (skews.is_null()) return {};
  if (!skews.is_object() || skews.size() > most_regions_named)
    return bad_request("The member 'skews' must be an object with at most 1000 regions.");
  for (const auto& [region, value] : skews.items()) {
    if (region.empty()) return bad_request("The member 'skews' must name its regions.");
    std::optional<microseconds> skew;
    if (value.is_number()) skew = base::duration_of(value.get<double>());
    if (value.is_string()) skew = base::parse_duration(value.get_ref<const std::string&>());
    if (!skew || *skew > most_skew || *skew < -most_skew) {
      return bad_request(
          "The skew of '" + region +
          "' must be a number of seconds, or a duration such as \"PT5S\", of at most ten years.");
    }
    if (skew->count() != 0) setting.skews[region] = *skew;
  }
  return {};
}

}  // namespace

Answer get_regions(State& state, const Call& call) {
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  return describe(state, chosen);
}

Answer put_regions(State& state, const Call& call) {
  DINETTE_CHECK(call.body.allow_only({"world", "cut", "skews"}));
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  tenancy::RegionSetting setting;
  DINETTE_CHECK(read_cut(call.body, setting));
  DINETTE_CHECK(read_skews(call.body, setting));
  if (const auto replaced = chosen.world->replace_regions(std::move(setting)); !replaced)
    return storage_failure(replaced.error());
  return describe(state, chosen);
}

}  // namespace dinette::admin
