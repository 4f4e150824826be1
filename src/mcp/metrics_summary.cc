#include "mcp/metrics_summary.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "dinette/base/ascii.h"

namespace dinette::mcp {
namespace {

constexpr std::size_t most_rows = 50;
constexpr double milliseconds_of_second = 1'000;

// No counter gets there; sums stay finite, and whole numbers exact enough.
constexpr double most_value = 1e15;

/// Returns a number without a fraction if it has none.
Json number_shown(double number) {
  const bool whole = number >= 0 && number <= most_value && std::floor(number) == number;
  return whole ? Json(static_cast<std::uint64_t>(number)) : Json(number);
}

/// Removes a label, up to the comma behind it, from the front of a text: `name="value",`. Returns false if
/// there is none.
bool take_label(std::string_view& text, MetricSample& sample) {
  const std::size_t equals = text.find("=\"");
  if (equals == std::string_view::npos) return false;
  const std::string_view name = text.substr(0, equals);
  std::string value;
  std::size_t at = equals + 2;
  for (; at < text.size() && text[at] != '"'; ++at) {
    const bool escape = text[at] == '\\' && at + 1 < text.size();
    if (escape) ++at;
    value += escape && text[at] == 'n' ? '\n' : text[at];
  }
  if (at == text.size()) return false;
  text.remove_prefix(at + 1);
  if (text.starts_with(',')) text.remove_prefix(1);
  sample.labels.emplace(name, std::move(value));
  return true;
}

/// What one operation of one service did.
struct OperationRow {
  double requests = 0;
  std::map<std::string, double> errors;
  double timed = 0;    ///< requests whose duration is counted
  double seconds = 0;  ///< of all of them

  Json shown(const std::pair<std::string, std::string>& key) const {
    Json row{{"service", key.first}, {"operation", key.second}, {"requests", number_shown(requests)}};
    for (const auto& [error, count] : errors) row["errors"][error] = number_shown(count);
    if (timed > 0) row["mean_milliseconds"] = seconds / timed * milliseconds_of_second;
    return row;
  }
};

struct TableRow {
  double read_units = 0;
  double write_units = 0;
};

struct NamedTotal {
  std::string_view metric;
  const char* name;
};

constexpr std::array<NamedTotal, 8> totals{{
    {"dinette_worlds", "worlds"},
    {"dinette_jobs_waiting", "jobs_waiting"},
    {"dinette_connections_open", "connections_open"},
    {"dinette_connections_refused_total", "connections_refused"},
    {"dinette_engine_values", "stored_values"},
    {"dinette_engine_value_bytes", "stored_bytes"},
    {"process_resident_memory_bytes", "memory_bytes"},
    {"process_cpu_seconds_total", "cpu_seconds"},
}};

/// Returns the rows with the most, as a list.
template <class Rows, class Rank, class Show>
Json largest(const Rows& rows, const Rank& rank, const Show& show) {
  std::vector<typename Rows::const_pointer> sorted;
  for (const auto& row : rows) sorted.push_back(&row);
  std::ranges::stable_sort(sorted, std::ranges::greater(),
                           [&](const auto* row) { return rank(row->second); });
  sorted.resize(std::min(sorted.size(), most_rows));
  Json list = Json::array();
  for (const auto* row : sorted) list.push_back(show(*row));
  return list;
}

class Summary {
 public:
  void add(const MetricSample& sample) {
    any_ = true;
    if (sample.name == "dinette_requests_total") add_requests(sample);
    if (sample.name == "dinette_request_duration_seconds_sum") operation_of(sample).seconds += sample.value;
    if (sample.name == "dinette_request_duration_seconds_count") operation_of(sample).timed += sample.value;
    if (sample.name == "dinette_consumed_read_capacity_units_total")
      table_of(sample).read_units += sample.value;
    if (sample.name == "dinette_consumed_write_capacity_units_total")
      table_of(sample).write_units += sample.value;
    const auto total = std::ranges::find(totals, sample.name, &NamedTotal::metric);
    if (total != totals.end()) totals_[total->name] = number_shown(sample.value);
  }

  Json shown() const {
    if (!any_) return nullptr;
    std::map<std::pair<std::string, std::string>, OperationRow> used;
    for (const auto& [key, row] : operations_) {
      if (row.requests > 0) used.emplace(key, row);
    }
    Json operations = largest(
        used, [](const OperationRow& row) { return row.requests; },
        [](const auto& row) { return row.second.shown(row.first); });
    Json tables = largest(
        tables_, [](const TableRow& row) { return row.read_units + row.write_units; },
        [](const auto& row) {
          return Json{{"table", row.first},
                      {"read_units", row.second.read_units},
                      {"write_units", row.second.write_units}};
        });
    return {{"operations", std::move(operations)}, {"tables", std::move(tables)}, {"totals", totals_}};
  }

 private:
  static std::string label_of(const MetricSample& sample, std::string_view name) {
    const auto found = sample.labels.find(name);
    return found == sample.labels.end() ? "" : found->second;
  }

  OperationRow& operation_of(const MetricSample& sample) {
    return operations_[{label_of(sample, "service"), label_of(sample, "operation")}];
  }

  TableRow& table_of(const MetricSample& sample) { return tables_[label_of(sample, "table")]; }

  void add_requests(const MetricSample& sample) {
    if (sample.value == 0) return;
    OperationRow& row = operation_of(sample);
    row.requests += sample.value;
    if (const std::string error = label_of(sample, "error"); !error.empty())
      row.errors[error] += sample.value;
  }

  bool any_ = false;
  std::map<std::pair<std::string, std::string>, OperationRow> operations_;
  std::map<std::string, TableRow> tables_;
  Json totals_ = Json::object();
};

}  // namespace

std::optional<MetricSample> read_sample(std::string_view line) {
  MetricSample sample;
  const auto name_end = std::ranges::find_if_not(line, base::is_word_character) - line.begin();
  sample.name = line.substr(0, static_cast<std::size_t>(name_end));
  line.remove_prefix(sample.name.size());
  if (sample.name.empty()) return std::nullopt;
  if (line.starts_with('{')) {
    line.remove_prefix(1);
    while (!line.starts_with('}')) {
      if (!take_label(line, sample)) return std::nullopt;
    }
    line.remove_prefix(1);
  }
  if (!line.starts_with(' ')) return std::nullopt;
  const char* const end = line.data() + line.size();
  const auto read = std::from_chars(line.data() + 1, end, sample.value);
  const bool usable = read.ec == std::errc() && std::abs(sample.value) <= most_value;  // false for NaN
  return usable ? std::optional(std::move(sample)) : std::nullopt;
}

Json metrics_summary(std::string_view text) {
  Summary summary;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (const auto sample = read_sample(line)) summary.add(*sample);
  }
  return summary.shown();
}

}  // namespace dinette::mcp
