#pragma once

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace dinette::test {

/// Runs `body(thread)` in several threads at once. Returns the failures, because Catch must not be called
/// from other threads.
template <class Body>
std::vector<std::string> in_threads(int count, Body body) {
  std::vector<std::string> problems(static_cast<std::size_t>(count));
  std::vector<std::thread> running;
  for (int i = 0; i < count; ++i) {
    running.emplace_back([&, i] {
      try {
        body(i);
      } catch (const std::exception& problem) {
        problems[static_cast<std::size_t>(i)] = problem.what();
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  std::erase(problems, "");
  return problems;
}

inline void expect(bool truth, const char* otherwise) {
  if (!truth) throw std::runtime_error(otherwise);
}

}  // namespace dinette::test
