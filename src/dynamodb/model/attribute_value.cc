#include "dynamodb/model/attribute_value.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <numeric>

namespace dinette::dynamodb::model {
namespace {

/// In the order of Type.
constexpr std::array<std::string_view, 10> type_names = {"S",  "N", "B", "SS",   "NS",
                                                         "BS", "M", "L", "NULL", "BOOL"};

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

std::size_t member_bytes(const std::string& member) {
  return member.size();
}
std::size_t member_bytes(const Number& member) {
  return member.size_in_bytes();
}
std::size_t member_bytes(const Binary& member) {
  return member.bytes.size();
}

std::size_t list_bytes(const List& list) {
  return std::transform_reduce(
      list.begin(), list.end(), container_overhead, std::plus<>(),
      [](const AttributeValue& element) { return element_overhead + size_in_bytes(element); });
}

}  // namespace

std::string_view type_name(Type type) {
  return type_names[static_cast<std::size_t>(type)];
}

std::optional<Type> type_from_name(std::string_view name) {
  // Sizes and first letters tell nearly all of them apart.
  const auto is_it = [name](std::string_view type) {
    return type.size() == name.size() && type.front() == name.front() && type == name;
  };
  const auto* const found = std::find_if(type_names.begin(), type_names.end(), is_it);
  if (found == type_names.end()) return std::nullopt;
  return static_cast<Type>(found - type_names.begin());
}

std::optional<std::strong_ordering> compare(const AttributeValue& a, const AttributeValue& b) {
  if (a.type() != b.type()) return std::nullopt;
  switch (a.type()) {
    case Type::string:
      return a.get<std::string>() <=> b.get<std::string>();  // by unsigned bytes, as char_traits compares
    case Type::number:
      return a.get<Number>() <=> b.get<Number>();
    case Type::binary:
      return a.get<Binary>() <=> b.get<Binary>();
    default:
      return std::nullopt;
  }
}

std::size_t size_in_bytes(const AttributeValue& value) {
  return std::visit(Overloaded{
                        [](const std::string& text) { return text.size(); },
                        [](const Number& number) { return number.size_in_bytes(); },
                        [](const Binary& binary) { return binary.bytes.size(); },
                        []<class Member>(const SetOf<Member>& set) {
                          return std::transform_reduce(
                              set.members.begin(), set.members.end(), std::size_t{0}, std::plus<>(),
                              [](const Member& member) { return member_bytes(member); });
                        },
                        [](const Map& map) {
                          return container_overhead + map.size() * element_overhead + size_in_bytes(map);
                        },
                        [](const List& list) { return list_bytes(list); },
                        [](Null) { return std::size_t{1}; },
                        [](bool) { return std::size_t{1}; },
                    },
                    value.alternatives());
}

std::size_t size_in_bytes(const Item& item) {
  return std::transform_reduce(
      item.begin(), item.end(), std::size_t{0}, std::plus<>(),
      [](const Attribute& attribute) { return attribute.name.size() + size_in_bytes(attribute.value); });
}

}  // namespace dinette::dynamodb::model
