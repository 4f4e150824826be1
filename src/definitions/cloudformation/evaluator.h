#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dinette/base/function_ref.h"
#include "dinette/base/result.h"
#include "dinette/definitions/definitions.h"

#include "function_call.h"
#include "parameters.h"
#include "reading.h"

namespace dinette::definitions::cloudformation {

/// Why a value could not be evaluated.
struct EvaluationError {
  Place place;
  std::string reason;        ///< a part of a sentence
  bool not_created = false;  ///< it refers to a resource whose condition is false
};

using Evaluated = base::Result<Node, EvaluationError>;

/// What an evaluation has used that the template does not say.
struct Findings {
  std::set<std::string> missing;   ///< parameters without a value; the result is of no use
  std::set<std::string> supposed;  ///< sentences of what other resources would give
  std::set<std::string> pseudo;    ///< pseudo parameters, such as AWS::Region

  void add(const Findings& other);
  std::size_t size() const { return missing.size() + supposed.size() + pseudo.size(); }
};

/// Evaluates the template language: only what is asked for, and each condition and each name once. All
/// evaluations of a reading together may do a limited amount of work, so that no template hangs or exhausts
/// memory; cycles are errors.
class Evaluator {
 public:
  /// All must outlive it. `stack` is the stack's name.
  Evaluator(const Node& root, const Surroundings& surroundings, std::string stack, Reading& reading);
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  /// The resources of the template, those of loops too, in its order.
  const Node& resources() const { return *resources_; }
  /// Errors of loops in Resources and Conditions.
  const std::vector<EvaluationError>& errors() const { return errors_; }

  /// Returns a value without functions. What is AWS::NoValue is left out of lists and maps, and null alone.
  Evaluated value(const Node& node);
  base::Result<bool, EvaluationError> condition(const std::string& name, const Place& place);
  /// Returns true if the resource has no condition, or a true one.
  base::Result<bool, EvaluationError> is_created(const Node& resource);
  /// Returns the name of a resource that the template has: the user's, or the template's, or its logical ID.
  base::Result<std::string, EvaluationError> name_of(const std::string& id);

  /// Returns the value of a pseudo parameter such as AWS::Region, or nothing if it is none.
  std::optional<Node> pseudo_parameter(std::string_view name);

  /// Returns what evaluations have found since the last call.
  Findings take_findings() { return std::exchange(findings_, {}); }

  class Nesting;
  /// Counts the nesting of evaluations, as long as the result exists; fails if it is too deep.
  base::Result<Nesting, EvaluationError> enter(const Place& place);
  /// Counts work; fails if there is too much of it.
  base::Result<void, EvaluationError> charge(std::size_t work, const Place& place);
  bool exhausted() const { return reading_.work_left == 0; }

 private:
  using Function = Evaluated (Evaluator::*)(const FunctionCall& call);
  struct Remembered {
    std::optional<Evaluated> result;  ///< none while it is evaluated
    Findings findings;
  };

  static Function find_function(std::string_view name);
  /// Returns a section of the template; if it has loops, in `with_loops` what they make.
  const Node* expanded(std::string_view section, Node& with_loops);
  Evaluated call(const FunctionCall& call);
  Evaluated literal(const Node& node);
  Evaluated scalar(const Node& node);
  Evaluated list(const Node& node);
  Evaluated map(const Node& node);
  /// Evaluates the argument of a call.
  Evaluated argument(const FunctionCall& call);
  base::Result<std::string, EvaluationError> text_argument(const FunctionCall& call);
  base::Result<std::string, EvaluationError> text(const Node& node, std::string_view what);

  Evaluated ref(const FunctionCall& call);
  Evaluated get_att(const FunctionCall& call);
  Evaluated sub(const FunctionCall& call);
  Evaluated join(const FunctionCall& call);
  Evaluated select(const FunctionCall& call);
  Evaluated split(const FunctionCall& call);
  Evaluated find_in_map(const FunctionCall& call);
  Evaluated import_value(const FunctionCall& call);
  Evaluated length(const FunctionCall& call);
  Evaluated to_json_string(const FunctionCall& call);
  Evaluated if_(const FunctionCall& call);
  Evaluated equals(const FunctionCall& call);
  Evaluated and_(const FunctionCall& call);
  Evaluated or_(const FunctionCall& call);
  Evaluated not_(const FunctionCall& call);
  Evaluated condition_call(const FunctionCall& call);

  Evaluated reference(const std::string& name, const Place& place);
  Evaluated attribute(const std::string& id, const std::string& attribute, const Place& place);
  Evaluated parameter(const std::string& name, const Place& place);
  Evaluated placeholder(const std::string& content, const Node* values, const Place& place);
  base::Result<const Node*, EvaluationError> created_resource(const std::string& id, const Place& place);
  Evaluated evaluate_name(const std::string& id, const Node& resource);
  base::Result<bool, EvaluationError> condition_value(const Node& node);
  Evaluated any_of(const FunctionCall& call, bool wanted);

  /// Evaluates what has that key, or returns what it was before.
  Evaluated once(const std::string& key, const Place& place, base::FunctionRef<Evaluated()> evaluate);

  const Node& root_;
  const Surroundings& surroundings_;
  const std::string stack_;
  const Parameters parameters_;
  std::unordered_map<std::string_view, const Node*> mappings_;
  Reading& reading_;
  int depth_ = 0;
  Findings findings_;
  std::vector<EvaluationError> errors_;
  std::map<std::string, Remembered> remembered_;
  Node made_conditions_ = {};
  Node made_resources_ = Node::map();
  const Node* resources_ = nullptr;
  std::unordered_map<std::string_view, const Node*> conditions_by_name_;
  std::unordered_map<std::string_view, const Node*> resources_by_id_;
};

class Evaluator::Nesting {
 public:
  explicit Nesting(int& depth) : depth_(&depth) { ++depth; }
  Nesting(Nesting&& other) noexcept : depth_(std::exchange(other.depth_, nullptr)) {}
  Nesting& operator=(Nesting&&) = delete;
  ~Nesting() {
    if (depth_ != nullptr) --*depth_;
  }

 private:
  int* depth_;
};

}  // namespace dinette::definitions::cloudformation
