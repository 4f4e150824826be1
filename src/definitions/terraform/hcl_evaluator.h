#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"

#include "hcl_scope.h"

namespace dinette::definitions::hcl {

/// Evaluates expressions as far as they are literal: texts, numbers, lists, maps, templates, variables,
/// locals, attributes of resources, and the functions jsonencode, toset, tolist and tomap.
class Evaluator {
 public:
  /// A part of a sentence: `function "merge"`.
  template <class T>
  using Outcome = base::Result<T, std::string>;

  /// `scope` must outlive this.
  explicit Evaluator(const Scope& scope) : scope_(scope) {}

  /// Returns the value of an expression for that instance; a failure says what in it is not literal.
  Outcome<Value> evaluate(std::span<const Token> expression, const Instance& instance);

  /// Returns the instances of a resource: one without a key if it has neither count nor for_each.
  Outcome<std::vector<Instance>> instances(const Body& resource);

 private:
  friend class ExpressionReader;

  Outcome<Value> evaluate_source(std::string_view source, unsigned line, const Instance& instance);
  Outcome<Value> evaluate_template(std::string_view source, bool has_escapes, unsigned line,
                                   const Instance& instance);
  Outcome<Value> variable(std::string_view name);
  Outcome<Value> local(std::string_view name);
  Outcome<Value> resource_attribute(const std::string& resource, const std::optional<Node>& key,
                                    std::string_view attribute);
  /// Returns false if more was evaluated than the limits allow.
  bool charge(std::size_t steps);

  const Scope& scope_;
  int depth_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace dinette::definitions::hcl
