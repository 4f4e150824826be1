#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "notation.h"
#include "support/random_seed.h"

/// Random conditions over random items, evaluated a second time in the plainest way: by closures over JSON.
namespace dinette::dynamodb::expr::condition_oracle_test {
namespace {

using notation::Json;

/// A typed value as JSON, or nothing.
using Value = std::optional<Json>;

std::string type_of(const Json& value) {
  return value.begin().key();
}
const Json& content_of(const Json& value) {
  return value.begin().value();
}

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : engine_(seed) {}

  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(engine_);
  }
  bool chance(std::size_t percent) { return below(100) < percent; }
  template <class T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

  // Few different scalars, so that equal ones meet.
  std::string word() { return one_of<std::string>({"", "a", "ab", "b", "abc", "\xC3\xA9"}); }
  std::string number() { return std::to_string(static_cast<int>(below(7)) - 3); }
  std::string base64() { return one_of<std::string>({"", "AQ==", "AQI=", "Ag==", "/w=="}); }

  Json value(int depth) {
    switch (below(depth > 0 ? 10 : 5)) {
      case 0:
        return {{"S", word()}};
      case 1:
        return {{"N", number()}};
      case 2:
        return {{"B", base64()}};
      case 3:
        return {{"BOOL", chance(50)}};
      case 4:
        return {{"NULL", true}};
      case 5:
        return {{"SS", members({"", "a", "ab", "b"})}};
      case 6:
        return {{"NS", members({"-1", "0", "1", "2"})}};
      case 7:
        return {{"BS", members({"", "AQ==", "AQI=", "/w=="})}};
      case 8: {
        Json list = Json::array();
        for (std::size_t i = below(3); i > 0; --i) list.push_back(value(depth - 1));
        return {{"L", list}};
      }
      default:
        return {{"M", item(depth - 1)}};
    }
  }

  Json item(int depth) {
    Json map = Json::object();
    for (const char* name : {"p", "q", "r"}) {
      if (chance(70)) map[name] = value(depth);
    }
    return map;
  }

 private:
  Json members(std::vector<std::string> all) {
    std::ranges::shuffle(all, engine_);
    all.resize(1 + below(3));
    std::ranges::sort(all);
    return all;
  }

  std::mt19937_64 engine_;
};

struct Path {
  std::string text;
  std::vector<Json> steps;  // strings and numbers
};

Value at(const Json& item, const Path& path) {
  Json value = {{"M", item}};
  for (const Json& step : path.steps) {
    const Json content = content_of(value);
    if (step.is_string()) {
      if (type_of(value) != "M" || !content.contains(step.get<std::string>())) return std::nullopt;
      value = content[step.get<std::string>()];
    } else {
      if (type_of(value) != "L" || step.get<std::size_t>() >= content.size()) return std::nullopt;
      value = content[step.get<std::size_t>()];
    }
  }
  return value;
}

std::string bytes_of(const Json& value) {
  const auto text = content_of(value).get<std::string>();
  return type_of(value) == "B" ? base::base64_decode(text).value() : text;
}

/// -1, 0, 1; none when there is no order.
std::optional<int> order(const Json& a, const Json& b) {
  if (type_of(a) != type_of(b)) return std::nullopt;
  if (type_of(a) == "N") {
    const int difference =
        std::stoi(content_of(a).get<std::string>()) - std::stoi(content_of(b).get<std::string>());
    return (difference > 0) - (difference < 0);
  }
  if (type_of(a) != "S" && type_of(a) != "B") return std::nullopt;
  const int difference = bytes_of(a).compare(bytes_of(b));
  return (difference > 0) - (difference < 0);
}

/// The size, or none for what has none.
Value size_of(const Value& value) {
  if (!value) return std::nullopt;
  const std::string type = type_of(*value);
  if (type == "N" || type == "BOOL" || type == "NULL") return std::nullopt;
  std::size_t size = content_of(*value).size();
  // The only character of these texts that is no byte is the two-byte, one-unit \u00E9, which stands alone.
  if (type == "S") size = bytes_of(*value) == "\xC3\xA9" ? 1 : bytes_of(*value).size();
  if (type == "B") size = bytes_of(*value).size();
  return Json{{"N", std::to_string(size)}};
}

