#include "admin/worlds.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/tenancy/world_header.h"

namespace dinette::admin {
namespace {

using std::chrono::seconds;

constexpr std::size_t most_forks = 10'000;
constexpr std::size_t most_name_bytes = 128;
constexpr double longest_ttl = 366 * 86'400;

/// Names of worlds are also access keys and parts of paths.
bool is_world_name(std::string_view name) {
  const auto allowed = [](char c) { return base::is_word_character(c) || c == '-' || c == '.'; };
  return !name.empty() && name.size() <= most_name_bytes && base::is_word_character(name.front()) &&
         std::ranges::all_of(name, allowed);
}

Result<std::optional<seconds>> read_ttl(const Body& body) {
  DINETTE_TRY(const auto ttl, body.number("ttl"));
  if (!ttl) return std::optional<seconds>();
  if (!(*ttl >= 1 && *ttl <= longest_ttl && *ttl == std::floor(*ttl)))
    return bad_request("The member 'ttl' must be a whole number of seconds, from 1 to 31622400.");
  return std::optional(seconds(static_cast<std::int64_t>(*ttl)));
}

Result<std::optional<std::string>> read_name(const Body& body) {
  DINETTE_TRY(auto name, body.text("name"));
  if (name && !is_world_name(*name)) {
    return bad_request(
        "The member 'name' must have 1 to 128 letters, digits, '-', '_' and '.', and begin with a letter, a "
        "digit or '_'.");
  }
  if (name && (*name == tenancy::default_world || name->starts_with(snapshot_prefix)))
    return bad_request("The name '" + *name + "' is reserved.");
  return name;
}

/// Returns the image that a fork begins with: of the snapshot or world that "from" names, else of the world
/// that the request chooses.
Result<tenancy::WorldImage> read_origin(State& state, const Call& call) {
  DINETTE_TRY(const auto from, call.body.text("from"));
  if (from && from->starts_with(snapshot_prefix)) {
    DINETTE_ADMIN_STORED(const SnapshotPointer snapshot, state.snapshots.find(*from));
    if (!snapshot) return bad_request("There is no snapshot '" + *from + "'.");
    return snapshot->image;
  }
  DINETTE_TRY(const NamedWorld origin, from ? world_named(state, *from) : chosen_world(state, call));
  DINETTE_ADMIN_STORED(auto image, origin.world->image());
  return image;
}

Result<tenancy::ListedWorld> add_fork(State& state, const std::string& name, const tenancy::WorldImage& image,
                                      std::optional<seconds> ttl) {
  DINETTE_ADMIN_STORED(auto world, state.worlds.add_fork(name, image, ttl));
  return tenancy::ListedWorld{name, std::move(world), true, ttl};
}

/// Adds the fork under the next free name "world-<number>".
Result<tenancy::ListedWorld> add_unnamed_fork(State& state, const tenancy::WorldImage& image,
                                              std::optional<seconds> ttl) {
  while (true) {
    DINETTE_TRY(auto added, add_fork(state, "world-" + std::to_string(++state.last_world), image, ttl));
    if (added.world) return added;
  }
}

Result<tenancy::ListedWorld> listed(State& state, const std::string& name) {
  auto all = state.worlds.list();
  const auto found = std::ranges::find(all, own_name(name), &tenancy::ListedWorld::name);
  if (name.empty() || found == all.end()) return not_found(no_world(state, name));
  return std::move(*found);
}

Json ttl_of(const tenancy::ListedWorld& listed) {
  return listed.ttl ? Json(listed.ttl->count()) : Json();
}

/// Describes a fork without sizes, whose cost depends on the number of tables.
Json describe_fork(const tenancy::ListedWorld& listed) {
  return {{"name", listed.name}, {"ttl", ttl_of(listed)}};
}

Result<Json> describe_world(const tenancy::ListedWorld& listed) {
  DINETTE_ADMIN_STORED(const store::Size size, listed.world->size());
  DINETTE_ADMIN_STORED(const auto name_spaces, listed.world->name_spaces());
  Json regions = Json::array();
  for (const tenancy::NameSpaceTables& one : name_spaces)
    regions.push_back({{"name", one.name}, {"tables", one.tables}});
  return Json{{"name", api_name(listed.name)}, {"tables", size.tables}, {"items", size.rows},
              {"bytes", size.bytes},           {"fork", listed.fork},   {"ttl", ttl_of(listed)},
              {"regions", std::move(regions)}};
}

}  // namespace

Answer list_worlds(State& state, const Call&) {
  Json worlds = Json::array();
  for (const tenancy::ListedWorld& one : state.worlds.list()) {
    DINETTE_TRY(Json described, describe_world(one));
    worlds.push_back(std::move(described));
  }
  return Reply{{{"worlds", std::move(worlds)}}};
}

Answer fork_world(State& state, const Call& call) {
  DINETTE_CHECK(call.body.allow_only({"from", "name", "ttl", "world"}));
  DINETTE_TRY(const auto name, read_name(call.body));
  DINETTE_TRY(const auto ttl, read_ttl(call.body));
  DINETTE_TRY(const auto image, read_origin(state, call));
  if (state.worlds.forks() >= most_forks)
    return conflict("There are " + std::to_string(most_forks) + " forks already; delete some.");
  DINETTE_TRY(const auto added,
              name ? add_fork(state, *name, image, ttl) : add_unnamed_fork(state, image, ttl));
  if (!added.world) return conflict("There is a world '" + *name + "' already.");
  return Reply{describe_fork(added), 201};
}

Answer get_world(State& state, const Call& call) {
  DINETTE_TRY(const auto found, listed(state, call.argument));
  DINETTE_TRY(Json described, describe_world(found));
  return Reply{std::move(described)};
}

Answer delete_world(State& state, const Call& call) {
  if (call.argument.empty()) return not_found(no_world(state, call.argument));
  if (own_name(call.argument).empty())
    return bad_request("The default world cannot be deleted; POST /_dinette/reset?world=default empties it.");
  DINETTE_ADMIN_STORED(const bool dropped, state.worlds.drop(call.argument));
  if (!dropped) return not_found(no_world(state, call.argument));
  return Reply{{{"deleted", call.argument}}};
}

Answer reset_worlds(State& state, const Call& call) {
  DINETTE_CHECK(call.body.allow_only({"world"}));
  DINETTE_TRY(const auto name, chosen_name(call));
  if (!name) {
    if (const auto reset = state.worlds.reset_all(); !reset) return storage_failure(reset.error());
    return Reply{{{"reset", "all"}}};
  }
  DINETTE_TRY(const NamedWorld chosen, world_named(state, *name));
  if (const auto reset = state.worlds.reset(own_name(chosen.name)); !reset)
    return storage_failure(reset.error());
  return Reply{{{"reset", chosen.name}}};
}

}  // namespace dinette::admin
