#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "dinette/base/erase_at.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/expr/calculator.h"
#include "dynamodb/expr/path_set.h"
#include "dynamodb/model/value_checks.h"
#include "dynamodb/model/value_relations.h"

namespace dinette::dynamodb::expr {
namespace {

using model::AttributeValue;
using model::List;
using model::Map;

base::Failure<ExpressionError> invalid_path() {
  return runtime_error("The document path provided in the update expression is invalid for update");
}

/// Levels of nesting, a scalar or an empty container being one (docs/service/values.md section 5).
std::size_t levels(const AttributeValue& value) {
  std::size_t below = 0;
  if (const auto* list = value.get_if<List>()) {
    for (const AttributeValue& element : *list) below = std::max(below, levels(element));
  } else if (const auto* map = value.get_if<Map>()) {
    for (const model::Attribute& attribute : *map) below = std::max(below, levels(attribute.value));
  }
  return below + 1;
}

/// What is at a target afterwards; none when nothing is.
using Outcome = base::Result<std::optional<AttributeValue>, ExpressionError>;

/// The changes of one map's attributes, gathered in ascending order of names and made together: inserting
/// them one by one would be quadratic.
class MapChange {
 public:
  /// `stored` is the map's value of that name, null for none.
  void add(std::string_view name, AttributeValue* stored, std::optional<AttributeValue> outcome) {
    if (stored != nullptr && outcome) {
      *stored = *std::move(outcome);
    } else if (stored != nullptr) {
      erased_.push_back(name);
    } else if (outcome) {
      added_.push_back({std::string(name), *std::move(outcome)});
    }
  }

  void apply(Map& map) && {
    if (!erased_.empty()) map.erase({erased_.data(), erased_.size()});
    if (!added_.empty()) map.insert({added_.data(), added_.size()});
  }

 private:
  boost::container::small_vector<std::string_view, 8> erased_;
  boost::container::small_vector<model::Attribute, 2> added_;
};

/// Writes the targets into a copy of the old image, container by container.
class Writer {
 public:
  explicit Writer(const PathSet& targets)
      : targets_(targets), ast_(std::get<UpdateAst>(targets.parsed->form)) {}

  // Computes what SET writes, in written order, so that the first problem in written order is reported.
  Checked compute(const model::Item& old) {
    const Calculator calculator(targets_, old);
    values_.resize(ast_.actions.size());
    std::size_t size = 0;
    for (std::size_t i = 0; i < ast_.actions.size(); ++i) {
      if (ast_.actions[i].clause != Clause::set) continue;
      DINETTE_TRY(Read value, calculator.read(ast_.actions[i].value));
      size += model::size_in_bytes(*value);
      if (size > std::size_t{model::limits::item_bytes}) return too_large();
      values_[i] = std::move(value).take();
    }
    return {};
  }

  // The depth is the paths', at most 32.
  Checked write(Map& map, TargetRun run) {
    MapChange change;
    while (!run.targets.empty()) {
      const std::string_view name = run.step().name;
      const TargetRun group = run.take_group();
      AttributeValue* const value = map.find(name);
      if (group.ends()) {
        DINETTE_TRY(std::optional<AttributeValue> outcome, outcome_of(group, value));
        change.add(name, value, std::move(outcome));
        continue;
      }
      if (value == nullptr) return invalid_path();
      DINETTE_CHECK(descend(*value, group));
    }
    std::move(change).apply(map);
    return {};
  }

 private:
  // Positions are the old ones, whatever is removed; what lies past the end is appended in ascending order.
  Checked write(List& list, TargetRun run) {
    const std::size_t old_size = list.size();
    boost::container::small_vector<std::size_t, 4> removed;
    while (!run.targets.empty()) {
      const std::size_t position = run.step().position;
      const TargetRun group = run.take_group();
      AttributeValue* const value = position < old_size ? &list[position] : nullptr;
      if (group.ends()) {
        DINETTE_TRY(std::optional<AttributeValue> outcome, outcome_of(group, value));
        if (!outcome) {
          if (value != nullptr) removed.push_back(position);
        } else if (value != nullptr) {
          *value = std::move(*outcome);
        } else {
          list.push_back(std::move(*outcome));
        }
        continue;
      }
      if (value == nullptr) return invalid_path();
      DINETTE_CHECK(descend(*value, group));
    }
    base::erase_at(list, removed);
    return {};
  }

