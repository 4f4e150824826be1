#include "dinette/base/log.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/log_writer.h"

namespace dinette::base {
namespace {

std::atomic<LogLevel> g_level{LogLevel::warn};
std::atomic<LogFormat> g_format{LogFormat::text};

constexpr std::pair<std::string_view, LogLevel> level_names[] = {{"off", LogLevel::off},
                                                                 {"error", LogLevel::error},
                                                                 {"warn", LogLevel::warn},
                                                                 {"info", LogLevel::info},
                                                                 {"debug", LogLevel::debug}};

std::string_view level_word(LogLevel level) {
  return level_names[static_cast<std::size_t>(level)].first;
}

// "2026-01-31T08:15:00.123Z"
std::string timestamp() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[sizeof "2026-01-31T08:15:00.123Z"];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(text + length, sizeof text - length, ".%03dZ", static_cast<int>(milliseconds % 1000));
  return text;
}

// A JSON string: quoted, control characters escaped, invalid UTF-8 replaced.
std::string quoted(std::string_view text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

bool plain_word(std::string_view text) {
  if (text.empty()) return false;
  for (const char c : text) {
    if (c <= ' ' || c > '~' || c == '"' || c == '=' || c == '\\') return false;
  }
  return true;
}

std::string field_text(const LogField& field, bool always_quote) {
  if (const auto* text = std::get_if<std::string_view>(&field.value)) {
    return always_quote || !plain_word(*text) ? quoted(*text) : std::string(*text);
  }
  if (const auto* number = std::get_if<std::int64_t>(&field.value)) return std::to_string(*number);
  return nlohmann::json(std::get<double>(field.value)).dump();
}

// The message is free text: quotes stay, line breaks are escaped.
std::string one_line(std::string_view message) {
  for (const char c : message) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') return quoted(message);
  }
  return std::string(message);
}

std::string text_line(LogLevel level, std::string_view message, std::span<const LogField> fields) {
  std::string line = timestamp();
  line.append(" ").append(level_word(level)).append(" ").append(one_line(message));
  for (const LogField& field : fields)
    line.append(" ").append(field.name).append("=").append(field_text(field, false));
  return line.append("\n");
}

std::string json_line(LogLevel level, std::string_view message, std::span<const LogField> fields) {
  std::string line = "{\"time\":\"" + timestamp() + "\",\"level\":\"";
  line.append(level_word(level)).append("\",\"message\":").append(quoted(message));
  for (const LogField& field : fields)
    line.append(",").append(quoted(field.name)).append(":").append(field_text(field, true));
  return line.append("}\n");
}

std::string line_of(LogLevel level, std::string_view message, std::span<const LogField> fields) {
  return g_format.load(std::memory_order_relaxed) == LogFormat::json ? json_line(level, message, fields)
                                                                     : text_line(level, message, fields);
}

/// How long a change of the descriptor waits for earlier lines to be written to the old one.
constexpr std::chrono::milliseconds redirect_patience{1000};

LogWriter& writer() {
  static LogWriter* const only = new LogWriter([](std::uint64_t lines) {
    const LogField count[] = {{"lines", lines}};
    return line_of(LogLevel::warn, "log lines dropped: they were not read fast enough", count);
  });
  return *only;
}

}  // namespace

std::optional<LogLevel> parse_log_level(std::string_view word) {
  for (const auto& [name, level] : level_names) {
    if (word == name) return level;
  }
  return std::nullopt;
}

std::optional<LogFormat> parse_log_format(std::string_view word) {
  if (word == "text") return LogFormat::text;
  if (word == "json") return LogFormat::json;
  return std::nullopt;
}

void configure_log(LogLevel level, LogFormat format, int file_descriptor) {
  flush_log(redirect_patience);
  g_level = level;
  g_format = format;
  writer().redirect(file_descriptor);
}

bool log_enabled(LogLevel level) {
  return level != LogLevel::off && level <= g_level.load(std::memory_order_relaxed);
}

void log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) noexcept {
  log_fields(level, message, {fields.begin(), fields.size()});
}

void log_fields(LogLevel level, std::string_view message, std::span<const LogField> fields) noexcept {
  if (!log_enabled(level)) return;
  // Logging must not stop the server if there is no memory or thread for it.
  try {
    writer().write(line_of(level, message, fields));
  } catch (const std::exception&) {
  }
}

bool flush_log(std::chrono::milliseconds patience) {
  return writer().flush(patience);
}

}  // namespace dinette::base
