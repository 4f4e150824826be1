#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "dynamodb/model/number.h"

namespace dinette::dynamodb::model {

/// The ten types, in the order of AttributeValue's alternatives.
enum class Type : std::uint8_t {
  string,
  number,
  binary,
  string_set,
  number_set,
  binary_set,
  map,
  list,
  null,
  boolean
};

/// Returns `S`, `N`, `B`, `SS`, `NS`, `BS`, `M`, `L`, `NULL`, `BOOL`.
std::string_view type_name(Type type);
std::optional<Type> type_from_name(std::string_view name);

class AttributeValue;
struct Attribute;

struct Binary {
  std::string bytes;
  friend auto operator<=>(const Binary&, const Binary&) = default;
};
struct Null {
  friend bool operator==(const Null&, const Null&) = default;
};

/// A set: members ascending and each once, so that equal sets are equal vectors. Order means nothing to
/// clients.
template <class Member>
struct SetOf {
  std::vector<Member> members;
  bool contains(const Member& member) const {
    return std::binary_search(members.begin(), members.end(), member);
  }
  friend bool operator==(const SetOf&, const SetOf&) = default;
};
using StringSet = SetOf<std::string>;
using NumberSet = SetOf<Number>;
using BinarySet = SetOf<Binary>;

using List = std::vector<AttributeValue>;

/// Attributes by name, ascending by the name's bytes, each name once. It is both a whole item and the value
/// of type M. Flat, because items are small and are walked far more often than changed.
class Map {
 public:
  using const_iterator = std::vector<Attribute>::const_iterator;

  Map();
  Map(const Map&);
  Map(Map&&) noexcept;
  Map& operator=(const Map&);
  Map& operator=(Map&&) noexcept;
  ~Map();

  /// Takes attributes in any order; of two with one name the later wins.
  static Map from_unsorted(std::vector<Attribute> attributes);

  /// Returns null if there is no such attribute. The pointer is valid until the next change.
  const AttributeValue* find(std::string_view name) const;
  AttributeValue* find(std::string_view name);
  bool contains(std::string_view name) const { return find(name) != nullptr; }

  AttributeValue& set(std::string_view name, AttributeValue value);
  /// Returns false if there was none.
  bool erase(std::string_view name);

  /// Takes all of `attributes`, which ascend and of which the map has none.
  void insert(std::span<Attribute> attributes);
  /// Erases all of `names`, which ascend and which the map has.
  void erase(std::span<const std::string_view> names);

  /// Its attributes, in order; nothing is left in it.
  std::vector<Attribute> take() &&;

  bool empty() const;
  std::size_t size() const;
  const_iterator begin() const;
  const_iterator end() const;

  friend bool operator==(const Map&, const Map&);

 private:
  std::vector<Attribute> attributes_;
};
using Item = Map;

template <class T, class Variant>
inline constexpr bool is_alternative = false;
template <class T, class... Alternatives>
inline constexpr bool is_alternative<T, std::variant<Alternatives...>> = (std::is_same_v<T, Alternatives> ||
                                                                          ...);

/// One value of any of the ten types. A value type with deep copies; equality is the service's
/// (docs/service/values.md section 1): same type, same value, sets and maps without order.
class AttributeValue {
 public:
  using Alternatives =
      std::variant<std::string, Number, Binary, StringSet, NumberSet, BinarySet, Map, List, Null, bool>;

  AttributeValue() : value_(Null{}) {}
  template <class Alternative>
  requires is_alternative<std::remove_cvref_t<Alternative>, Alternatives> AttributeValue(
      Alternative&& value)  // NOLINT: a value is its alternative
      : value_(std::in_place_type<std::remove_cvref_t<Alternative>>, std::forward<Alternative>(value)) {}

  /// Makes it an `Alternative` of those arguments, in place.
  template <class Alternative, class... Arguments>
  Alternative& emplace(Arguments&&... arguments) {
    return value_.template emplace<Alternative>(std::forward<Arguments>(arguments)...);
  }

  Type type() const { return static_cast<Type>(value_.index()); }

  /// Returns null if the value is of another type: `if (const auto* text = value.get_if<std::string>())`.
  template <class Alternative>
  const Alternative* get_if() const {
    return std::get_if<Alternative>(&value_);
  }
  template <class Alternative>
  Alternative* get_if() {
    return std::get_if<Alternative>(&value_);
  }
  /// Returns the value, whose type must be this one.
  template <class Alternative>
  const Alternative& get() const {
    return std::get<Alternative>(value_);
  }
  template <class Alternative>
  Alternative& get() {
    return std::get<Alternative>(value_);
  }

  const Alternatives& alternatives() const { return value_; }

  friend bool operator==(const AttributeValue&, const AttributeValue&) = default;

 private:
  Alternatives value_;
};

struct Attribute {
  std::string name;
  AttributeValue value;
  friend bool operator==(const Attribute&, const Attribute&) = default;
};

/// The order of two values of one ordered type (S by UTF-8 bytes, N numerically, B by unsigned bytes); none
/// when the types differ or have no order.
std::optional<std::strong_ordering> compare(const AttributeValue& a, const AttributeValue& b);

/// Bytes the service counts (docs/service/values.md section 6): for a list or map itself, and for each of its
/// elements in addition to the element.
inline constexpr std::size_t container_overhead = 3;
inline constexpr std::size_t element_overhead = 1;

/// Bytes the service counts, all in all.
std::size_t size_in_bytes(const AttributeValue& value);
std::size_t size_in_bytes(const Item& item);

}  // namespace dinette::dynamodb::model
