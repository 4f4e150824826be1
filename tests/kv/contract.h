#pragma once

#include <filesystem>
#include <memory>

#include "dinette/kv/engine.h"

/// The contract of kv::Engine (include/dinette/kv/engine.h) as tests. The test program of an engine calls
/// each of these in a test case of its own. What depends on kv::Capabilities is tested as the engine declares
/// it: the engine does what it declares, or refuses.
namespace dinette::test::kv_contract {

/// An engine as the suite sees it.
struct Subject {
  std::unique_ptr<kv::Engine> (*make)();  ///< an empty one

  // For a durable engine; null for others.
  /// Returns the engine whose data are in `folder`; an empty one if the folder is empty. One at a time per
  /// folder.
  std::unique_ptr<kv::Engine> (*open)(const std::filesystem::path& folder) = nullptr;
  /// Returns the file in `folder` to whose end commits are appended. Null for an engine whose files belong to
  /// another program.
  std::filesystem::path (*log)(const std::filesystem::path& folder) = nullptr;
};

void points_and_batches(Subject subject);
void counters(Subject subject);
void limits(Subject subject);
void cursors(Subject subject);
void snapshots(Subject subject);
void forks(Subject subject);
void resets(Subject subject);
void transactions(Subject subject);
void random_operations(Subject subject);
void many_threads(Subject subject);
void commit_order(Subject subject);
void durability(Subject subject);

}  // namespace dinette::test::kv_contract

#define DINETTE_KV_CONTRACT_PART(NAME, PART, ...)      \
  TEST_CASE(NAME ": " #PART) {                         \
    ::dinette::test::kv_contract::PART({__VA_ARGS__}); \
  }

/// All parts but one, which needs a process of a single thread.
#define DINETTE_KV_CONTRACT_BUT_DURABILITY(NAME, ...)             \
  DINETTE_KV_CONTRACT_PART(NAME, points_and_batches, __VA_ARGS__) \
  DINETTE_KV_CONTRACT_PART(NAME, counters, __VA_ARGS__)           \
  DINETTE_KV_CONTRACT_PART(NAME, limits, __VA_ARGS__)             \
  DINETTE_KV_CONTRACT_PART(NAME, cursors, __VA_ARGS__)            \
  DINETTE_KV_CONTRACT_PART(NAME, snapshots, __VA_ARGS__)          \
  DINETTE_KV_CONTRACT_PART(NAME, forks, __VA_ARGS__)              \
  DINETTE_KV_CONTRACT_PART(NAME, resets, __VA_ARGS__)             \
  DINETTE_KV_CONTRACT_PART(NAME, transactions, __VA_ARGS__)       \
  DINETTE_KV_CONTRACT_PART(NAME, random_operations, __VA_ARGS__)  \
  DINETTE_KV_CONTRACT_PART(NAME, many_threads, __VA_ARGS__)       \
  DINETTE_KV_CONTRACT_PART(NAME, commit_order, __VA_ARGS__)

/// All parts, under the name of the engine: `DINETTE_KV_CONTRACT("mine", make)`, or
/// `DINETTE_KV_CONTRACT("mine", make, open, log)` for a durable one.
#define DINETTE_KV_CONTRACT(NAME, ...)                  \
  DINETTE_KV_CONTRACT_BUT_DURABILITY(NAME, __VA_ARGS__) \
  DINETTE_KV_CONTRACT_PART(NAME, durability, __VA_ARGS__)
