#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "definitions/format.h"
#include "evaluator.h"
#include "named_resource.h"
#include "reading.h"

namespace dinette::definitions::cloudformation {

/// Returns the name of the stack that a template makes: the user's, else the stem of the file's name.
std::string stack_name(const Input& input);

/// Reads the resources of one template, and those of nested stacks that CDK has written next to it. What
/// reads streams may do so of tables of other stacks, so tables of all stacks are read first.
class StackReader {
 public:
  /// All must outlive it. `nesting`: how many stacks this one is within.
  StackReader(const Node& root, const Input& input, Reading& reading, int nesting, Definitions& to);
  StackReader(const StackReader&) = delete;
  StackReader& operator=(const StackReader&) = delete;
  ~StackReader();

  void read_tables();
  /// Reads the triggers, and reports which parameters had no value.
  void read_triggers();

 private:
  using Resource = Node::Member;
  struct NestedStack;

  void warn_of_template();
  /// Returns a resource that is created, with its name and without its properties yet. `of_name`: what the
  /// name was made of.
  std::optional<NamedResource> named(const Resource& resource, Findings& of_name);
  /// Returns false if they have an error.
  bool evaluate_properties(const Resource& resource, const Findings& of_name, NamedResource& to);
  void table(const Resource& resource);
  void keyspaces_resource(const Resource& resource);
  void finish_table(std::string_view type, NamedResource table);
  void warn_of_name(const NamedResource& resource, std::string_view property, const Findings& findings);
  void nested_stack(const Resource& resource);
  Surroundings surroundings_of_nested(const Resource& resource);
  void for_each_nested(base::FunctionRef<void(StackReader&)> visit);
  void events(const Resource& function, const Node& properties);
  /// Adds a trigger if the member `source_member` of its properties is the stream of a table.
  void trigger(const Resource& resource, const std::string& id, const Node& properties,
               std::string_view source_member);
  /// Returns the ARN of a table's stream, or nothing. Warns if the source is not known.
  std::optional<std::string> source_of_trigger(const Resource& resource, const std::string& what,
                                               const Node& source);
  base::Result<std::string, EvaluationError> function_of_trigger(const Resource& resource,
                                                                 const Node& settings);
  /// Returns true if the resource is created; reports why that is not known.
  bool is_created(const Resource& resource, const std::string& what);
  /// Notes which parameters have no value. Returns true if there are any.
  bool has_missing(const Findings& findings, const std::string& what);
  void report(const std::string& what, const EvaluationError& error);
  void report_missing();

  const Node& root_;
  const Input& input_;
  Reading& reading_;
  const int nesting_;
  Definitions& to_;
  const std::string stack_;
  Evaluator evaluator_;
  std::vector<std::unique_ptr<NestedStack>> nested_;
  std::set<std::string> refused_;  ///< names of tables that have errors
  std::set<std::string> missing_parameters_;
  std::vector<std::string> without_parameters_;  ///< what needs them
};

}  // namespace dinette::definitions::cloudformation
