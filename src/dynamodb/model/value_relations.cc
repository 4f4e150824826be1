#include "dynamodb/model/value_relations.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

#include "dinette/base/utf8.h"

namespace dinette::dynamodb::model {
namespace {

template <class Member>
bool has_member(const AttributeValue& value, const AttributeValue& part) {
  const auto* const set = value.get_if<SetOf<Member>>();
  const auto* const member = part.get_if<Member>();
  return set != nullptr && member != nullptr && set->contains(*member);
}

/// `combine(a, b, out)` on the members of two sets of one type.
template <class Member, class Combine>
std::optional<AttributeValue> combine_sets(const AttributeValue& a, const AttributeValue& b,
                                           Combine combine) {
  const auto* const left = a.get_if<SetOf<Member>>();
  const auto* const right = b.get_if<SetOf<Member>>();
  if (left == nullptr || right == nullptr) return std::nullopt;
  SetOf<Member> result;
  combine(left->members, right->members, std::back_inserter(result.members));
  return AttributeValue(std::move(result));
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
bool has_part(std::string_view whole, std::string_view part) {
  return part.empty() || memmem(whole.data(), whole.size(), part.data(), part.size()) != nullptr;
}

}  // namespace

bool begins_with(const AttributeValue& value, const AttributeValue& prefix) {
  if (value.type() != prefix.type()) return false;
  if (const auto* text = value.get_if<std::string>()) return text->starts_with(prefix.get<std::string>());
  if (const auto* binary = value.get_if<Binary>())
    return binary->bytes.starts_with(prefix.get<Binary>().bytes);
  return false;
}

bool contains(const AttributeValue& value, const AttributeValue& part) {
  switch (value.type()) {
    case Type::string:
      return part.type() == Type::string && has_part(value.get<std::string>(), part.get<std::string>());
    case Type::binary:
      return part.type() == Type::binary && has_part(value.get<Binary>().bytes, part.get<Binary>().bytes);
    case Type::string_set:
      return has_member<std::string>(value, part);
    case Type::number_set:
      return has_member<Number>(value, part);
    case Type::binary_set:
      return has_member<Binary>(value, part);
    case Type::list: {
      const auto& list = value.get<List>();
      return std::find(list.begin(), list.end(), part) != list.end();
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
  return combine_any_sets(a, b, [](const auto& left, const auto& right, auto out) {
    std::set_union(left.begin(), left.end(), right.begin(), right.end(), out);
  });
}

std::optional<AttributeValue> difference(const AttributeValue& a, const AttributeValue& b) {
  return combine_any_sets(a, b, [](const auto& left, const auto& right, auto out) {
    std::set_difference(left.begin(), left.end(), right.begin(), right.end(), out);
  });
}

bool is_set(Type type) {
  return type == Type::string_set || type == Type::number_set || type == Type::binary_set;
}

}  // namespace dinette::dynamodb::model
