#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/json.h"

namespace dinette::mcp {

/// A sample of a metric.
struct MetricSample {
  std::string_view name;
  std::map<std::string, std::string, std::less<>> labels;
  double value = 0;
};

/// Reads a line of the text format of Prometheus (0.0.4). Returns nothing if it is a comment, or malformed.
std::optional<MetricSample> read_sample(std::string_view line);

/// Returns the metrics of docs/observing.md in short: per operation the number of requests, their errors and
/// their mean duration, per table the consumed capacity, and some totals. Of many operations or tables it has
/// those with the most. Null if the text has no metrics.
Json metrics_summary(std::string_view text);

}  // namespace dinette::mcp
