#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include <boost/container/small_vector.hpp>

#include "dynamodb/api/limits.h"
#include "dynamodb/expr/document.h"
#include "dynamodb/expr/expressions.h"

/// The statement-sized half of UpdateItem's size rule (docs/service/values.md section 6, exact to the byte).
namespace dinette::dynamodb::expr {
namespace {

constexpr std::size_t statement = 3;
constexpr std::size_t set_or_add = 19;
constexpr std::size_t remove_or_delete = 1;
constexpr std::size_t further_target_element = 4;
constexpr std::size_t path_operand = 1;
constexpr std::size_t path_operand_element = 14;
constexpr std::size_t addition = 34;
constexpr std::size_t subtraction = 37;
constexpr std::size_t if_not_exists_call = 39;
constexpr std::size_t list_append_call = 37;

std::size_t element_bytes(const Step& step) {
  return step.index ? std::to_string(step.position).size() : step.name.size();
}

class Charge {
 public:
  Charge(const Parsed& parsed, const Bindings& bindings) : parsed_(parsed), bindings_(bindings) {}

  std::size_t target(Path path) const {
    return elements(path) + further_target_element * (std::size_t{path.count} - 1);
  }

  std::size_t operand(Slot slot) {
    const ValueNode& node = std::get<UpdateAst>(parsed_.form).nodes[slot];
    switch (node.op) {
      case ValueOp::path:
        return read(parsed_.paths[node.a]);
      case ValueOp::value:
        return value(node.a);
      case ValueOp::add:
        return addition + operand(node.a) + operand(node.b);
      case ValueOp::subtract:
        return subtraction + operand(node.a) + operand(node.b);
      case ValueOp::if_not_exists:
        return if_not_exists_call + read(parsed_.paths[node.a]) + operand(node.b);
      case ValueOp::list_append:
        return list_append_call + operand(node.a) + operand(node.b);
    }
    return 0;
  }

 private:
  std::size_t elements(Path path) const {
    std::size_t bytes = 0;
    for (std::size_t depth = 0; depth < path.count; ++depth) {
      bytes += element_bytes(step(parsed_, bindings_, path, depth));
    }
    return bytes;
  }

  std::size_t read(Path path) const {
    return path_operand + elements(path) + path_operand_element * path.count;
  }

  /// Counts a value at every use, which may be hundreds, but measures it once.
  std::size_t value(Slot slot) {
    if (value_sizes_.empty()) value_sizes_.resize(bindings_.values.size());
    std::optional<std::size_t>& size = value_sizes_[slot];
    if (!size) size = size_in_bytes(*bindings_.values[slot]);
    return *size;
  }

  const Parsed& parsed_;
  const Bindings& bindings_;
  boost::container::small_vector<std::optional<std::size_t>, 8> value_sizes_;
};

template <class Member>
std::size_t added_members(const model::SetOf<Member>& stored, const model::SetOf<Member>& given) {
  model::SetOf<Member> added;
  std::ranges::set_difference(given.members, stored.members, std::back_inserter(added.members));
  return size_in_bytes(model::AttributeValue(std::move(added)));
}

// Of a set only the members that are new to the stored one.
std::size_t added(const model::AttributeValue& given, const model::AttributeValue* stored) {
  if (stored != nullptr && stored->type() == given.type()) {
    if (const auto* set = given.get_if<model::StringSet>()) {
      return added_members(stored->get<model::StringSet>(), *set);
    }
    if (const auto* set = given.get_if<model::NumberSet>()) {
      return added_members(stored->get<model::NumberSet>(), *set);
    }
    if (const auto* set = given.get_if<model::BinarySet>()) {
      return added_members(stored->get<model::BinarySet>(), *set);
    }
  }
  return size_in_bytes(given);
}

}  // namespace

std::size_t Update::statement_charge(const model::Item* old) const {
  const Parsed& parsed = *targets_.parsed;
  const auto& actions = std::get<UpdateAst>(parsed.form).actions;
  Charge charge(parsed, targets_.bindings);
  std::size_t sum = statement;
  // Beyond the limit the rest is not needed.
  for (std::size_t i = 0; i < actions.size() && sum <= model::limits::item_bytes; ++i) {
    const Path target = parsed.targets[i];
    sum += charge.target(target);
    switch (actions[i].clause) {
      case Clause::set:
        sum += set_or_add + charge.operand(actions[i].value);
        break;
      case Clause::add:
        sum += set_or_add + added(*targets_.bindings.values[actions[i].value],
                                  find(parsed, targets_.bindings, target, old));
        break;
      case Clause::remove:
      case Clause::erase:
        sum += remove_or_delete;
        break;
    }
  }
  return sum;
}

}  // namespace dinette::dynamodb::expr
