#include "dinette/observe/metrics_writer.h"

#include <array>
#include <charconv>

namespace dinette::observe {
namespace {

std::string_view name_of(MetricsWriter::Type type) {
  switch (type) {
    case MetricsWriter::Type::counter:
      return "counter";
    case MetricsWriter::Type::gauge:
      return "gauge";
    case MetricsWriter::Type::histogram:
      return "histogram";
    case MetricsWriter::Type::info:
      return "info";
  }
  return "unknown";
}

/// Prometheus has no type for constants that describe: they are gauges of 1.
std::string_view prometheus_name_of(MetricsWriter::Type type) {
  return name_of(type == MetricsWriter::Type::info ? MetricsWriter::Type::gauge : type);
}

/// Returns what all samples of a family have after its name: Prometheus calls it by the name of the samples.
std::string_view suffix_of(MetricsWriter::Type type) {
  switch (type) {
    case MetricsWriter::Type::counter:
      return "_total";
    case MetricsWriter::Type::info:
      return "_info";
    case MetricsWriter::Type::gauge:
    case MetricsWriter::Type::histogram:
      return "";
  }
  return "";
}

void append_escaped(std::string& text, std::string_view value) {
  for (const char c : value) {
    if (c == '\\' || c == '"') text += '\\';
    if (c == '\n')
      text += "\\n";
    else
      text += c;
  }
}

}  // namespace

std::string_view content_type_of(MetricsFormat format) {
  return format == MetricsFormat::open_metrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                               : "text/plain; version=0.0.4; charset=utf-8";
}

std::string number_text(double number) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return {digits.data(), end};
}

void MetricsWriter::family(std::string_view name, Type type, std::string_view help, std::string_view unit) {
  name_ = name;
  if (format_ == MetricsFormat::prometheus) {
    const std::string samples = name_ + std::string(suffix_of(type));
    text_.append("# HELP ").append(samples).append(" ").append(help).append(".\n");
    text_.append("# TYPE ").append(samples).append(" ").append(prometheus_name_of(type)).append("\n");
    return;
  }
  text_.append("# TYPE ").append(name_).append(" ").append(name_of(type)).append("\n");
  if (!unit.empty()) text_.append("# UNIT ").append(name_).append(" ").append(unit).append("\n");
  text_.append("# HELP ").append(name_).append(" ").append(help).append(".\n");
}

void MetricsWriter::sample(std::string_view suffix, Labels labels, double value) {
  head(suffix, labels);
  text_.append(number_text(value)).append("\n");
}

void MetricsWriter::sample(std::string_view suffix, Labels labels, std::uint64_t value) {
  head(suffix, labels);
  text_.append(std::to_string(value)).append("\n");
}

void MetricsWriter::gauge(std::string_view name, std::string_view help, double value, std::string_view unit) {
  family(name, Type::gauge, help, unit);
  sample("", {}, value);
}

void MetricsWriter::counter(std::string_view name, std::string_view help, double value,
                            std::string_view unit) {
  family(name, Type::counter, help, unit);
  sample("_total", {}, value);
}

std::string MetricsWriter::finish() && {
  if (format_ == MetricsFormat::open_metrics) text_ += "# EOF\n";
  return std::move(text_);
}

void MetricsWriter::head(std::string_view suffix, Labels labels) {
  text_.append(name_).append(suffix);
  char before = '{';
  for (const auto& [label, value] : labels) {
    text_.append(1, before).append(label).append("=\"");
    append_escaped(text_, value);
    text_ += '"';
    before = ',';
  }
  text_ += labels.size() == 0 ? " " : "} ";
}

}  // namespace dinette::observe
