#include "app/serve/last_deadline.h"

#include <future>

#include <catch2/catch.hpp>

namespace dinette::app::last_deadline_test {
namespace {

TEST_CASE("nothing happens before the deadline") {
  bool passed = false;
  {
    const LastDeadline deadline(std::chrono::hours(1), [&] { passed = true; });
  }
  CHECK_FALSE(passed);
}

TEST_CASE("the callback runs at the deadline") {
  std::promise<void> passed;
  const LastDeadline deadline(std::chrono::milliseconds(1), [&] { passed.set_value(); });
  passed.get_future().get();
}

}  // namespace
}  // namespace dinette::app::last_deadline_test
