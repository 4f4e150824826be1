#include <chrono>
#include <cstdlib>
#include <memory>

#include "dinette/kv/postgres.h"

#include "support/engines.h"

namespace test {
namespace {

/// All tests of a program share the connections; each engine is a world of its own.
std::shared_ptr<dinette::kv::Engines> open_database() {
  static const auto engines =
      dinette::kv::open_postgres(std::getenv("DINETTE_TEST_STORE"), {.patience = std::chrono::minutes(2)})
          .value();
  return engines;
}

const bool is_set = (open_test_database = &open_database) != nullptr;

}  // namespace
}  // namespace test
