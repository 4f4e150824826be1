#include "dynamodb/codec/record.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

template <class T>
bool is_corrupt(const kv::Result<T>& result) {
  return !result && result.error().kind == kv::ErrorKind::corrupt;
}

TEST_CASE("a record gives back the item and its size") {
  const model::Item item = item_of(1'000);
  const kv::Value record = make_record(item, 1'001);
  CHECK(record_size(record.view()) == 1'001);
  const std::string_view name = "a";
  CHECK(*read_attributes(record.view(), std::span(&name, 1)) == item);
}

/// Attributes of every type, with names and texts that need escapes.
model::Item varied_item() {
  model::Item item;
  item.set("", model::AttributeValue(model::Null{}));
  item.set("a\"b", model::AttributeValue(std::string("quote \" backslash \\ both \\\" end \\")));
  item.set("back\\slash\\", model::AttributeValue(std::string("{\"S\":\"}]\"}")));
  item.set("list", model::AttributeValue(model::List{model::AttributeValue(std::string("]},{[")),
                                                     model::AttributeValue(model::Map()),
                                                     model::AttributeValue(model::List())}));
  item.set("map", model::AttributeValue(item));
  item.set("number", model::AttributeValue(*model::Number::parse("-1.5e10", model::Generation::current)));
  item.set("tab\t", model::AttributeValue(true));
  item.set("\xC3\xA9", model::AttributeValue(std::string()));
  return item;
}

/// What varied_item() has not.
model::Item plain_item() {
  model::Item item;
  item.set("binary", model::AttributeValue(model::Binary{std::string("\0\xFF", 2)}));
  item.set("binary set", model::AttributeValue(model::BinarySet{{model::Binary{"a"}, model::Binary{"b"}}}));
  item.set("boolean", model::AttributeValue(false));
  item.set("number", model::AttributeValue(model::Number(12)));
  item.set("string", model::AttributeValue(std::string("plain")));
  item.set("string set", model::AttributeValue(model::StringSet{{"a", "b"}}));
  return item;
}

std::vector<std::string_view> names_of(const model::Item& item) {
  std::vector<std::string_view> names;
  for (const model::Attribute& attribute : item) names.push_back(attribute.name);
  return names;
}

/// Those of `item` at the positions whose bits are set.
model::Item some_of(const model::Item& item, unsigned bits) {
  model::Item some;
  for (std::size_t i = 0; i < item.size(); ++i) {
    const model::Attribute& attribute = item.begin()[static_cast<std::ptrdiff_t>(i)];
    if ((bits >> i & 1U) != 0) some.set(attribute.name, attribute.value);
  }
  return some;
}

TEST_CASE("any attributes of a record are found, whatever is in names and texts") {
  for (const model::Item& item : {varied_item(), plain_item()}) {
    const kv::Value record = make_record(item, 1);
    for (unsigned bits = 0; bits < 1U << item.size(); ++bits) {
      const model::Item wanted = some_of(item, bits);
      std::vector<std::string_view> names = names_of(wanted);
      names.insert(std::ranges::upper_bound(names, "lost"), "lost");  // one that the item has not
      REQUIRE(*read_attributes(record.view(), std::span<const std::string_view>(names)) == wanted);
    }
  }
}

TEST_CASE("what has to be parsed of a record is charged, by its length and its elements") {
  constexpr std::size_t elements = 10'000;
  model::Item item;
  item.set("list", model::AttributeValue(model::List(elements, model::AttributeValue(std::string()))));
  item.set("plain", model::AttributeValue(std::string(100'000, 'x')));
  item.set("texts", model::AttributeValue(model::List(1, model::AttributeValue(std::string(100'000, 'x')))));
  const kv::Value record = make_record(item, 1);
  const auto units = [&](std::string_view name) {
    model::Work work;
    CHECK(read_attributes(record.view(), std::span(&name, 1), work)->size() == 1);
    return work.units();
  };
  CHECK(units("list") >= 8 * elements);
  CHECK(units("plain") < 10);
  CHECK(units("texts") >= 20'000);
  CHECK(units("texts") < units("list"));
}

TEST_CASE("a record is, to the byte, what FORMAT.md says") {
  model::Item item;
  item.set("b", model::AttributeValue(model::Number(7)));
  item.set("a", model::AttributeValue(std::string("x")));
  using namespace std::string_view_literals;
  CHECK(make_record(item, 0x01020304).view() ==
        "\x04\x03\x02\x01"
        "\x02\0\0\x01"  // two attributes; format 1 without flags
        "\x0E\0\0\0"
        "\x1C\0\0\0"
        R"({"a":{"S":"x"},"b":{"N":"7"}})"sv);
}

TEST_CASE("a record may have more attributes than a byte can count") {
  model::Item item;
  for (int i = 0; i < 300; ++i) item.set("n" + std::to_string(i), model::AttributeValue(model::Number(i)));
  const kv::Value record = make_record(item, 1);
  REQUIRE(*read_attributes(record.view(), std::span<const std::string_view>(names_of(item))) == item);
}

TEST_CASE("attributes that are not replaced are copied as they are") {
  const std::vector<std::string_view> texts = {R"("a":{ "S" : "not how we write it"})", R"("b":{"S":"x"})"};
  const std::string_view name = "b";
  const kv::Value replaced = *replace_attributes(join_record(1, texts).view(), std::span(&name, 1), {}, 1);
  CHECK(record_text(replaced.view()) == "{" + std::string(texts[0]) + "}");
}

TEST_CASE("attributes are replaced, added and taken out, and the record is that of the new item") {
  const model::Item item = varied_item();
  const kv::Value record = make_record(item, 1);
  for (unsigned bits = 0; bits < 1U << item.size(); ++bits) {
    const model::Item replaced_ones = some_of(item, bits);
    std::vector<std::string_view> names = names_of(replaced_ones);
    const std::string_view added = "new \"one\"";
    names.insert(std::ranges::upper_bound(names, added), added);
    model::Item after = some_of(item, ~bits);
    for (std::size_t i = 0; i < names.size(); i += 2) {  // every other one is taken out
      after.set(names[i], model::AttributeValue(std::string("new")));
    }
    const kv::Value replaced = *replace_attributes(record.view(), names, after, 77);
    REQUIRE(replaced.view() == make_record(after, 77).view());
  }
}

TEST_CASE("a record cut short is an error, not a read beyond its end") {
  const std::string_view name = "a";
  const kv::Value record = make_record(item_of(10), 11);
  for (std::size_t size = 0; size < record.size(); ++size) {
    const std::string cut(record.view().substr(0, size));  // where the sanitizer sees its end
    CHECK(is_corrupt(read_attributes(cut, std::span(&name, 1))));
    CHECK(is_corrupt(replace_attributes(cut, std::span(&name, 1), {}, 0)));
  }
}

TEST_CASE("a record whose attributes are none is an error") {
  const std::string_view name = "a";
  for (const std::string_view attribute : {"", "a", "\"", "\"a", "\"a\\", "\"a\"", "\"a\":", "\"a\":{",
                                           "\"a\":1", "\"a\",{\"S\":\"x\"}", "\"\\q\":{\"S\":\"x\"}"}) {
    const kv::Value record = join_record(1, std::span(&attribute, 1));
    CHECK(is_corrupt(read_attributes(record.view(), std::span(&name, 1))));
    CHECK(is_corrupt(replace_attributes(record.view(), std::span(&name, 1), {}, 0)));
  }
}

TEST_CASE("a record of another format, or with unknown flags, is an error") {
  constexpr std::size_t format_at = 7;
  const std::string_view name = "a";
  const kv::Value record = make_record(item_of(10), 11);
  for (int format = 0; format < 256; ++format) {
    std::string other(record.view());
    other[format_at] = static_cast<char>(format);
    if (format == 1) {
      CHECK(read_attributes(other, std::span(&name, 1))->size() == 1);
    } else {
      CHECK(is_corrupt(read_attributes(other, std::span(&name, 1))));
      CHECK_FALSE(is_record(other));
    }
  }
}

TEST_CASE("a value that cannot be read is an error") {
  const std::string_view name = "a";
  for (const std::string_view attribute : {"\"a\":{\"S\":\"x", "\"a\":{\"S\":\"x\"]", "\"a\":{\"S\":\"x\\\"}",
                                           "\"a\":{\"BOOL\":yes}", "\"a\":[\"S\":\"x\"]"}) {
    const kv::Value record = join_record(1, std::span(&attribute, 1));
    CHECK(is_corrupt(read_attributes(record.view(), std::span(&name, 1))));
  }
}

TEST_CASE("an item without attributes has a record") {
  const kv::Value record = make_record({}, 0);
  CHECK(record_text(record.view()) == "{}");
  const std::string_view name = "a";
  CHECK(read_attributes(record.view(), std::span(&name, 1))->empty());
  const kv::Value replaced = *replace_attributes(record.view(), std::span(&name, 1), item_of(3), 4);
  CHECK(replaced.view() == make_record(item_of(3), 4).view());
}

TEST_CASE("a thread keeps no large buffer after the record of a large item is made and read") {
  const auto make_and_read = [](std::size_t bytes) {
    const kv::Value record = make_record(item_of(bytes), bytes);
    const std::string_view name = "a";
    CHECK(read_attributes(record.view(), std::span(&name, 1))->size() == 1);
  };
  make_and_read(1'000);  // what the thread may keep
  const std::size_t before = allocated();
  make_and_read(model::limits::item_bytes - 1);
  CHECK(allocated() < before + 100'000);
}

}  // namespace
}  // namespace dinette::dynamodb::codec::record_test
