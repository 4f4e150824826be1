#include "dynamodb/model/value_checks.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "dinette/base/base64.h"

#include "dynamodb/api/limits.h"

namespace dinette::dynamodb::model {
namespace {

std::string refusal(std::string_view sentence) {
  return std::string(invalid_parameters).append(sentence);
}

/// The set of `as_sent`, which is left as it was if two members are equal.
template <class Member>
std::optional<SetOf<Member>> make_set(std::vector<Member>& as_sent) {
  if (std::adjacent_find(as_sent.begin(), as_sent.end(), std::greater_equal<>()) == as_sent.end()) {
    return SetOf<Member>{std::move(as_sent)};
  }
  std::vector<std::size_t> order(as_sent.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return as_sent[a] < as_sent[b]; });
  const auto equal = [&](auto a, auto b) { return as_sent[a] == as_sent[b]; };
  if (std::adjacent_find(order.begin(), order.end(), equal) != order.end()) return std::nullopt;
  SetOf<Member> set;
  set.members.reserve(order.size());
  for (const auto index : order) set.members.push_back(std::move(as_sent[index]));
  return set;
}

/// The members in the order in which the current generation lists them: those before the first repetition in
/// ascending order, then that one and the rest as sent.
template <class Member>
std::vector<Member> in_current_order(const std::vector<Member>& as_sent) {
  std::set<Member> before;
  auto repeated = as_sent.begin();
  while (repeated != as_sent.end() && before.insert(*repeated).second) ++repeated;
  std::vector<Member> listed(before.begin(), before.end());
  listed.insert(listed.end(), repeated, as_sent.end());
  return listed;
}

struct ListStyle {
  std::string_view quote;
  std::string_view separator;
};
constexpr ListStyle plain = {"", ", "};
constexpr ListStyle quoted = {"\"", ", "};
constexpr ListStyle quoted_dense = {"\"", ","};

std::string_view shown(const std::string& member) {
  return member;
}
std::string shown(const Binary& member) {
  return base::base64_encode(member.bytes);
}

template <class Member>
std::string listing(const std::vector<Member>& members, ListStyle style) {
  std::string text = "[";
  for (const auto& member : members) {
    if (&member != &members.front()) text += style.separator;
    text.append(style.quote).append(shown(member)).append(style.quote);
  }
  return text + "]";
}

bool nests_deeper_than(int levels, const AttributeValue& value) {
  if (levels == 0) return true;
  if (const auto* list = value.get_if<List>()) {
    return std::any_of(list->begin(), list->end(),
                       [&](const AttributeValue& element) { return nests_deeper_than(levels - 1, element); });
  }
  if (const auto* map = value.get_if<Map>()) {
    return std::any_of(map->begin(), map->end(),
                       [&](const Attribute& entry) { return nests_deeper_than(levels - 1, entry.value); });
  }
  return false;
}

Checked<void> check_key_length(std::size_t bytes, KeyRole role) {
  if (role == KeyRole::partition) {
    if (bytes <= limits::partition_key_bytes) return {};
    return base::Failure{refusal("Size of hashkey has exceeded the maximum size limit of" +
                                 std::to_string(limits::partition_key_bytes) + " bytes")};
  }
  // Nothing is really summed.
  if (bytes <= limits::sort_key_bytes) return {};
  return base::Failure{refusal("Aggregated size of all range keys has exceeded the size limit of " +
                               std::to_string(limits::sort_key_bytes) + " bytes")};
}

Checked<void> check_key_bytes(std::string_view name, const std::string& bytes, std::string_view kind,
                              KeyRole role) {
  if (bytes.empty()) {
    return base::Failure{
        std::string("One or more parameter values are not valid. The AttributeValue for a key "
                    "attribute cannot contain an empty ")
            .append(kind)
            .append(" value. Key: ")
            .append(name)};
  }
  return check_key_length(bytes.size(), role);
}

}  // namespace

Checked<Number> read_number(std::string_view text, Generation generation) {
  const auto number = Number::parse(text, generation);
  if (!number) return base::Failure{message(number.error(), text, generation)};
  return *number;
}

Checked<StringSet> make_string_set(std::vector<std::string>&& as_sent, Generation generation) {
  if (as_sent.empty()) return base::Failure{refusal(empty_string_set)};
  if (auto set = make_set(as_sent)) return *std::move(set);
  const auto listed = generation == Generation::current ? listing(in_current_order(as_sent), quoted)
                                                        : listing(as_sent, plain);
  return base::Failure{refusal("Input collection " + listed + " contains duplicates.")};
}

Checked<BinarySet> make_binary_set(std::vector<Binary>&& as_sent, Generation generation) {
  if (as_sent.empty()) return base::Failure{refusal(empty_binary_set)};
  if (auto set = make_set(as_sent)) return *std::move(set);
  const auto listed = generation == Generation::current ? listing(in_current_order(as_sent), quoted_dense)
                                                        : listing(as_sent, plain);
  return base::Failure{refusal("Input collection " + listed + "of type BS contains duplicates.")};
}

Checked<NumberSet> make_number_set(std::vector<Number>&& as_sent, Generation generation) {
  if (as_sent.empty()) return base::Failure{refusal("An number set  may not be empty")};
  if (auto set = make_set(as_sent)) return *std::move(set);
  if (generation == Generation::current)
    return base::Failure{refusal("Input collection contains duplicates.")};
  return base::Failure{std::string("Input collection contains duplicates")};
}

Checked<NumberSet> read_number_set(const std::vector<std::string>& as_sent, Generation generation) {
  std::vector<Number> numbers;
  numbers.reserve(as_sent.size());
  for (const auto& text : as_sent) {
    DINETTE_TRY(const Number number, read_number(text, generation));
    numbers.push_back(number);
  }
  return make_number_set(std::move(numbers), generation);
}

Checked<Null> make_null(bool as_sent) {
  if (!as_sent) return base::Failure{refusal(null_not_true)};
  return Null{};
}

bool nests_too_deep(const AttributeValue& value) {
  return nests_deeper_than(limits::nesting_levels, value);
}

bool nests_too_deep(const Item& item) {
  return std::any_of(item.begin(), item.end(),
                     [](const Attribute& attribute) { return nests_too_deep(attribute.value); });
}

Checked<void> check_key_value(std::string_view name, const AttributeValue& value, KeyRole role) {
  if (const auto* text = value.get_if<std::string>()) return check_key_bytes(name, *text, "string", role);
  if (const auto* binary = value.get_if<Binary>())
    return check_key_bytes(name, binary->bytes, "binary", role);
  return {};
}

}  // namespace dinette::dynamodb::model
