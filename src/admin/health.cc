#include "admin/health.h"

namespace dinette::admin {

Answer get_health(State& state, const Call&) {
  constexpr std::string_view text = "text/plain; charset=utf-8";
  if (const auto trouble = state.worlds.trouble())
    return Reply{.body = {}, .status = 503, .text = Text{*trouble + "\n", text}};
  return Reply{.body = {}, .text = Text{"healthy\n", text}};
}

}  // namespace dinette::admin
