#include <algorithm>

#include "dinette/aws/region.h"

#include "evaluator.h"
#include "resource_types.h"

/// Ref, Fn::GetAtt and Fn::Sub: what refers to parameters and resources.
namespace dinette::definitions::cloudformation {
namespace {

constexpr std::size_t shortest_table_name = 3;
constexpr std::size_t longest_name = 255;
constexpr std::size_t work_of_element = 64;

std::string not_known(const std::string& what, const std::string& instead) {
  return what + " is not known, \"" + instead + "\" is used instead";
}

/// Returns true for attributes that are ARNs, and for outputs of nested stacks, which may be some. Others,
/// such as identifiers, are often a part of a table's name, where an ARN is not allowed.
bool is_arn(std::string_view attribute) {
  return attribute.ends_with("Arn") || attribute.ends_with("ARN") || attribute.starts_with("Outputs.");
}

/// `Ref` gives the names of both, as for every resource with an identifier of several parts.
bool is_within_keyspace(std::string_view type) {
  return is_keyspaces_type(type) && type != keyspace_type;
}

}  // namespace

Evaluated Evaluator::ref(const FunctionCall& call) {
  DINETTE_TRY(const std::string name, text_argument(call));
  return reference(name, call.argument->place());
}

Evaluated Evaluator::reference(const std::string& name, const Place& place) {
  DINETTE_CHECK(charge(1, place));
  if (auto value = pseudo_parameter(name)) return *std::move(value);
  if (parameters_.has(name)) return parameter(name, place);
  DINETTE_TRY(const Node* const resource, created_resource(name, place));
  DINETTE_TRY(std::string value, name_of(name));
  if (!is_within_keyspace(type_of_resource(*resource))) return Node::text(std::move(value));
  const Node* const keyspace = resource->find("Properties", "KeyspaceName");
  if (keyspace == nullptr) return Node::text(std::move(value));
  DINETTE_TRY(const std::string its_name, text(*keyspace, "KeyspaceName"));
  return Node::text(its_name + '|' + value);
}

std::optional<Node> Evaluator::pseudo_parameter(std::string_view name) {
  if (!name.starts_with("AWS::")) return {};
  if (name == "AWS::NoValue") return Node();
  if (name == "AWS::Partition") return Node::text(std::string(aws::partition_of(surroundings_.region)));
  if (name == "AWS::URLSuffix")
    return Node::text(surroundings_.region.starts_with("cn-") ? "amazonaws.com.cn" : "amazonaws.com");
  if (name == "AWS::NotificationARNs") return Node::list();
  findings_.pseudo.emplace(name);
  if (name == "AWS::Region") return Node::text(surroundings_.region);
  if (name == "AWS::AccountId") return Node::text(surroundings_.account);
  if (name == "AWS::StackName") return Node::text(stack_);
  if (name == "AWS::StackId")
    return Node::text(arn_of(stack_type, stack_, surroundings_.region, surroundings_.account) +
                      "/00000000-0000-0000-0000-000000000000");
  return {};
}

Evaluated Evaluator::parameter(const std::string& name, const Place& place) {
  DINETTE_TRY(Node found, once("parameter \"" + name + '"', place, [&]() -> Evaluated {
                auto value = parameters_.value(name);
                if (!value) return base::Failure{EvaluationError{value.error().place, value.error().text}};
                if (!value->is_null()) return *std::move(value);
                findings_.missing.insert(name);
                return Node::text({});
              }));
  // A long list costs something at each use.
  DINETTE_CHECK(charge(found.scalar().size() + work_of_element * found.elements().size(), place));
  return found;
}

base::Result<const Node*, EvaluationError> Evaluator::created_resource(const std::string& id,
                                                                       const Place& place) {
  const auto found = resources_by_id_.find(id);
  if (found == resources_by_id_.end())
    return base::Failure{EvaluationError{place, "there is no parameter or resource \"" + id + '"'}};
  DINETTE_TRY(const bool created, is_created(*found->second));
  if (!created)
    return base::Failure{
        EvaluationError{place, '"' + id + "\" is not created, since its condition is false", true}};
  return found->second;
}

base::Result<std::string, EvaluationError> Evaluator::name_of(const std::string& id) {
  const Node& resource = *resources_by_id_.at(id);
  DINETTE_TRY(const Node name, once("name of \"" + id + '"', resource.place(),
                                    [&]() -> Evaluated { return evaluate_name(id, resource); }));
  return name.scalar();
}

Evaluated Evaluator::evaluate_name(const std::string& id, const Node& resource) {
  DINETTE_TRY(const auto nesting, enter(resource.place()));
  if (const auto given = surroundings_.names.find(id); given != surroundings_.names.end())
    return Node::text(given->second);
  const std::string_view type = type_of_resource(resource);
  const std::string_view property = name_property(type);
  if (const Node* const name = property.empty() ? nullptr : resource.find("Properties", property)) {
    DINETTE_TRY(const Node value, this->value(*name));
    const std::size_t length = value.scalar().size();
    if (!value.is_null() && (!value.is_scalar() || length == 0 || length > longest_name))
      return base::Failure{
          EvaluationError{name->place(), std::string(property) + " is no text of 1 to 255 characters"}};
    if (!value.is_null()) return Node::text(value.scalar());
  }
  if (!is_table_type(type) && !is_keyspaces_type(type)) {
    findings_.supposed.insert(not_known("the name of \"" + id + '"', id));
    return Node::text(id);
  }
  const bool is_short = is_table_type(type) && id.size() < shortest_table_name;
  return Node::text(is_short ? stack_ + '-' + id : id);
}

Evaluated Evaluator::get_att(const FunctionCall& call) {
  DINETTE_TRY(const Node argument, this->argument(call));
  const auto& parts = argument.elements();
  const auto is_text = [](const Node& part) { return part.is_scalar(); };
  if (argument.is_text()) {
    const auto dot = argument.scalar().find('.');
    if (dot != std::string::npos)
      return attribute(argument.scalar().substr(0, dot), argument.scalar().substr(dot + 1),
                       call.argument->place());
  } else if (parts.size() >= 2 && std::ranges::all_of(parts, is_text)) {
    return attribute(parts[0].scalar(), parts[1].scalar(), call.argument->place());
  }
  return base::Failure{
      EvaluationError{call.argument->place(), "Fn::GetAtt needs a resource and one of its attributes"}};
}

Evaluated Evaluator::attribute(const std::string& id, const std::string& attribute, const Place& place) {
  DINETTE_CHECK(charge(1, place));
  DINETTE_TRY(const Node* const resource, created_resource(id, place));
  DINETTE_TRY(const std::string name, name_of(id));
  const std::string_view type = type_of_resource(*resource);
  const bool table = is_table_type(type);
  if (table && attribute == "StreamArn")
    return Node::text(stream_arn_of(name, surroundings_.region, surroundings_.account));
  std::string arn = arn_of(type, name, surroundings_.region, surroundings_.account);
  if (table && attribute == "Arn") return Node::text(std::move(arn));
  if (table && attribute != "TableId")
    return base::Failure{EvaluationError{place, '"' + id + "\" has no attribute \"" + attribute + '"'}};
  std::string supposed = is_arn(attribute) ? std::move(arn) : name;
  findings_.supposed.insert(not_known('"' + id + '.' + attribute + '"', supposed));
  return Node::text(std::move(supposed));
}

Evaluated Evaluator::sub(const FunctionCall& call) {
  const Place& place = call.argument->place();
  const Node* content = call.argument;
  Node values;
  if (call.argument->is_list()) {
    const auto& parts = call.argument->elements();
    if (parts.size() != 2 || !parts[1].is_map())
      return base::Failure{EvaluationError{place, "Fn::Sub needs a text, or a list of a text and a map"}};
    content = parts.data();
    DINETTE_TRY(values, value(parts[1]));
  }
  if (!content->is_scalar()) return base::Failure{EvaluationError{place, "Fn::Sub needs a text"}};
  DINETTE_TRY(const Node checked, scalar(*content));
  std::string_view rest = checked.scalar();
  std::string result;
  while (true) {
    const auto begin = rest.find("${");
    const auto end = begin == std::string_view::npos ? begin : rest.find('}', begin);
    result += rest.substr(0, end == std::string_view::npos ? end : begin);
    if (end == std::string_view::npos) break;
    DINETTE_TRY(const Node inserted,
                placeholder(std::string(rest.substr(begin + 2, end - begin - 2)), &values, place));
    DINETTE_CHECK(charge(inserted.scalar().size(), place));
    result += inserted.scalar();
    rest.remove_prefix(end + 1);
  }
  return Node::text(std::move(result));
}

Evaluated Evaluator::placeholder(const std::string& content, const Node* values, const Place& place) {
  if (content.starts_with('!')) return Node::text("${" + content.substr(1) + '}');
  const Node* const given = values->find(content);
  Node value;
  if (given != nullptr) {
    DINETTE_CHECK(charge(values->members().size(), place));
    value = *given;
  } else if (const auto dot = content.find('.'); dot != std::string::npos) {
    DINETTE_TRY(value, attribute(content.substr(0, dot), content.substr(dot + 1), place));
  } else {
    DINETTE_TRY(value, reference(content, place));
  }
  if (value.is_list() || value.is_map())
    return base::Failure{EvaluationError{place, "${" + content + "} is a " + std::string(value.kind_name())}};
  return value;
}

}  // namespace dinette::definitions::cloudformation
