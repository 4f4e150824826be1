#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace dinette::observe {

/// Writes metrics in the OpenMetrics text format 1.0.
///
///     OpenMetrics text;
///     text.family("dinette_requests", OpenMetrics::Type::counter, "Requests answered");
///     text.sample("_total", {{"operation", "GetItem"}}, 7);
///     return std::move(text).finish();
class OpenMetrics {
 public:
  static constexpr std::string_view content_type =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";

  enum class Type { counter, gauge, histogram, info };
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  /// Begins a family of samples. `unit`: with which `name` ends, after an underscore; empty for none.
  void family(std::string_view name, Type type, std::string_view help, std::string_view unit = {});

  /// Adds a sample of the family. `suffix`: as the type requires, such as "_total". Values of labels may be
  /// any UTF-8.
  void sample(std::string_view suffix, Labels labels, double value);
  void sample(std::string_view suffix, Labels labels, std::uint64_t value);

  /// Writes a family of one sample without labels.
  void gauge(std::string_view name, std::string_view help, double value, std::string_view unit = {});
  void counter(std::string_view name, std::string_view help, double value, std::string_view unit = {});

  /// Returns the whole text.
  std::string finish() &&;

 private:
  void head(std::string_view suffix, Labels labels);

  std::string text_;
  std::string name_;  ///< of the family
};

/// Returns the shortest text that reads as the same number.
std::string number_text(double number);

}  // namespace dinette::observe
