#include "dynamodb/expr/path_set.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>

namespace dinette::dynamodb::expr {
namespace {

using model::AttributeValue;

enum class Relation { apart, overlap, conflict };

Relation relation(const Parsed& parsed, const Bindings& bindings, Path a, Path b) {
  const std::size_t common = std::min(a.count, b.count);
  for (std::size_t depth = 0; depth < common; ++depth) {
    const Step one = step(parsed, bindings, a, depth);
    const Step other = step(parsed, bindings, b, depth);
    if (one.index != other.index) return Relation::conflict;
    if (compare(one, other) != 0) return Relation::apart;
  }
  return Relation::overlap;
}

base::Failure<ExpressionError> refuse(const Parsed& parsed, const Bindings& bindings, Path one, Path two,
                                      Relation how) {
  const std::string_view verb = how == Relation::overlap ? "overlap" : "conflict";
  return invalid(parsed.kind, "Two document paths " + std::string(verb) +
                                  " with each other; must remove or rewrite one of these paths; path one: " +
                                  printed(parsed, bindings, one) +
                                  ", path two: " + printed(parsed, bindings, two));
}

// Refuses the first target that is in this relation to an earlier one. Targets are kept sorted, so comparing
// neighbours suffices; for conflicts only if none of them overlap.
Checked refuse_first_pair(const Parsed& parsed, const Bindings& bindings, Relation how) {
  const auto& targets = parsed.targets;
  const auto before = [&](std::size_t a, std::size_t b) {
    return compare_paths(parsed, bindings, targets[a], targets[b]) < 0;
  };
  const auto related = [&](std::size_t a, std::size_t b) {
    return relation(parsed, bindings, targets[a], targets[b]) == how;
  };
  std::set<std::size_t, decltype(before)> earlier(before);
  for (std::size_t second = 0; second < targets.size(); ++second) {
    const auto next = earlier.lower_bound(second);
    const bool found = (next != earlier.end() && related(*next, second)) ||
                       (next != earlier.begin() && related(*std::prev(next), second));
    earlier.insert(second);
    if (!found) continue;
    std::size_t first = 0;
    while (!related(first, second)) ++first;
    return refuse(parsed, bindings, targets[first], targets[second], how);
  }
  return {};
}

std::optional<AttributeValue> select_from(const AttributeValue& value, TargetRun run);

/// Both are in order. Either the filter may have many paths, or the map many entries.
void select_from(const model::Map& map, TargetRun run, model::Map& selected) {
  const auto named_before = [](const model::Attribute& attribute, std::string_view name) {
    return attribute.name < name;
  };
  std::vector<model::Attribute> parts;
  for (auto attribute = map.begin(); !run.targets.empty() && attribute != map.end();) {
    const std::string_view name = run.step().name;
    if (attribute->name < name) {
      attribute = std::lower_bound(attribute, map.end(), name, named_before);
    } else if (attribute->name > name) {
      run.skip_before(attribute->name);
    } else if (auto part = select_from(attribute->value, run.take_group())) {
      parts.push_back({attribute->name, std::move(*part)});
    }
  }
  selected = model::Map::from_unsorted(std::move(parts));
}

void select_from(const model::List& list, TargetRun run, model::List& selected) {
  while (!run.targets.empty()) {
    const std::size_t position = run.step().position;
    const TargetRun group = run.take_group();
    if (position >= list.size()) return;
    if (auto part = select_from(list[position], group)) selected.push_back(std::move(*part));
  }
}

// None if nothing of the value is selected; a path into a value that is not a container selects nothing.
std::optional<AttributeValue> select_from(const AttributeValue& value, TargetRun run) {
  if (run.ends()) return value;
  if (run.step().index) {
    const auto* list = value.get_if<model::List>();
    if (list == nullptr) return std::nullopt;
    model::List selected;
    select_from(*list, run, selected);
    if (selected.empty()) return std::nullopt;
    return selected;
  }
  const auto* map = value.get_if<model::Map>();
  if (map == nullptr) return std::nullopt;
  model::Map selected;
  select_from(*map, run, selected);
  if (selected.empty()) return std::nullopt;
  return selected;
}

}  // namespace

base::Result<PathSet, ExpressionError> arrange_targets(ParsedRef parsed, Bindings bindings) {
  PathSet set{std::move(parsed), std::move(bindings), {}};
  const Parsed& of = *set.parsed;
  set.order.resize(of.targets.size());
  std::iota(set.order.begin(), set.order.end(), std::uint16_t{0});
  std::ranges::sort(set.order, [&](std::uint16_t a, std::uint16_t b) {
    return compare_paths(of, set.bindings, of.targets[a], of.targets[b]) < 0;
  });
  // In sorted order everything between a path and its continuation continues it too, and names are next to
  // positions only if both follow the same steps: if any two collide, two neighbours do.
  for (std::size_t i = 1; i < set.order.size(); ++i) {
    const Path one = of.targets[set.order[i - 1]];
    const Path two = of.targets[set.order[i]];
    if (relation(of, set.bindings, one, two) == Relation::apart) continue;
    DINETTE_CHECK(refuse_first_pair(of, set.bindings, Relation::overlap));
    DINETTE_CHECK(refuse_first_pair(of, set.bindings, Relation::conflict));
  }
  return set;
}

TargetRun TargetRun::take_group() {
  const Step first = step();
  const auto same = [&](std::uint16_t target) {
    return compare(expr::step(*set->parsed, set->bindings, set->parsed->targets[target], depth), first) == 0;
  };
  // Most groups are short, but some have hundreds of members, and every item is looked at by groups.
  std::size_t reach = 1;
  while (reach < targets.size() && same(targets[reach])) reach *= 2;
  const auto near = targets.first(std::min(reach, targets.size())).subspan((reach + 1) / 2);
  const auto length =
      static_cast<std::size_t>(std::ranges::partition_point(near, same) - near.begin()) + (reach + 1) / 2;
  const TargetRun group{set, targets.first(length), depth + 1};
  targets = targets.subspan(length);
  return group;
}

void TargetRun::skip_before(std::string_view name) {
  const auto before = [&](std::uint16_t target) {
    return expr::step(*set->parsed, set->bindings, set->parsed->targets[target], depth).name < name;
  };
  targets = {std::ranges::partition_point(targets, before), targets.end()};
}

model::Item select(const PathSet& targets, const model::Item& item) {
  model::Item selected;
  select_from(item, TargetRun::all(targets), selected);
  return selected;
}

base::Result<Projection, ExpressionError> bind_projection(const ParsedRef& parsed,
                                                          Placeholders& placeholders) {
  Binder binder(*parsed, placeholders);
  for (const Path path : parsed->targets) DINETTE_CHECK(binder.path(path));
  DINETTE_TRY(PathSet paths, arrange_targets(parsed, binder.take()));
  return Projection(std::move(paths));
}

model::Item Projection::project(const model::Item& item) const {
  return select(paths_, item);
}

std::vector<std::string_view> Projection::attributes() const {
  std::vector<std::string_view> names;
  for (TargetRun run = TargetRun::all(paths_); !run.targets.empty(); run.take_group()) {
    names.push_back(run.step().name);
  }
  return names;
}

}  // namespace dinette::dynamodb::expr
