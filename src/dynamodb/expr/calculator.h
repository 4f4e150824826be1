#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "dynamodb/api/limits.h"
#include "dynamodb/expr/path_set.h"
#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb::expr {

/// Refusals that show only when an update runs; they have no envelope (docs/service/README.md).
inline base::Failure<ExpressionError> runtime_error(std::string_view message) {
  return {ExpressionError{std::string(message), true}};
}
inline base::Failure<ExpressionError> wrong_type() {
  return runtime_error("An operand in the update expression has an incorrect data type");
}
inline base::Failure<ExpressionError> missing_attribute() {
  return runtime_error("The provided expression refers to an attribute that does not exist in the item");
}

inline base::Result<model::AttributeValue, ExpressionError> number_result(
    base::Result<model::Number, model::NumberProblem> result) {
  if (result.ok()) return model::AttributeValue(*result);
  return runtime_error(model::message(result.error(), {}, model::Generation::current));
}

/// Operands may be any number of copies of large stored values: once they exceed the size of an item, the
/// rest is not needed.
inline base::Failure<ExpressionError> too_large() {
  return runtime_error(model::update_too_large);
}

/// A value that lies somewhere else or was made here.
class Read {
 public:
  static Read found(const model::AttributeValue& value) {
    Read read;
    read.found_ = &value;
    return read;
  }
  static Read made(model::AttributeValue value) {
    Read read;
    read.made_ = std::move(value);
    return read;
  }

  const model::AttributeValue& operator*() const { return found_ != nullptr ? *found_ : made_; }
  const model::AttributeValue* operator->() const { return &**this; }
  model::AttributeValue take() && { return found_ != nullptr ? *found_ : std::move(made_); }

 private:
  const model::AttributeValue* found_ = nullptr;
  model::AttributeValue made_;
};
using ReadResult = base::Result<Read, ExpressionError>;

/// Computes the right sides of an update's SET actions, always from the old image
/// (docs/service/expressions.md section 7).
class Calculator {
 public:
  /// Both must outlive the calculator and what it reads.
  Calculator(const PathSet& targets, const model::Item& old);

  /// The value of a node; the depth is at most the number of operators an expression may have.
  ReadResult read(Slot slot) const;

  /// Returns true if the value of a node comes from the item, also by way of a function or sum.
  bool takes_from_item(Slot slot) const;

 private:
  /// Lists to be joined, not copied; null for a value that is not a list.
  struct Pieces {
    std::vector<const model::AttributeValue*> lists;
    std::size_t bytes = 0;
  };

  ReadResult list_append(const ValueNode& call) const;
  base::Result<void, ExpressionError> gather(const ValueNode& call, Pieces& pieces) const;
  base::Result<void, ExpressionError> gather_operand(Slot slot, Pieces& pieces) const;
  ReadResult arithmetic(const ValueNode& node) const;

  const Parsed& parsed_;
  const std::vector<ValueNode>& nodes_;
  const Bindings& bindings_;
  const model::Item& old_;
};

inline Calculator::Calculator(const PathSet& targets, const model::Item& old)
    : parsed_(*targets.parsed),
      nodes_(std::get<UpdateAst>(targets.parsed->form).nodes),
      bindings_(targets.bindings),
      old_(old) {}

inline ReadResult Calculator::read(Slot slot) const {
  const ValueNode& node = nodes_[slot];
  switch (node.op) {
    case ValueOp::path: {
      const model::AttributeValue* value = find(parsed_, bindings_, parsed_.paths[node.a], &old_);
      if (value == nullptr) return missing_attribute();
      return Read::found(*value);
    }
    case ValueOp::value:
      return Read::found(*bindings_.values[node.a]);
    case ValueOp::if_not_exists: {
      const model::AttributeValue* value = find(parsed_, bindings_, parsed_.paths[node.a], &old_);
      return value != nullptr ? ReadResult(Read::found(*value)) : read(node.b);
    }
    case ValueOp::list_append:
      return list_append(node);
    case ValueOp::add:
    case ValueOp::subtract:
      return arithmetic(node);
  }
  return wrong_type();
}

