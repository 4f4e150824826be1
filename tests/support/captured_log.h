#pragma once

#include <chrono>
#include <string>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <unistd.h>

#include "dinette/base/log.h"

namespace test {

/// Captures the log during its lifetime, up to 64 KB between two looks at it.
class CapturedLog {
 public:
  explicit CapturedLog(dinette::base::LogLevel level,
                       dinette::base::LogFormat format = dinette::base::LogFormat::text) {
    REQUIRE(pipe2(ends_, O_NONBLOCK) == 0);
    dinette::base::configure_log(level, format, ends_[1]);
  }
  ~CapturedLog() {
    dinette::base::configure_log(dinette::base::LogLevel::warn, dinette::base::LogFormat::text);
    close(ends_[0]);
    close(ends_[1]);
  }
  CapturedLog(const CapturedLog&) = delete;
  CapturedLog& operator=(const CapturedLog&) = delete;

  /// Returns the lines that were written since it was last asked.
  std::string text() {
    REQUIRE(dinette::base::flush_log(std::chrono::minutes(1)));
    std::string all;
    char buffer[4096];
    for (ssize_t n = 0; (n = read(ends_[0], buffer, sizeof buffer)) > 0;)
      all.append(buffer, static_cast<std::size_t>(n));
    return all;
  }
  /// Returns the same without the time at the start of a text line.
  std::string line() { return text().substr(std::string_view("2026-01-31T08:15:00.123Z ").size()); }

 private:
  int ends_[2];
};

}  // namespace test
