#include "admin/metrics.h"

#include <string_view>

#include "dinette/http/accept.h"
#include "dinette/observe/metrics_writer.h"

namespace dinette::admin {
namespace {

using observe::MetricsFormat;

/// Returns the format that a client with this Accept prefers. OpenMetrics only if it is named: every tool
/// reads the older format. Among equals the one named first wins.
MetricsFormat wanted_format(std::string_view accept) {
  const auto open = http::acceptance_of(accept, "application/openmetrics-text", "1.0.0");
  const auto plain = http::acceptance_of(accept, "text/plain", "0.0.4");
  if (!open.named || open.weight == 0 || open.weight < plain.weight) return MetricsFormat::prometheus;
  const bool is_later = open.weight == plain.weight && open.position > plain.position;
  return is_later ? MetricsFormat::prometheus : MetricsFormat::open_metrics;
}

}  // namespace

Answer get_metrics(State& state, const Call& call) {
  const MetricsFormat format = wanted_format(call.request.header("Accept").value_or(""));
  return Reply{.body = {}, .text = Text{state.options.metrics(format), observe::content_type_of(format)}};
}

}  // namespace dinette::admin