bool has_prefix(const Json& a, const Json& b) {
  const std::string type = type_of(a);
  return type == type_of(b) && (type == "S" || type == "B") && bytes_of(a).starts_with(bytes_of(b));
}

bool holds_inside(const Json& a, const Json& b) {
  const std::string type = type_of(a);
  if (type == "S" || type == "B")
    return type == type_of(b) && bytes_of(a).find(bytes_of(b)) != std::string::npos;
  if (type == "L") return std::ranges::find(content_of(a), b) != content_of(a).end();
  if (type == "SS" || type == "NS" || type == "BS") {
    return type == type_of(b) + "S" && std::ranges::find(content_of(a), content_of(b)) != content_of(a).end();
  }
  return false;
}

using Meaning = std::function<bool(const Json& item)>;
struct Condition {
  std::string text;
  Meaning meaning;
};
struct Operand {
  std::string text;
  std::function<Value(const Json&)> value;
  bool size = false;
  std::optional<Json> constant;
};

/// Writes a condition together with what it means.
class Author {
 public:
  explicit Author(Generator& random) : random_(random) {}

  Json values = Json::object();

  Condition condition(int depth) {
    switch (random_.below(depth > 0 ? 8 : 5)) {
      case 0:
      case 1:
        return comparison();
      case 2:
        return membership();
      case 3:
        return range();
      case 4:
        return function();
      case 5: {
        const Condition inner = condition(depth - 1);
        return {"NOT (" + inner.text + ")", [=](const Json& item) { return !inner.meaning(item); }};
      }
      default: {
        const bool both = random_.chance(50);
        const Condition a = bracketed(depth - 1);
        const Condition b = bracketed(depth - 1);
        return {a.text + (both ? " AND " : " OR ") + b.text, [=](const Json& item) {
                  return both ? a.meaning(item) && b.meaning(item) : a.meaning(item) || b.meaning(item);
                }};
      }
    }
  }

 private:
  Condition bracketed(int depth) {
    Condition inner = condition(depth);
    inner.text = "(" + inner.text + ")";
    return inner;
  }

  Path path() {
    Path path;
    const std::size_t steps = 1 + (random_.chance(40) ? random_.below(3) : 0);
    for (std::size_t i = 0; i < steps; ++i) {
      if (i > 0 && random_.chance(40)) {
        path.steps.emplace_back(random_.below(3));
        path.text += "[" + path.steps.back().dump() + "]";
      } else {
        const std::string name = random_.one_of<std::string>({"p", "q", "r"});
        path.text += (i == 0 ? "" : ".") + name;
        path.steps.emplace_back(name);
      }
    }
    return path;
  }

  Operand constant(const Json& value) {
    const std::string placeholder = ":v" + std::to_string(values.size());
    values[placeholder] = value;
    return {placeholder, [=](const Json&) { return Value(value); }, false, value};
  }

  Operand of_path() {
    const Path where = path();
    return {where.text, [=](const Json& item) { return at(item, where); }, false, std::nullopt};
  }

  Operand operand() {
    const std::size_t kind = random_.below(10);
    if (kind < 5) return constant(random_.value(1));
    if (kind < 8) return of_path();
    const Path where = path();
    return {"size(" + where.text + ")", [=](const Json& item) { return size_of(at(item, where)); }, true,
            std::nullopt};
  }

  // For what is checked before evaluation: of a type with an order.
  Operand ordered_operand() {
    while (true) {
      Operand one = operand();
      if (!one.constant || order(*one.constant, *one.constant)) return one;
      values.erase(one.text);
    }
  }

  Condition comparison() {
    const std::string op = random_.one_of<std::string>({"=", "<>", "<", "<=", ">", ">="});
    const bool equality = op == "=" || op == "<>";
    const Operand a = equality ? operand() : ordered_operand();
    const Operand b = equality ? operand() : ordered_operand();
    if (a.text == b.text) return exists();
    return {a.text + " " + op + " " + b.text, [=](const Json& item) {
              const Value left = a.value(item);
              const Value right = b.value(item);
              if (!left || !right) {
                const bool sizeless = (a.size && !left) || (b.size && !right);
                return op == "<>" && !sizeless;
              }
              if (op == "=") return *left == *right;
              if (op == "<>") return *left != *right;
              const auto compared = order(*left, *right);
              if (!compared) return false;
              return op == "<"    ? *compared < 0
                     : op == "<=" ? *compared <= 0
                     : op == ">"  ? *compared > 0
                                  : *compared >= 0;
            }};
  }