inline bool Calculator::takes_from_item(Slot slot) const {
  const ValueNode& node = nodes_[slot];
  if (node.op == ValueOp::value) return false;
  if (node.op != ValueOp::if_not_exists) return true;
  return find(parsed_, bindings_, parsed_.paths[node.a], &old_) != nullptr || takes_from_item(node.b);
}

// Nested calls are joined once, from the pieces of all of them: one by one, a long list behind two hundred
// short ones would be copied two hundred times.
inline ReadResult Calculator::list_append(const ValueNode& call) const {
  Pieces pieces;
  DINETTE_CHECK(gather(call, pieces));
  std::size_t elements = 0;
  for (const model::AttributeValue* piece : pieces.lists) elements += piece->get<model::List>().size();
  model::AttributeValue joined;
  auto& list = joined.emplace<model::List>();
  list.reserve(elements);
  for (const model::AttributeValue* piece : pieces.lists) {
    const auto& part = piece->get<model::List>();
    list.insert(list.end(), part.begin(), part.end());
  }
  return Read::made(std::move(joined));
}

/// Adds the pieces of a list_append. Both of its operands are read before their types are looked at.
inline base::Result<void, ExpressionError> Calculator::gather(const ValueNode& call, Pieces& pieces) const {
  const std::size_t first = pieces.lists.size();
  DINETTE_CHECK(gather_operand(call.a, pieces));
  DINETTE_CHECK(gather_operand(call.b, pieces));
  const bool all_lists = std::find(pieces.lists.begin() + static_cast<std::ptrdiff_t>(first),
                                   pieces.lists.end(), nullptr) == pieces.lists.end();
  if (!all_lists) return wrong_type();
  return {};
}

inline base::Result<void, ExpressionError> Calculator::gather_operand(Slot slot, Pieces& pieces) const {
  const ValueNode& node = nodes_[slot];
  if (node.op == ValueOp::list_append) return gather(node, pieces);
  if (node.op == ValueOp::if_not_exists &&
      find(parsed_, bindings_, parsed_.paths[node.a], &old_) == nullptr) {
    return gather_operand(node.b, pieces);
  }
  DINETTE_TRY(const Read value, read(slot));
  if (value->get_if<model::List>() == nullptr) {
    pieces.lists.push_back(nullptr);
    return {};
  }
  pieces.lists.push_back(&*value);  // only list_append makes lists: this one lies somewhere else
  pieces.bytes += model::size_in_bytes(*value) - model::container_overhead;
  if (pieces.bytes > std::size_t{model::limits::item_bytes}) return too_large();
  return {};
}

// A sum of PartiQL may be as long as a statement: its left side is followed in a loop.
inline ReadResult Calculator::arithmetic(const ValueNode& node) const {
  const auto is_sum = [](const ValueNode& one) {
    return one.op == ValueOp::add || one.op == ValueOp::subtract;
  };
  boost::container::small_vector<const ValueNode*, 4> sums = {&node};
  while (is_sum(nodes_[sums.back()->a])) sums.push_back(&nodes_[sums.back()->a]);
  DINETTE_TRY(Read sum, read(sums.back()->a));
  for (; !sums.empty(); sums.pop_back()) {
    DINETTE_TRY(const Read right, read(sums.back()->b));
    const auto* a = sum->get_if<model::Number>();
    const auto* b = right->get_if<model::Number>();
    if (a == nullptr || b == nullptr) return wrong_type();
    DINETTE_TRY(
        model::AttributeValue result,
        number_result(sums.back()->op == ValueOp::add ? model::add(*a, *b) : model::subtract(*a, *b)));
    sum = Read::made(std::move(result));
  }
  return sum;
}

}  // namespace dinette::dynamodb::expr
