#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace dinette::base {

enum class LogLevel { off, error, warn, info, debug };
enum class LogFormat { text, json };

/// Reads "off", "error", "warn", "info" or "debug"; returns nothing for another word.
std::optional<LogLevel> parse_log_level(std::string_view word);
/// Reads "text" or "json"; returns nothing for another word.
std::optional<LogFormat> parse_log_format(std::string_view word);

/// A named value of a log line. Its views must live until `log` returns.
struct LogField {
  std::string_view name;
  std::variant<std::string_view, std::int64_t, double> value;

  LogField(std::string_view field, std::string_view text) : name(field), value(text) {}
  LogField(std::string_view field, const char* text) : name(field), value(std::string_view(text)) {}
  LogField(std::string_view field, const std::string& text) : name(field), value(std::string_view(text)) {}
  LogField(std::string_view field, double number) : name(field), value(number) {}
  LogField(std::string_view field, std::integral auto number)
      : name(field), value(static_cast<std::int64_t>(number)) {}
};

/// Sets what is logged; initially warnings and errors, as text, to standard error. Any thread, any time.
void configure_log(LogLevel level, LogFormat format, int file_descriptor = 2);

bool log_enabled(LogLevel level);

/// Queues one line with the time (UTC), level, message and fields, to be written by another thread. Never
/// blocks: if the log is not read, at most 1 MB is kept; further lines are dropped, and a separate line
/// says how many. Control characters are escaped in both formats, so every entry is one line.
/// Thread-safe.
void log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {}) noexcept;
/// The same for fields whose number varies.
void log_fields(LogLevel level, std::string_view message, std::span<const LogField> fields) noexcept;

/// Waits up to `patience` until all queued lines are written. Returns false if some are left. To be called
/// before the program ends.
bool flush_log(std::chrono::milliseconds patience);

}  // namespace dinette::base
