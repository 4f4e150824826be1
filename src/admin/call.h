#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/admin/api.h"
#include "dinette/base/clock.h"
#include "dinette/http/message.h"
#include "dinette/http/query_string.h"
#include "dinette/tenancy/worlds.h"

#include "admin/answer.h"
#include "admin/body.h"
#include "admin/kept_snapshots.h"

namespace dinette::admin {

/// What requests work on.
struct State {
  tenancy::Worlds& worlds;
  const base::Clock& real_clock;
  const ApiOptions options;
  KeptSnapshots snapshots{worlds};
  std::atomic<std::uint64_t> last_world = 0;  ///< in names that callers did not choose
};

/// A request that may run.
struct Call {
  const http::Request& request;
  http::QueryString query;
  Body body;
  std::string argument = {};  ///< the part of the path that matched the braces of its route
};

/// A world and how the API calls it.
struct NamedWorld {
  std::string name;  ///< in the API; see own_name()
  std::shared_ptr<tenancy::World> world;
};

/// Returns the name of a world among tenancy::Worlds: "default" is the one without a name.
std::string_view own_name(std::string_view api_name);
std::string_view api_name(std::string_view own_name);

/// Returns the name of a world that the request chooses, if it does: the member "world" of its body, the
/// parameter "world" of its query, or the header tenancy::world_header, in this order.
Result<std::optional<std::string>> chosen_name(const Call& call);

/// Fails if the query has a parameter that is not among `names`, which are as in RouteName::parameters: one
/// that is misspelt must not mean that there is none.
Result<void> allow_only(const http::QueryString& query, std::string_view names);

/// The numbers that a parameter may be.
struct NumberRange {
  std::uint64_t least;
  std::uint64_t most;
};

/// Returns a parameter of the query that is a number within a range, or `otherwise` if it is absent.
Result<std::uint64_t> number_parameter(const Call& call, std::string_view name, std::uint64_t otherwise,
                                       NumberRange range);

/// Says that there is no world of that name, and when it was dropped, if it was.
std::string no_world(const State& state, const std::string& name);

/// Returns the world of that name. Fails with 400 if there is none.
Result<NamedWorld> world_named(State& state, const std::string& name);

/// Returns the world that the request chooses, else the default one. Fails with 400 if there is none of that
/// name.
Result<NamedWorld> chosen_world(State& state, const Call& call);

}  // namespace dinette::admin
