#include "dinette/kv/value.h"

#include <string>

#include <catch2/catch.hpp>

namespace dinette::kv::value_test {

TEST_CASE("value: null is not a value, the empty string is one") {
  CHECK_FALSE(static_cast<bool>(Value()));
  CHECK(static_cast<bool>(Value("")));
  CHECK(Value().view().empty());
  CHECK(Value("").view().empty());
}

TEST_CASE("value: copies share the bytes, and the last one frees them") {
  const std::int64_t before = Value::live_buffers();
  {
    Value first("bytes");
    Value second = first;
    CHECK(second.view().data() == first.view().data());
    first = Value();
    CHECK(second.view() == "bytes");
    const Value third = std::move(second);
    CHECK_FALSE(static_cast<bool>(second));  // NOLINT: moved from means null
    CHECK(third.view() == "bytes");
    CHECK(Value::live_buffers() == before + 1);
    Value self = third;
    self = *&self;
    CHECK(self.view() == "bytes");
  }
  CHECK(Value::live_buffers() == before);
}

TEST_CASE("value: joined from parts") {
  CHECK(Value::join({"a", "", std::string_view("\0b", 2)}).view() == std::string_view("a\0b", 3));
  CHECK(Value::join({}).view().empty());
  CHECK(Value::make(3, [](char* bytes) { std::char_traits<char>::copy(bytes, "xyz", 3); }).view() == "xyz");
}

}  // namespace dinette::kv::value_test
