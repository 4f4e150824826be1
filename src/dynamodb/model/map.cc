#include <algorithm>
#include <iterator>
#include <utility>

#include "dynamodb/model/attribute_value.h"

namespace dinette::dynamodb::model {
namespace {

bool ascending(const Attribute& a, const Attribute& b) {
  return a.name < b.name;
}
bool out_of_order(const Attribute& a, const Attribute& b) {
  return !ascending(a, b);
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
  const auto at = lower_bound(attributes, name);
  return at != attributes.end() && at->name == name ? &at->value : nullptr;
}

/// Of neighbours with one name keeps the last.
void keep_last_of_each(std::vector<Attribute>& sorted) {
  const auto same_name = [](const Attribute& a, const Attribute& b) { return a.name == b.name; };
  const auto kept = std::unique(sorted.rbegin(), sorted.rend(), same_name);
  sorted.erase(sorted.begin(), kept.base());
}

}  // namespace

Map::Map() = default;
Map::Map(const Map&) = default;
Map::Map(Map&&) noexcept = default;
Map& Map::operator=(const Map&) = default;
Map& Map::operator=(Map&&) noexcept = default;
Map::~Map() = default;

Map Map::from_unsorted(std::vector<Attribute> attributes) {
  if (std::adjacent_find(attributes.begin(), attributes.end(), out_of_order) != attributes.end()) {
    std::stable_sort(attributes.begin(), attributes.end(), ascending);
    keep_last_of_each(attributes);
  }
  Map map;
  map.attributes_ = std::move(attributes);
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
