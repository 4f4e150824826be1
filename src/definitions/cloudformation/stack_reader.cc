#include "stack_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "global_table.h"
#include "keyspaces_resource.h"
#include "resource_types.h"
#include "simple_table.h"
#include "table_resource.h"
#include "template.h"

namespace dinette::definitions::cloudformation {
namespace {

constexpr int deepest_stack = 5;

constexpr auto known_transforms =
    std::to_array<std::string_view>({"AWS::LanguageExtensions", "AWS::Serverless-2016-10-31"});

/// What a resource has next to its Properties.
constexpr auto resource_members = std::to_array<std::string_view>(
    {"Type", "Properties", "Condition", "Connectors", "CreationPolicy", "DeletionPolicy", "DependsOn",
     "IgnoreGlobals", "Metadata", "UpdatePolicy", "UpdateReplacePolicy"});

template <class Names>
bool is_among(std::string_view name, const Names& names) {
  return std::ranges::find(names, name) != names.end();
}

/// Returns the file that CDK has written for a nested stack; empty if this is none of CDK's.
std::string nested_file(const Node& resource) {
  const Node* const property = resource.find("Metadata", "aws:asset:property");
  const Node* const path = resource.find("Metadata", "aws:asset:path");
  const bool known = property != nullptr && property->scalar() == "TemplateURL" && path != nullptr;
  return known ? path->scalar() : std::string();
}

/// Returns the properties of a resource, without values that are dropped anyway and may be unknown.
Node needed_properties(const Node& resource) {
  const Node* const given = resource.find("Properties");
  Node properties = given == nullptr ? Node::map() : *given;
  if (Node* const unused = properties.find("ImportSourceSpecification")) *unused = Node::map();
  return properties;
}

void append_listed(const std::string& text, std::string& to) {
  if (!to.empty()) to += ", ";
  to += text;
}

}  // namespace

std::string stack_name(const Input& input) {
  if (!input.surroundings.stack.empty()) return input.surroundings.stack;
  std::string stem = input.file.stem().string();
  if (constexpr std::string_view suffix = ".template"; stem.ends_with(suffix))  // Shop.template.json of CDK
    stem.resize(stem.size() - suffix.size());
  return stem.empty() ? "stack" : stem;
}

/// A stack within another one, with what its reader refers to.
struct StackReader::NestedStack {
  NestedStack(Node template_root, const std::filesystem::path& file, Surroundings its_surroundings,
              Reading& reading_of_all, int nesting, Definitions& to)
      : root(std::move(template_root)),
        surroundings(std::move(its_surroundings)),
        input{file, surroundings},
        reader(root, input, reading_of_all, nesting, to) {}