  Condition membership() {
    const Operand subject = of_path();
    std::vector<Operand> others;
    std::string text = subject.text + " IN (";
    for (std::size_t i = 1 + random_.below(3); i > 0; --i) {
      others.push_back(constant(random_.value(1)));
      text += others.back().text + (i > 1 ? ", " : ")");
    }
    return {text, [=](const Json& item) {
              const Value value = subject.value(item);
              return value &&
                     std::ranges::any_of(others, [&](const Operand& one) { return *one.constant == *value; });
            }};
  }

  Condition range() {
    const Operand subject = of_path();
    Json low = random_.chance(50) ? Json{{"S", random_.word()}} : Json{{"N", random_.number()}};
    Json high = type_of(low) == "S" ? Json{{"S", random_.word()}} : Json{{"N", random_.number()}};
    if (*order(low, high) > 0) std::swap(low, high);
    return {subject.text + " BETWEEN " + constant(low).text + " AND " + constant(high).text,
            [=](const Json& item) {
              const Value value = subject.value(item);
              return value && order(*value, low).value_or(-1) >= 0 && order(*value, high).value_or(1) <= 0;
            }};
  }

  Condition exists() {
    const Path where = path();
    const bool wanted = random_.chance(50);
    return {(wanted ? "attribute_exists(" : "attribute_not_exists(") + where.text + ")",
            [=](const Json& item) { return at(item, where).has_value() == wanted; }};
  }

  Condition function() {
    const Operand subject = of_path();
    switch (random_.below(4)) {
      case 0:
        return exists();
      case 1: {
        const std::string type =
            random_.one_of<std::string>({"S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"});
        return {"attribute_type(" + subject.text + ", " + constant({{"S", type}}).text + ")",
                [=](const Json& item) {
                  const Value value = subject.value(item);
                  return value && type_of(*value) == type;
                }};
      }
      case 2: {
        const Operand start =
            constant(random_.chance(50) ? Json{{"S", random_.word()}} : Json{{"B", random_.base64()}});
        return {"begins_with(" + subject.text + ", " + start.text + ")", [=](const Json& item) {
                  const Value value = subject.value(item);
                  return value && has_prefix(*value, *start.constant);
                }};
      }
      default: {
        const Operand part = operand();
        if (part.text == subject.text) return exists();
        return {"contains(" + subject.text + ", " + part.text + ")", [=](const Json& item) {
                  const Value value = subject.value(item);
                  const Value wanted = part.value(item);
                  return value && wanted && holds_inside(*value, *wanted);
                }};
      }
    }
  }

  Generator& random_;
};

TEST_CASE("random conditions mean the same to a naive evaluator") {
  Generator random(test::random_seed());
  std::size_t met = 0;
  const auto rounds = static_cast<std::size_t>(dinette::test::rounds_of(4000));
  for (std::size_t round = 0; round < rounds; ++round) {
    Author author(random);
    const Condition written = author.condition(4);
    CAPTURE(written.text, author.values.dump());
    notation::Request request("{}", author.values.dump());
    const auto parsed = parse(Kind::condition, written.text, SizeTail::omitted);
    REQUIRE(parsed.ok());
    const auto bound = bind_condition(*parsed, request.placeholders);
    if (!bound.ok()) FAIL(bound.error().message);
    REQUIRE(check_unused(request.placeholders).ok());
    for (int i = 0; i < 8; ++i) {
      const Json json = random.item(2);
      CAPTURE(json.dump());
      const model::Item item = notation::map(json);
      const bool expected = written.meaning(json);
      model::Work work;
      REQUIRE(bound->evaluate(&item, work) == expected);
      met += expected ? 1U : 0U;
    }
  }
  // Neither answer is rare, else the comparison would say little.
  CHECK(met > rounds);
  CHECK(met < 7 * rounds);
}

}  // namespace
}  // namespace dinette::dynamodb::expr::condition_oracle_test
