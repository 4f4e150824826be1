#include "dinette/observe/open_metrics.h"

#include <array>
#include <charconv>

namespace dinette::observe {
namespace {

std::string_view name_of(OpenMetrics::Type type) {
  switch (type) {
    case OpenMetrics::Type::counter:
      return "counter";
    case OpenMetrics::Type::gauge:
      return "gauge";
    case OpenMetrics::Type::histogram:
      return "histogram";
    case OpenMetrics::Type::info:
      return "info";
  }
  return "unknown";
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

std::string number_text(double number) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return {digits.data(), end};
}

void OpenMetrics::family(std::string_view name, Type type, std::string_view help, std::string_view unit) {
  name_ = name;
  text_.append("# TYPE ").append(name_).append(" ").append(name_of(type)).append("\n");
  if (!unit.empty()) text_.append("# UNIT ").append(name_).append(" ").append(unit).append("\n");
  text_.append("# HELP ").append(name_).append(" ").append(help).append(".\n");
}

void OpenMetrics::sample(std::string_view suffix, Labels labels, double value) {
  head(suffix, labels);
  text_.append(number_text(value)).append("\n");
}

void OpenMetrics::sample(std::string_view suffix, Labels labels, std::uint64_t value) {
  head(suffix, labels);
  text_.append(std::to_string(value)).append("\n");
}

void OpenMetrics::gauge(std::string_view name, std::string_view help, double value, std::string_view unit) {
  family(name, Type::gauge, help, unit);
  sample("", {}, value);
}

void OpenMetrics::counter(std::string_view name, std::string_view help, double value, std::string_view unit) {
  family(name, Type::counter, help, unit);
  sample("_total", {}, value);
}

std::string OpenMetrics::finish() && {
  text_ += "# EOF\n";
  return std::move(text_);
}

void OpenMetrics::head(std::string_view suffix, Labels labels) {
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