  const Node root;
  const Surroundings surroundings;
  const Input input;
  StackReader reader;
};

StackReader::StackReader(const Node& root, const Input& input, Reading& reading, int nesting, Definitions& to)
    : root_(root),
      input_(input),
      reading_(reading),
      nesting_(nesting),
      to_(to),
      stack_(stack_name(input)),
      evaluator_(root, input.surroundings, stack_, reading) {}

StackReader::~StackReader() = default;

void StackReader::read_tables() {
  warn_of_template();
  for (const EvaluationError& error : evaluator_.errors()) to_.errors.push_back({error.place, error.reason});
  for (const Resource& resource : evaluator_.resources().members()) {
    const std::string_view type = type_of_resource(resource.value);
    if (is_table_type(type)) table(resource);
    if (is_keyspaces_type(type)) keyspaces_resource(resource);
    // Every further one would have the same error.
    if (evaluator_.exhausted()) return;
  }
  for (const Resource& resource : evaluator_.resources().members()) {
    if (type_of_resource(resource.value) == stack_type) nested_stack(resource);
  }
}

void StackReader::for_each_nested(base::FunctionRef<void(StackReader&)> visit) {
  for (const auto& nested : nested_) visit(nested->reader);
}

void StackReader::warn_of_template() {
  const auto warn = [this](const Place& place, std::string text) {
    to_.warnings.push_back({place, std::move(text)});
  };
  if (const Node* const transform = root_.find("Transform")) {
    const std::vector<Node> names = transform->is_list() ? transform->elements() : std::vector{*transform};
    for (const Node& name : names) {
      if (!is_among(name.scalar(), known_transforms))
        warn(name.place(),
             "the transform " + (name.is_scalar() ? name.scalar() : "with parameters") + " is not done");
    }
  }
  const Node* const parameters = root_.find("Parameters");
  for (const auto& given : input_.surroundings.parameters) {
    if (nesting_ == 0 && (parameters == nullptr || !parameters->has(given.first)))
      warn(root_.place(), "the template has no parameter \"" + given.first + '"');
  }
  for (const Resource& resource : evaluator_.resources().members()) {
    const std::string_view type = type_of_resource(resource.value);
    if (type == "Custom::DynamoDBReplica" || type == "AWS::Serverless::Application")
      warn(resource.value.place(),
           '"' + resource.key + "\", of the type " + std::string(type) + ", is left out");
  }
}

std::optional<NamedResource> StackReader::named(const Resource& resource, Findings& of_name) {
  const std::string_view kind = kind_of_resource(type_of_resource(resource.value));
  const std::string by_id = label_of(kind, resource.key);
  if (!is_created(resource, by_id)) return {};
  const auto name = evaluator_.name_of(resource.key);
  of_name = evaluator_.take_findings();
  if (has_missing(of_name, by_id)) return {};
  if (name) return NamedResource{kind, resource.key, *name, {}, resource.value.place()};
  report(by_id, name.error());
  return {};
}

bool StackReader::evaluate_properties(const Resource& resource, const Findings& of_name, NamedResource& to) {
  auto properties = evaluator_.value(needed_properties(resource.value));
  const Findings findings = evaluator_.take_findings();
  const std::string what = label_of(to.kind, to.name);
  if (has_missing(findings, what)) return false;
  if (properties && !properties->is_map())
    properties = base::Failure{EvaluationError{resource.value.place(), "Properties are no map"}};
  if (!properties) {
    report(what, properties.error());
    return false;
  }
  to.properties = *std::move(properties);
  warn_of_name(to, name_property(type_of_resource(resource.value)), of_name);
  for (const std::string& text : findings.supposed) warn_of(to, text, to_);
  for (const Node::Member& member : resource.value.members()) {
    if (!is_among(member.key, resource_members))
      warn_of(to, member.key + " is left out, since it is not within Properties", to_);
  }
  return true;
}

void StackReader::table(const Resource& resource) {
  Findings of_name;
  auto table = named(resource, of_name);
  if (!table) return;
  const std::string name = table->name;
  refused_.insert(name);
  if (!evaluate_properties(resource, of_name, *table)) return;
  const std::size_t before = to_.tables.size();
  finish_table(type_of_resource(resource.value), *std::move(table));
  if (to_.tables.size() > before) refused_.erase(name);
}

void StackReader::keyspaces_resource(const Resource& resource) {
  Findings of_name;
  auto made = named(resource, of_name);
  if (made && evaluate_properties(resource, of_name, *made))
    add_keyspaces_resource(type_of_resource(resource.value), *std::move(made), to_);
}

void StackReader::finish_table(std::string_view type, NamedResource table) {
  if (type == global_table_type && !convert_global_table(table, input_.surroundings.region, to_)) return;
  if (type == simple_table_type) {
    const Node* const section = root_.find("Globals", "SimpleTable");
    const Evaluated globals = section == nullptr ? Evaluated(Node()) : evaluator_.value(*section);
    if (!globals) return report(label_of("table", table.name), globals.error());
    if (has_missing(evaluator_.take_findings(), label_of("table", table.name))) return;
    if (!convert_simple_table(table, &*globals, to_)) return;
  }
  add_table_resource(std::move(table), to_);
}

void StackReader::warn_of_name(const NamedResource& resource, std::string_view property,
                               const Findings& findings) {
  if (!resource.properties.has(property) && !input_.surroundings.names.contains(resource.id))
    warn_of(resource, "the template gives it no name, so it has one made of its logical ID", to_);
  for (const std::string& text : findings.supposed) warn_of(resource, text, to_);
  for (const std::string& name : findings.pseudo) {
    const auto value = evaluator_.pseudo_parameter(name);
    warn_of(resource, "its name depends on " + name + ", here \"" + (value ? value->scalar() : "") + '"',
            to_);
  }
}

void StackReader::nested_stack(const Resource& resource) {
  if (!is_created(resource, label_of("stack", resource.key))) return;
  const std::string file = nested_file(resource.value);
  if (file.empty() || nesting_ == deepest_stack) {
    to_.warnings.push_back({resource.value.place(), label_of("stack", resource.key) + " is not followed"});
    return;
  }
  const std::filesystem::path path = input_.file.parent_path() / file;
  auto root = read_other_file(path, input_.surroundings, reading_);
  if (!root) {
    to_.warnings.push_back({resource.value.place(),
                            label_of("stack", resource.key) + " is not followed: " + root.error().text()});
    return;
  }
  auto nested = std::make_unique<NestedStack>(*std::move(root), path, surroundings_of_nested(resource),
                                              reading_, nesting_ + 1, to_);
  nested->reader.read_tables();
  nested_.push_back(std::move(nested));
}

Surroundings StackReader::surroundings_of_nested(const Resource& resource) {
  Surroundings surroundings = input_.surroundings;
  surroundings.stack = stack_ + '-' + resource.key;
  const Node* const given = resource.value.find("Properties", "Parameters");
  if (given == nullptr) return surroundings;
  for (const Node::Member& parameter : given->members()) {
    const Evaluated value = evaluator_.value(parameter.value);
    const bool missing = !evaluator_.take_findings().missing.empty();
    if (value.ok() && value->is_scalar() && !missing)
      surroundings.parameters[parameter.key] = value->scalar();
  }
  return surroundings;
}

bool StackReader::is_created(const Resource& resource, const std::string& what) {
  const auto created = evaluator_.is_created(resource.value);
  if (has_missing(evaluator_.take_findings(), what)) return false;
  if (!created) report(what, created.error());
  return created.ok() && *created;
}

bool StackReader::has_missing(const Findings& findings, const std::string& what) {
  if (findings.missing.empty()) return false;
  missing_parameters_.insert(findings.missing.begin(), findings.missing.end());
  without_parameters_.push_back(what);
  return true;
}

void StackReader::report(const std::string& what, const EvaluationError& error) {
  to_.errors.push_back({error.place, what + ": " + error.reason});
}

void StackReader::report_missing() {
  if (missing_parameters_.empty()) return;
  std::string options;
  std::string needed_by;
  for (const std::string& name : missing_parameters_) append_listed("--param " + name + "=VALUE", options);
  for (const std::string& what : without_parameters_) append_listed(what, needed_by);
  const Node* const first = root_.find("Parameters", *missing_parameters_.begin());
  to_.errors.push_back({first == nullptr ? root_.place() : first->place(),
                        "parameters have no value: " + options + "; needed by " + needed_by});
}

}  // namespace dinette::definitions::cloudformation