  // Into a container of the kind that the paths want.
  Checked descend(AttributeValue& value, TargetRun run) {
    if (run.step().index) {
      auto* list = value.get_if<List>();
      return list != nullptr ? write(*list, run) : invalid_path();
    }
    auto* map = value.get_if<Map>();
    return map != nullptr ? write(*map, run) : invalid_path();
  }

  Outcome outcome_of(const TargetRun& target, const AttributeValue* stored) {
    const Action& action = ast_.actions[target.target()];
    switch (action.clause) {
      case Clause::set:
        return checked_depth(std::move(values_[target.target()]), target.depth);
      case Clause::remove:
        return std::optional<AttributeValue>();
      case Clause::add:
      case Clause::erase:
        return combine(action, stored);
    }
    return wrong_type();
  }

  static Outcome checked_depth(AttributeValue value, std::size_t path_steps) {
    if (path_steps - 1 + levels(value) > std::size_t{model::limits::nesting_levels}) {
      return base::Failure{ExpressionError{std::string(model::nested_too_deep)}};
    }
    return std::optional<AttributeValue>(std::move(value));
  }

  Outcome combine(const Action& action, const AttributeValue* stored) const {
    const AttributeValue& operand = *targets_.bindings.values[action.value];
    if (stored == nullptr) {
      return action.clause == Clause::add ? std::optional<AttributeValue>(operand) : std::nullopt;
    }
    if (stored->type() != operand.type()) return wrong_type();
    if (const auto* number = operand.get_if<model::Number>()) {
      DINETTE_TRY(AttributeValue sum, number_result(model::add(stored->get<model::Number>(), *number)));
      return std::optional<AttributeValue>(std::move(sum));
    }
    auto set = action.clause == Clause::add ? unite(*stored, operand) : difference(*stored, operand);
    // A set without members does not exist (docs/service/expressions.md section 7, DELETE).
    if (element_count(*set) == 0) set.reset();
    return set;
  }

  const PathSet& targets_;
  const UpdateAst& ast_;
  std::vector<AttributeValue> values_;  // by action; SET's are filled
};

}  // namespace

base::Result<std::optional<model::Item>, ExpressionError> Update::apply(const model::Item* old,
                                                                        const model::Item& key) const {
  if (old == nullptr && only_removes()) return std::optional<model::Item>();
  std::optional<model::Item> item(old != nullptr ? *old : key);
  Writer writer(targets_);
  DINETTE_CHECK(writer.compute(old != nullptr ? *old : key));
  DINETTE_CHECK(writer.write(*item, TargetRun::all(targets_)));
  return item;
}

bool Update::only_removes() const {
  return std::ranges::all_of(std::get<UpdateAst>(targets_.parsed->form).actions, [](const Action& action) {
    return action.clause == Clause::remove || action.clause == Clause::erase;
  });
}

bool Update::takes_from_item(std::string_view attribute, const model::Item& before) const {
  const Parsed& parsed = *targets_.parsed;
  const auto& actions = std::get<UpdateAst>(parsed.form).actions;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (actions[i].clause != Clause::set) continue;
    if (root_name(parsed, targets_.bindings, parsed.targets[i]) != attribute) continue;
    return Calculator(targets_, before).takes_from_item(actions[i].value);
  }
  return false;
}

model::Item Update::touched(const model::Item& item) const {
  return select(targets_, item);
}

std::vector<std::string_view> Update::attributes() const {
  std::vector<std::string_view> names;
  names.reserve(targets_.parsed->targets.size());
  for (const Path path : targets_.parsed->targets) {
    const std::string_view name = root_name(*targets_.parsed, targets_.bindings, path);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

std::vector<std::string_view> Update::operands() const {
  std::vector<std::string_view> names;
  names.reserve(targets_.parsed->paths.size());
  for (const Path path : targets_.parsed->paths) {
    names.push_back(root_name(*targets_.parsed, targets_.bindings, path));
  }
  return names;
}

}  // namespace dinette::dynamodb::expr
