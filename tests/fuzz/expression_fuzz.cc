#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "dynamodb/expr/expressions.h"
#include "dynamodb/expr/key_condition.h"
#include "dynamodb/expr/search_condition.h"

/// Any text as an expression of any kind: the first byte chooses the kind, the rest is the text. What parses
/// is bound to a fixed request and run against a fixed item.
namespace {

using namespace dinette::dynamodb::expr;   // NOLINT: the subject of this program
using namespace dinette::dynamodb::model;  // NOLINT

const std::vector<NameEntry>& names() {
  static const std::vector<NameEntry> entries = {
      {"#a", "a"}, {"#b", "b"}, {"#c", "dotted.name"}, {"#0", "l"}};
  return entries;
}

const std::vector<ValueEntry>& values() {
  static const std::vector<ValueEntry> entries = {
      {":a", AttributeValue(std::string("text"))},
      {":b", AttributeValue(Number(7))},
      {":c", AttributeValue(Binary{"\x01\xFF"})},
      {":l", AttributeValue(List{Number(1), std::string("x")})},
      {":s", AttributeValue(StringSet{{"a", "b"}})},
      {":n", AttributeValue(NumberSet{{Number(1), Number(2)}})},
      {":t", AttributeValue(std::string("SS"))},
  };
  return entries;
}

const Item& item() {
  static const Item fixed = Map::from_unsorted({
      {"a", std::string("text and more")},
      {"b", Number(5)},
      {"l", List{std::string("x"), Number(2), Map::from_unsorted({{"a", List{Null{}, true}}})}},
      {"m", Map::from_unsorted({{"a", Number(1)}, {"b", Map::from_unsorted({{"l", List{}}})}})},
      {"s", StringSet{{"a", "c"}}},
      {"n", NumberSet{{Number(2), Number(3)}}},
  });
  return fixed;
}

const Item& key() {
  static const Item fixed = Map::from_unsorted({{"pk", std::string("1")}});
  return fixed;
}

void run_condition(const ParsedRef& parsed, Placeholders& placeholders) {
  const auto condition = bind_condition(parsed, placeholders);
  if (!condition.ok()) return;
  Work work;
  condition->evaluate(&item(), work);
  condition->evaluate(nullptr, work);
  condition->attributes();
}

void run_update(const ParsedRef& parsed, Placeholders& placeholders) {
  const auto update = bind_update(parsed, placeholders);
  if (!update.ok()) return;
  for (const Item* old : {&item(), static_cast<const Item*>(nullptr)}) {
    update->statement_charge(old);
    static_cast<void>(update->apply(old, key()));
  }
  update->touched(item());
  update->attributes();
}

void run_projection(const ParsedRef& parsed, Placeholders& placeholders) {
  const auto projection = bind_projection(parsed, placeholders);
  if (!projection.ok()) return;
  projection->project(item());
  projection->attributes();
}

void run_key_condition(const ParsedRef& parsed, Placeholders& placeholders) {
  const auto condition = bind_key_condition(parsed, placeholders);
  if (!condition.ok()) return;
  const std::vector<KeyPart> schema = {{"a", Type::string, true}, {"b", Type::number, false}};
  static_cast<void>(match_key(condition->clauses, schema));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto kind = static_cast<Kind>(data[0] % 6);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto parsed = parse(kind, text, SizeTail::printed);
  if (!parsed.ok()) return 0;
  Placeholders placeholders(names(), values());
  switch (kind) {
    case Kind::condition:
    case Kind::filter:
      run_condition(*parsed, placeholders);
      break;
    case Kind::update:
      run_update(*parsed, placeholders);
      break;
    case Kind::projection:
      run_projection(*parsed, placeholders);
      break;
    case Kind::key_condition:
      run_key_condition(*parsed, placeholders);
      break;
    case Kind::search_condition:
      static_cast<void>(bind_search_condition(parsed.value(), placeholders));
      break;
  }
  static_cast<void>(check_unused(placeholders));
  return 0;
}
