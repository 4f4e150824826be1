#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace dinette::test {

/// A message of a process to the one that started it.
struct Report {
  std::int32_t writer;
  std::int32_t round;
};

/// Runs `body` in a process of its own, which ends without clean-up: killed as soon as it has reported
/// `count` times, or when `body` returns or throws. Returns everything that it reported. This process must
/// have only one thread.
std::vector<Report> run_and_kill(std::size_t count,
                                 const std::function<void(const std::function<void(Report)>& report)>& body);

}  // namespace dinette::test
