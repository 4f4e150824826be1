#include "admin/metrics.h"

#include "dinette/observe/open_metrics.h"

namespace dinette::admin {

Answer get_metrics(State& state, const Call&) {
  return Reply{.body = {}, .text = Text{state.options.metrics(), observe::OpenMetrics::content_type}};
}

}  // namespace dinette::admin
