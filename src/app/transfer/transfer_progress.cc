#include "app/transfer/transfer_progress.h"

#include <algorithm>
#include <iostream>

#include <unistd.h>

#include "dinette/base/log.h"

#include "app/transfer/transfer.h"

namespace dinette::app {
namespace {

constexpr std::chrono::milliseconds bar_interval{100};
constexpr std::chrono::seconds log_interval{10};
constexpr std::size_t bar_cells = 24;
constexpr std::string_view clear_line = "\r\x1b[K";

}  // namespace

std::string progress_line(std::string_view verb, std::string_view table, std::uint64_t items,
                          std::uint64_t expected, std::uint64_t items_per_second) {
  std::string line = std::string(verb) + " " + std::string(table) + " ";
  if (expected > 0) {
    // The number that is expected may be too low.
    const std::uint64_t done = std::min(items, expected);
    const std::size_t cells = done * bar_cells / expected;
    const std::string percent = std::to_string(done * 100 / expected);
    line += "[" + std::string(cells, '#') + std::string(bar_cells - cells, '.') + "] ";
    line += std::string(3 - percent.size(), ' ') + percent + " %  ";
  }
  return line + items_text(items) + ", " + with_commas(items_per_second) + "/s";
}

TransferProgress::Shown TransferProgress::suited() {
  return isatty(STDERR_FILENO) != 0 ? Shown::bar : Shown::lines;
}

void TransferProgress::begin(std::string_view verb, std::string_view table, std::uint64_t expected) {
  verb_ = verb;
  table_ = table;
  expected_ = expected;
  items_ = 0;
  begun_ = last_shown_ = Clock::now();
}

void TransferProgress::add(std::uint64_t items) {
  items_ += items;
  const auto now = Clock::now();
  if (now - last_shown_ < (shown_ == Shown::bar ? Clock::duration(bar_interval) : log_interval)) return;
  last_shown_ = now;
  show(now);
}

void TransferProgress::end() {
  if (shown_ == Shown::bar) {
    std::cerr << clear_line << std::flush;
  } else {
    show(Clock::now());
  }
}

void TransferProgress::warn(std::string_view text) const {
  if (shown_ == Shown::log) return base::log(base::LogLevel::warn, text);
  std::cerr << "dinette: warning: " << text << std::endl;
}

std::uint64_t TransferProgress::rate(Clock::time_point now) const {
  const std::chrono::duration<double> seconds = now - begun_;
  return seconds.count() > 0 ? static_cast<std::uint64_t>(static_cast<double>(items_) / seconds.count()) : 0;
}

void TransferProgress::show(Clock::time_point now) {
  switch (shown_) {
    case Shown::bar:
      std::cerr << clear_line << progress_line(verb_, table_, items_, expected_, rate(now)) << std::flush;
      return;
    case Shown::lines:
      std::cerr << progress_line(verb_, table_, items_, 0, rate(now)) << std::endl;
      return;
    case Shown::log:
      base::log(base::LogLevel::info, verb_,
                {{"table", table_}, {"items", items_}, {"items_per_second", rate(now)}});
  }
}

}  // namespace dinette::app
