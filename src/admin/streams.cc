#include "admin/streams.h"

namespace dinette::admin {

Answer split_shards(State& state, const Call& call) {
  DINETTE_CHECK(call.body.allow_only({"world"}));
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  DINETTE_ADMIN_STORED(const bool split, state.options.split_shards(*chosen.world, call.argument));
  if (!split) return not_found("There is no table '" + call.argument + "' with a stream that is enabled.");
  return Reply{{{"world", chosen.name}, {"table", call.argument}}};
}

}  // namespace dinette::admin
