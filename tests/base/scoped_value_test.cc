#include "dinette/base/scoped_value.h"

#include <catch2/catch.hpp>

#include "dinette/base/background.h"
#include "dinette/base/waiting.h"

namespace dinette::base::scoped_value_test {

TEST_CASE("a scoped value ends with its scope, and the one around it is there again") {
  int variable = 1;
  {
    const ScopedValue outer(variable, 2);
    CHECK(variable == 2);
    {
      const ScopedValue inner(variable, 3);
      CHECK(variable == 3);
    }
    CHECK(variable == 2);
  }
  CHECK(variable == 1);
}

TEST_CASE("what a thread may do is set for a scope") {
  CHECK(may_wait());
  CHECK_FALSE(in_background());
  {
    const WaitingScope on_loop(false);
    const BackgroundScope step;
    CHECK_FALSE(may_wait());
    CHECK(in_background());
    const WaitingScope on_worker(true);
    CHECK(may_wait());
  }
  CHECK(may_wait());
  CHECK_FALSE(in_background());
}

}  // namespace dinette::base::scoped_value_test
