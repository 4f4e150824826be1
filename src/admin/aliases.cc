#include "admin/aliases.h"

namespace dinette::admin {

Answer reset_as_moto(State& state, const Call&) {
  if (const auto reset = state.worlds.reset_all(); !reset) return storage_failure(reset.error());
  return Reply{{{"status", "ok"}}};
}

Answer health_as_localstack(State& state, const Call&) {
  const auto trouble = state.worlds.trouble();
  Json services = {{"dynamodb", trouble ? "error" : "running"}};
  Reply reply{
      {{"services", std::move(services)}, {"edition", "dinette"}, {"version", state.options.version}}};
  if (trouble) {
    reply.status = 503;
    reply.body["message"] = *trouble;
  }
  return reply;
}

Answer delete_expired(State& state, const Call& call) {
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  const auto deleted = state.options.sweep_expired(*chosen.world);
  if (!deleted) return storage_failed();
  return Reply{{{"ExpiredItems", *deleted}}};
}

}  // namespace dinette::admin
