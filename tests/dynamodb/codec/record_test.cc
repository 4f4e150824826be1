#include "dynamodb/codec/record.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <catch2/catch.hpp>
#include <malloc.h>

#include "dynamodb/api/limits.h"

namespace dinette::dynamodb::codec::record_test {
namespace {

model::Item item_of(std::size_t bytes) {
  model::Item item;
  item.set("a", model::AttributeValue(std::string(bytes, 'x')));
  return item;
}

/// Bytes that the program has from its allocator; 0 where a sanitizer has replaced that.
std::size_t allocated() {
  const auto memory = mallinfo2();
  return memory.uordblks + memory.hblkhd;
}

TEST_CASE("a record gives back the item and its size") {
  const model::Item item = item_of(1'000);
  const kv::Value record = make_record(item, 1'001);
  CHECK(record_size(record.view()) == 1'001);
  CHECK(read_record(record.view()) == item);
}

TEST_CASE("a thread keeps no large buffer after the record of a large item is made and read") {
  const auto make_and_read = [](std::size_t bytes) {
    const kv::Value record = make_record(item_of(bytes), bytes);
    CHECK(read_record(record.view()).size() == 1);
    const std::string_view name = "a";
    CHECK(read_attributes(record.view(), std::span(&name, 1)).size() == 1);
  };
  make_and_read(1'000);  // what the thread may keep
  const std::size_t before = allocated();
  make_and_read(model::limits::item_bytes - 1);
  CHECK(allocated() < before + 100'000);
}

}  // namespace
}  // namespace dinette::dynamodb::codec::record_test
