#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace dinette::observe {

/// The text formats that readers of metrics ask for.
enum class MetricsFormat {
  prometheus,    ///< of Prometheus, version 0.0.4
  open_metrics,  ///< OpenMetrics 1.0, which also has units, and an end mark
};

/// Returns the media type of a format, with its version. Of static storage.
std::string_view content_type_of(MetricsFormat format);

/// Writes metrics in one of the formats. Families are as in OpenMetrics: that of a counter is named without
/// "_total". Samples are the same in both formats.
///
///     MetricsWriter text(MetricsFormat::open_metrics);
///     text.family("dinette_requests", MetricsWriter::Type::counter, "Requests answered");
///     text.sample("_total", {{"operation", "GetItem"}}, 7);
///     return std::move(text).finish();
class MetricsWriter {
 public:
  enum class Type { counter, gauge, histogram, info };
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  explicit MetricsWriter(MetricsFormat format) : format_(format) {}

  /// Begins a family of samples. `help`: without the full stop. `unit`: with which `name` ends, after an
  /// underscore; empty for none.
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

  const MetricsFormat format_;
  std::string text_;
  std::string name_;  ///< of the family
};

/// Returns the shortest text that reads as the same number.
std::string number_text(double number);

}  // namespace dinette::observe
