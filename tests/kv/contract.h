#pragma once

#include <memory>

#include "dinette/kv/engine.h"

/// The contract of kv::Engine (include/dinette/kv/engine.h) as tests. An engine's test program calls each of
/// these in a test case of its own, with a function that makes an empty engine.
namespace dinette::test::kv_contract {

using MakeEngine = std::unique_ptr<kv::Engine> (*)();

void points_and_batches(MakeEngine make);
void counters(MakeEngine make);
void limits(MakeEngine make);
void cursors(MakeEngine make);
void snapshots_forks_and_resets(MakeEngine make);
void transactions(MakeEngine make);
void random_operations(MakeEngine make);
void many_threads(MakeEngine make);

}  // namespace dinette::test::kv_contract

/// All of them, under the name of the engine.
#define DINETTE_KV_CONTRACT(NAME, MAKE)                             \
  TEST_CASE(NAME ": points and batches") {                          \
    ::dinette::test::kv_contract::points_and_batches(MAKE);         \
  }                                                                 \
  TEST_CASE(NAME ": counters") {                                    \
    ::dinette::test::kv_contract::counters(MAKE);                   \
  }                                                                 \
  TEST_CASE(NAME ": limits") {                                      \
    ::dinette::test::kv_contract::limits(MAKE);                     \
  }                                                                 \
  TEST_CASE(NAME ": cursors") {                                     \
    ::dinette::test::kv_contract::cursors(MAKE);                    \
  }                                                                 \
  TEST_CASE(NAME ": snapshots, forks and resets") {                 \
    ::dinette::test::kv_contract::snapshots_forks_and_resets(MAKE); \
  }                                                                 \
  TEST_CASE(NAME ": transactions") {                                \
    ::dinette::test::kv_contract::transactions(MAKE);               \
  }                                                                 \
  TEST_CASE(NAME ": random operations") {                           \
    ::dinette::test::kv_contract::random_operations(MAKE);          \
  }                                                                 \
  TEST_CASE(NAME ": many threads") {                                \
    ::dinette::test::kv_contract::many_threads(MAKE);               \
  }
