#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "dinette/base/erase_at.h"

#include "dynamodb/model/attribute_value.h"

namespace dinette::dynamodb::model {
namespace {

/// Also returns true for two with the same name.
bool out_of_order(const Attribute& a, const Attribute& b) {
  return a.name >= b.name;
}

bool named_before(const Attribute& attribute, std::string_view name) {
  return attribute.name < name;
}

/// The place of `name`, or where it would be inserted.
template <class Attributes>
auto lower_bound(Attributes& attributes, std::string_view name) {
  return std::lower_bound(attributes.begin(), attributes.end(), name, named_before);
}

template <class Attributes>
auto* find_in(Attributes& attributes, std::string_view name) {
  // Keys, and what is read of an item, have few attributes. To look at each for equality is cheaper then.
  constexpr std::size_t few = 8;
  const bool each = attributes.size() <= few;
  const auto at =
      each ? std::ranges::find(attributes, name, &Attribute::name) : lower_bound(attributes, name);
  return at != attributes.end() && (each || at->name == name) ? &at->value : nullptr;
}

/// Sorts by name; of several with one name the last is kept. Moves each large attribute only once.
std::vector<Attribute> sorted(std::vector<Attribute> attributes) {
  std::vector<Attribute*> order;
  order.reserve(attributes.size());
  for (Attribute& attribute : attributes) order.push_back(&attribute);
  std::sort(order.begin(), order.end(), [](const Attribute* a, const Attribute* b) {
    const int by_name = a->name.compare(b->name);
    return by_name != 0 ? by_name < 0 : a < b;
  });
  std::vector<Attribute> result;
  result.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool last_of_name = i + 1 == order.size() || order[i]->name != order[i + 1]->name;
    if (last_of_name) result.push_back(std::move(*order[i]));
  }
  return result;
}

}  // namespace

Map::Map() = default;
Map::Map(const Map&) = default;
Map::Map(Map&&) noexcept = default;
Map& Map::operator=(const Map&) = default;
Map& Map::operator=(Map&&) noexcept = default;
Map::~Map() = default;

Map Map::from_unsorted(std::vector<Attribute> attributes) {
  const bool in_order =
      std::adjacent_find(attributes.begin(), attributes.end(), out_of_order) == attributes.end();
  Map map;
  map.attributes_ = in_order ? std::move(attributes) : sorted(std::move(attributes));
  return map;
}

const AttributeValue* Map::find(std::string_view name) const {
  return find_in(attributes_, name);
}
AttributeValue* Map::find(std::string_view name) {
  return find_in(attributes_, name);
}

AttributeValue& Map::set(std::string_view name, AttributeValue value) {
  const auto at = lower_bound(attributes_, name);
  if (at != attributes_.end() && at->name == name) return at->value = std::move(value);
  return attributes_.insert(at, Attribute{std::string(name), std::move(value)})->value;
}

bool Map::erase(std::string_view name) {
  const auto at = lower_bound(attributes_, name);
  if (at == attributes_.end() || at->name != name) return false;
  attributes_.erase(at);
  return true;
}

void Map::insert(std::span<Attribute> attributes) {
  if (attributes.size() == 1) {
    attributes_.insert(lower_bound(attributes_, attributes.front().name), std::move(attributes.front()));
    return;
  }
  const auto old_size = static_cast<std::ptrdiff_t>(attributes_.size());
  attributes_.insert(attributes_.end(), std::make_move_iterator(attributes.begin()),
                     std::make_move_iterator(attributes.end()));
  std::inplace_merge(attributes_.begin(), attributes_.begin() + old_size, attributes_.end(),
                     [](const Attribute& a, const Attribute& b) { return a.name < b.name; });
}

void Map::erase(std::span<const std::string_view> names) {
  if (names.size() == 1) {
    erase(names.front());
    return;
  }
  std::vector<std::size_t> positions;
  positions.reserve(names.size());
  for (const std::string_view name : names) {
    positions.push_back(static_cast<std::size_t>(lower_bound(attributes_, name) - attributes_.begin()));
  }
  base::erase_at(attributes_, positions);
}

std::vector<Attribute> Map::take() && {
  return std::exchange(attributes_, {});
}

bool Map::empty() const {
  return attributes_.empty();
}
std::size_t Map::size() const {
  return attributes_.size();
}
Map::const_iterator Map::begin() const {
  return attributes_.begin();
}
Map::const_iterator Map::end() const {
  return attributes_.end();
}

bool operator==(const Map& a, const Map& b) {
  return a.attributes_ == b.attributes_;
}

}  // namespace dinette::dynamodb::model
