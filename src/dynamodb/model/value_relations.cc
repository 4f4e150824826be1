#include "dynamodb/model/value_relations.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

#include "dinette/base/sorted_difference.h"
#include "dinette/base/utf8.h"

namespace dinette::dynamodb::model {
namespace {

template <class Member>
bool has_member(const AttributeValue& value, const AttributeValue& part) {
  const auto* const set = value.get_if<SetOf<Member>>();
  const auto* const member = part.get_if<Member>();
  return set != nullptr && member != nullptr && set->contains(*member);
}

/// Returns `combine(a, b)` of the members of two sets of one type.
template <class Member, class Combine>
std::optional<AttributeValue> combine_sets(const AttributeValue& a, const AttributeValue& b,
                                           Combine combine) {
  const auto* const left = a.get_if<SetOf<Member>>();
  const auto* const right = b.get_if<SetOf<Member>>();
  if (left == nullptr || right == nullptr) return std::nullopt;
  return AttributeValue(SetOf<Member>{combine(left->members, right->members)});
}

template <class Combine>
std::optional<AttributeValue> combine_any_sets(const AttributeValue& a, const AttributeValue& b,
                                               Combine combine) {
  switch (a.type()) {
    case Type::string_set:
      return combine_sets<std::string>(a, b, combine);
    case Type::number_set:
      return combine_sets<Number>(a, b, combine);
    case Type::binary_set:
      return combine_sets<Binary>(a, b, combine);
    default:
      return std::nullopt;
  }
}

/// In linear time, which std::string::find does not promise: a hundred kilobytes of one letter in four
/// hundred would cost it a second.
bool has_part(std::string_view whole, std::string_view part, Work& work) {
  constexpr std::size_t bytes_per_unit = 4;
  work.add(whole.size() / bytes_per_unit);
  return part.empty() || memmem(whole.data(), whole.size(), part.data(), part.size()) != nullptr;
}

constexpr std::size_t elements_per_unit = 2;

template <class Container, class Same>
bool equal_elements(const Container& a, const Container& b, Work& work, Same same) {
  if (a.size() != b.size()) return false;
  const auto differs = std::mismatch(a.begin(), a.end(), b.begin(), same).first;
  work.add(static_cast<std::size_t>(differs - a.begin()) / elements_per_unit);
  return differs == a.end();
}

template <class Member>
bool equal_sets(const AttributeValue& a, const AttributeValue& b, Work& work) {
  return equal_elements(a.get<SetOf<Member>>().members, b.get<SetOf<Member>>().members, work,
                        std::equal_to<>());
}

bool equal_texts(std::string_view a, std::string_view b, Work& work) {
  constexpr std::size_t bytes_per_unit = 128;
  if (a.size() != b.size()) return false;
  work.add(a.size() / bytes_per_unit);
  return a == b;
}

}  // namespace

bool equal(const AttributeValue& a, const AttributeValue& b, Work& work) {
  if (a.type() != b.type()) return false;
  switch (a.type()) {
    case Type::string:
      return equal_texts(a.get<std::string>(), b.get<std::string>(), work);
    case Type::binary:
      return equal_texts(a.get<Binary>().bytes, b.get<Binary>().bytes, work);
    case Type::string_set:
      return equal_sets<std::string>(a, b, work);
    case Type::number_set:
      return equal_sets<Number>(a, b, work);
    case Type::binary_set:
      return equal_sets<Binary>(a, b, work);
    case Type::list:
      return equal_elements(a.get<List>(), b.get<List>(), work,
                            [&](const auto& x, const auto& y) { return equal(x, y, work); });
    case Type::map:
      return equal_elements(a.get<Map>(), b.get<Map>(), work, [&](const auto& x, const auto& y) {
        return x.name == y.name && equal(x.value, y.value, work);
      });
    case Type::number:
    case Type::null:
    case Type::boolean:
      break;
  }
  return a == b;
}

bool begins_with(const AttributeValue& value, const AttributeValue& prefix) {
  if (value.type() != prefix.type()) return false;
  if (const auto* text = value.get_if<std::string>()) return text->starts_with(prefix.get<std::string>());
  if (const auto* binary = value.get_if<Binary>())
    return binary->bytes.starts_with(prefix.get<Binary>().bytes);
  return false;
}

bool contains(const AttributeValue& value, const AttributeValue& part, Work& work) {
  switch (value.type()) {
    case Type::string:
      return part.type() == Type::string && has_part(value.get<std::string>(), part.get<std::string>(), work);
    case Type::binary:
      return part.type() == Type::binary &&
             has_part(value.get<Binary>().bytes, part.get<Binary>().bytes, work);
    case Type::string_set:
      return has_member<std::string>(value, part);
    case Type::number_set:
      return has_member<Number>(value, part);
    case Type::binary_set:
      return has_member<Binary>(value, part);
    case Type::list: {
      const auto& list = value.get<List>();
      const auto found = std::find_if(list.begin(), list.end(), [&](const AttributeValue& element) {
        return equal(element, part, work);
      });
      work.add(static_cast<std::size_t>(found - list.begin()) / elements_per_unit);
      return found != list.end();
    }
    default:
      return false;
  }
}

std::optional<std::size_t> element_count(const AttributeValue& value) {
  switch (value.type()) {
    case Type::string:
      return base::utf16_length(value.get<std::string>());
    case Type::binary:
      return value.get<Binary>().bytes.size();
    case Type::string_set:
      return value.get<StringSet>().members.size();
    case Type::number_set:
      return value.get<NumberSet>().members.size();
    case Type::binary_set:
      return value.get<BinarySet>().members.size();
    case Type::list:
      return value.get<List>().size();
    case Type::map:
      return value.get<Map>().size();
    default:
      return std::nullopt;
  }
}

std::optional<AttributeValue> unite(const AttributeValue& a, const AttributeValue& b) {
  return combine_any_sets(a, b, []<class Members>(const Members& left, const Members& right) {
    Members both;
    std::set_union(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
    return both;
  });
}

std::optional<AttributeValue> difference(const AttributeValue& a, const AttributeValue& b) {
  // A statement may take one long set away from hundreds of short ones.
  return combine_any_sets(
      a, b, [](const auto& left, const auto& right) { return base::sorted_difference(left, right); });
}

bool is_set(Type type) {
  return type == Type::string_set || type == Type::number_set || type == Type::binary_set;
}

}  // namespace dinette::dynamodb::model
