#include "kv/spare_blocks.h"

#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <malloc.h>

#include "dinette/kv/value.h"

namespace dinette::kv::spare_blocks_test {

// With sanitizers no block is kept, so that they see each one freed.
#if !defined(DINETTE_SANITIZED)

namespace {

/// Runs in a thread of its own, which has no spare blocks at first.
template <class Function>
void in_new_thread(Function function) {
  std::thread(function).join();
}

/// Returns values that share no bytes.
std::vector<Value> own_values(std::size_t count, std::size_t size) {
  std::vector<Value> made;
  for (std::size_t i = 0; i < count; ++i) made.emplace_back(std::string(size, 'x'));
  return made;
}

}  // namespace

TEST_CASE("spare blocks: a freed value of 1 to 4 KB leaves its block to the next one of about its size") {
  in_new_thread([] {
    own_values(3, 1100).clear();
    const std::size_t kept = spare_bytes();
    CHECK(kept >= 3 * 1100);
    const std::vector<Value> again = own_values(2, 1090);
    CHECK(spare_bytes() == kept / 3);
    const Value larger(std::string(1300, 'x'));
    CHECK(spare_bytes() == kept / 3);
    CHECK(again.front().view() == std::string(1090, 'x'));
  });
}

TEST_CASE("spare blocks: only the last of the values that share bytes frees them") {
  in_new_thread([] {
    std::vector<Value> shared(5, Value(std::string(2000, 'x')));
    shared.resize(1);
    CHECK(spare_bytes() == 0);
    shared.clear();
    CHECK(spare_bytes() >= 2000);
    CHECK(spare_bytes() < 4000);
  });
}

TEST_CASE("spare blocks: small and large ones are not kept") {
  in_new_thread([] {
    own_values(10, 1000).clear();
    own_values(10, 4100).clear();
    CHECK(spare_bytes() == 0);
    own_values(1, 4088).clear();  // with the header of a value, 4 KB
    CHECK(spare_bytes() == 4096);
  });
}

TEST_CASE("spare blocks: a thread keeps at most 64 KB of them") {
  in_new_thread([] {
    own_values(200, 1500).clear();
    own_values(200, 3000).clear();
    CHECK(spare_bytes() <= most_spare_bytes);
    CHECK(spare_bytes() > most_spare_bytes - 4096);
  });
}

TEST_CASE("spare blocks: those of a thread are freed when it ends") {
  const auto allocated = [] { return mallinfo2().uordblks; };
  const auto fill = [] { own_values(60, 1500).clear(); };
  in_new_thread(fill);
  const std::size_t before = allocated();
  for (int i = 0; i < 100; ++i) in_new_thread(fill);
  CHECK(allocated() < before + 5 * most_spare_bytes);
}

TEST_CASE("spare blocks: a value may be freed by another thread") {
  in_new_thread([] {
    std::vector<Value> made = own_values(4, 1500);
    in_new_thread([&] {
      made.clear();
      CHECK(spare_bytes() == 0);  // has allocated none, and so keeps none
    });
    CHECK(spare_bytes() == 0);
  });
}

#endif

}  // namespace dinette::kv::spare_blocks_test
