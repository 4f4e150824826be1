#include "dinette/base/log.h"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "support/captured_log.h"

namespace dinette::base::log_test {
namespace {

using ::test::CapturedLog;

constexpr std::chrono::seconds patience{60};

TEST_CASE("a text line has time, level, message and fields") {
  CapturedLog log_lines(LogLevel::info, LogFormat::text);
  log(LogLevel::info, "request",
      {{"operation", "GetItem"}, {"micros", 12}, {"units", 0.5}, {"key", "a \"b\" = c"}});
  const std::string text = log_lines.text();
  CHECK(text.substr(25) == "info request operation=GetItem micros=12 units=0.5 key=\"a \\\"b\\\" = c\"\n");
  CHECK(text[4] == '-');
  CHECK(text[10] == 'T');
  CHECK(text[19] == '.');
  CHECK(text[23] == 'Z');
}

TEST_CASE("the number of fields may vary") {
  CapturedLog log_lines(LogLevel::info, LogFormat::text);
  std::vector<LogField> fields = {{"operation", "GetItem"}};
  log_fields(LogLevel::info, "request", fields);
  fields.emplace_back("table", "Music");
  log_fields(LogLevel::info, "request", fields);
  const std::string text = log_lines.text();
  CHECK(text.find("info request operation=GetItem\n") != std::string::npos);
  CHECK(text.find("info request operation=GetItem table=Music\n") != std::string::npos);
}

TEST_CASE("a JSON line is one object") {
  CapturedLog log_lines(LogLevel::info, LogFormat::json);
  log(LogLevel::warn, "odd \"words\"\n", {{"text", std::string("\x01\xff")}, {"number", -3}, {"half", 0.5}});
  const std::string text = log_lines.text();
  CHECK(text.find('\n') == text.size() - 1);
  const auto line = nlohmann::json::parse(text);
  CHECK(line["level"] == "warn");
  CHECK(line["message"] == "odd \"words\"\n");
  CHECK(line["text"] == "\x01\xef\xbf\xbd");
  CHECK(line["number"] == -3);
  CHECK(line["half"] == 0.5);
  CHECK(line["time"].get<std::string>().size() == 24);
}

TEST_CASE("an entry is one line, whatever its content") {
  CapturedLog log_lines(LogLevel::info, LogFormat::text);
  log(LogLevel::error, "two\nlines", {{"value", "a\nb"}});
  CHECK(log_lines.line() == "error \"two\\nlines\" value=\"a\\nb\"\n");
}

TEST_CASE("levels below the configured one are not logged") {
  CapturedLog log_lines(LogLevel::warn, LogFormat::text);
  log(LogLevel::info, "no");
  log(LogLevel::debug, "no");
  log(LogLevel::off, "no");
  CHECK(log_lines.text().empty());
  CHECK(log_enabled(LogLevel::error));
  CHECK(log_enabled(LogLevel::warn));
  CHECK_FALSE(log_enabled(LogLevel::info));
  configure_log(LogLevel::off, LogFormat::text);
  CHECK_FALSE(log_enabled(LogLevel::error));
}

TEST_CASE("levels and formats have names") {
  CHECK(parse_log_level("off") == LogLevel::off);
  CHECK(parse_log_level("error") == LogLevel::error);
  CHECK(parse_log_level("warn") == LogLevel::warn);
  CHECK(parse_log_level("info") == LogLevel::info);
  CHECK(parse_log_level("debug") == LogLevel::debug);
  CHECK(parse_log_level("Info") == std::nullopt);
  CHECK(parse_log_format("json") == LogFormat::json);
  CHECK(parse_log_format("text") == LogFormat::text);
  CHECK(parse_log_format("xml") == std::nullopt);
}

TEST_CASE("lines of several threads stay whole") {
  CapturedLog log_lines(LogLevel::info, LogFormat::json);
  std::vector<std::thread> threads;
  for (int id = 0; id < 4; ++id) {
    threads.emplace_back([id] {
      for (int i = 0; i < 50; ++i) log(LogLevel::info, std::string(60, static_cast<char>('a' + id)));
    });
  }
  for (auto& thread : threads) thread.join();
  std::string text = log_lines.text();
  int lines = 0;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1), ++lines) {
    const std::string message = nlohmann::json::parse(text.substr(0, end))["message"];
    REQUIRE(message == std::string(60, message[0]));
  }
  CHECK(lines == 200);
  CHECK(text.empty());
}

// A pipe in blocking mode, such as a test suite passes to a server and never reads.
class UnreadPipe {
 public:
  UnreadPipe() {
    REQUIRE(pipe(ends_) == 0);
    configure_log(LogLevel::info, LogFormat::json, ends_[1]);
  }
  ~UnreadPipe() {
    configure_log(LogLevel::warn, LogFormat::text);
    close(ends_[0]);
    close(ends_[1]);
  }
  UnreadPipe(const UnreadPipe&) = delete;
  UnreadPipe& operator=(const UnreadPipe&) = delete;

  // Reads until a line is complete.
  nlohmann::json next_line() {
    std::size_t end = 0;
    while ((end = pending_.find('\n')) == std::string::npos) {
      char buffer[4096];
      const ssize_t n = read(ends_[0], buffer, sizeof buffer);
      REQUIRE(n > 0);
      pending_.append(buffer, static_cast<std::size_t>(n));
    }
    auto line = nlohmann::json::parse(pending_.substr(0, end));
    pending_.erase(0, end + 1);
    return line;
  }

 private:
  int ends_[2];
  std::string pending_;
};

TEST_CASE("a log that is not read does not block callers, and counts dropped lines") {
  UnreadPipe pipe;
  constexpr int lines = 3000;
  const std::string kilobyte(1024, 'x');  // 3 MB in all; a pipe takes 64 KB, the queue 1 MB.
  for (int i = 0; i < lines; ++i) log(LogLevel::info, kilobyte, {{"line", i}});
  CHECK_FALSE(flush_log(std::chrono::milliseconds(0)));

  int seen = 0;
  nlohmann::json line = pipe.next_line();
  for (; line["message"] == kilobyte; line = pipe.next_line()) CHECK(line["line"] == seen++);
  CHECK(seen > 1000);
  CHECK(line["message"] == "log lines dropped: they were not read fast enough");
  CHECK(line["lines"] == lines - seen);

  log(LogLevel::info, "again");
  CHECK(pipe.next_line()["message"] == "again");
  CHECK(flush_log(patience));
}

TEST_CASE("lines go to the descriptor that was set when they were logged") {
  CapturedLog first(LogLevel::info, LogFormat::text);
  log(LogLevel::info, "one");
  {
    CapturedLog second(LogLevel::info, LogFormat::text);
    CHECK(second.text().empty());
  }
  CHECK(first.line() == "info one\n");
}

}  // namespace
}  // namespace dinette::base::log_test
