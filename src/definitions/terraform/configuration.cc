#include "configuration.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "../node_members.h"
#include "hcl_evaluator.h"
#include "read_resources.h"
#include "terraform.h"

namespace dinette::definitions {
namespace {

using hcl::Attribute;
using hcl::Block;
using hcl::Body;
using hcl::Evaluator;
using hcl::Instance;

constexpr std::size_t most_members = 2000;  // of a block
constexpr std::string_view table_block = "aws_dynamodb_table";

/// Returns true for what Terraform itself uses of a resource.
bool is_meta_argument(std::string_view name) {
  constexpr std::array<std::string_view, 8> names = {"count",     "for_each", "provider",   "depends_on",
                                                     "lifecycle", "timeouts", "connection", "provisioner"};
  return std::ranges::find(names, name) != names.end();
}

bool is_of_keyspaces(std::string_view type) {
  return type.starts_with("aws_keyspaces_");
}

/// Evaluates the resources of a configuration.
class ConfigurationReader {
 public:
  ConfigurationReader(const hcl::ConfigurationFiles& files, const Input& input, Definitions& to)
      : files_(files), input_(input), to_(to) {
    scope_.given = input.surroundings.parameters;
    for (const hcl::SourceFile& file : files.values()) {
      for (const Attribute& value : file.body.attributes) scope_.values[value.name] = &value;
    }
    for (const hcl::SourceFile& file : files.configurations()) {
      for (const Block& block : file.body.blocks) declare(block);
    }
    for (const hcl::SourceFile& file : files.configurations()) {
      for (const Block& block : file.body.blocks) note_region(block);
    }
  }

  void read() {
    for (const hcl::SourceFile& file : files_.configurations()) {
      file_ = file.name;
      for (const Block& block : file.body.blocks) {
        if (block.type == "resource" && block.labels.size() == 2) add(block);
        if (block.type == "module" && !block.labels.empty()) note_module(block);
      }
    }
    read_resources(resources_, input_, to_);
    if (!modules_.empty())
      to_.warnings.push_back({Place{std::make_shared<const std::string>(input_.file.string()), 0},
                              "modules are not read: " + modules_ + "; if they have tables, run " +
                                  std::string(plan_commands) + " and read plan.json"});
  }

 private:
  void declare(const Block& block) {
    if (block.type == "variable" && block.labels.size() == 1) scope_.variables[block.labels[0]] = &block;
    if (block.type == "resource" && block.labels.size() == 2)
      scope_.resources[std::string(block.labels[0]) + '.' + std::string(block.labels[1])] = &block;
    if (block.type != "locals") return;
    for (const Attribute& attribute : block.body.attributes) scope_.locals[attribute.name] = &attribute;
  }

  void note_region(const Block& block) {
    if (block.type == "provider" && !block.labels.empty() && block.labels[0] == "aws")
      regions_.emplace(text_of(block.body, "alias"), text_of(block.body, "region"));
  }

  void add(const Block& block) {
    const std::string_view type = block.labels[0];
    const bool is_of_lambda = type.starts_with("aws_lambda_");
    if (is_of_lambda && type != "aws_lambda_event_source_mapping" && type != "aws_lambda_function") return;
    if (!may_be_read(type)) return;
    const auto instances = evaluator_.instances(block.body);
    if (!instances) return refuse(block, {}, instances.error());
    for (const Instance& instance : *instances) {
      if (resources_.size() <= most_resources) add(block, instance);
    }
  }

  void add(const Block& block, const Instance& instance) {
    Resource resource;
    resource.type = block.labels[0];
    resource.address = address_of(block, instance);
    resource.place = {file_, block.line};
    resource.values = Node::map();
    if (const auto filled = fill(block.body, instance, resource, resource.values); !filled)
      return refuse(block, instance, filled.error());
    resource.region = text_at(resource.values, "region");
    if (resource.region.empty()) resource.region = region_of(block.body);
    resources_.push_back(std::move(resource));
  }

  static std::string address_of(const Block& block, const Instance& instance) {
    return std::string(block.labels[0]) + '.' + std::string(block.labels[1]) + instance.address_key();
  }

  /// Sets the attributes and blocks of a body in `values`.
  Evaluator::Outcome<void> fill(const Body& body, const Instance& instance, Resource& resource,
                                Node& values) {
    if (body.attributes.size() + body.blocks.size() > most_members)
      return base::Failure<std::string>("more than " + std::to_string(most_members) +
                                        " attributes and blocks");
    for (const Attribute& attribute : body.attributes) {
      if (is_meta_argument(attribute.name)) continue;
      if (resource.type == "aws_lambda_function" && attribute.name != "function_name") continue;
      DINETTE_TRY(hcl::Value value, evaluator_.evaluate(attribute.expression, instance));
      if (value.reference.empty()) {
        value.node.set_place({file_, attribute.line});
        values.set(attribute.name, std::move(value.node));
      } else {
        DINETTE_CHECK(keep_reference(attribute, value.reference, resource));
      }
    }
    for (const Block& block : body.blocks) {
      if (is_meta_argument(block.type) || resource.type == "aws_lambda_function") continue;
      if (block.type == "dynamic") return base::Failure<std::string>("block \"dynamic\"");
      Node inner = Node::map();
      inner.set_place({file_, block.line});
      DINETTE_CHECK(fill(block.body, instance, resource, inner));
      if (!values.has(block.type)) values.set(block.type, Node::list());
      values.find(block.type)->append(std::move(inner));
    }
    return {};
  }

  /// A table cannot be made without knowing its attributes, except for the key that encrypts it, and for its
  /// keyspace, which may be found by the reference.
  Evaluator::Outcome<void> keep_reference(const Attribute& attribute, const std::string& reference,
                                          Resource& resource) {
    if (resource.type == table_block && attribute.name == "kms_key_arn") {
      to_.warnings.push_back(
          {Place{file_, attribute.line},
           resource.address + ": the key of its encryption is not known, so it is left out"});
    } else if (resource.type == table_block ||
               (is_of_keyspaces(resource.type) && attribute.name != "keyspace_name")) {
      return base::Failure<std::string>(reference + ", which is known only when it is made");
    } else {
      resource.references[std::string(attribute.name)].push_back(reference);
    }
    return {};
  }

  /// Reports a resource that is not literal.
  void refuse(const Block& block, const Instance& instance, const std::string& reason) {
    const Place place{file_, block.line};
    const std::string address = address_of(block, instance);
    if (block.labels[0] == table_block || is_of_keyspaces(block.labels[0])) {
      to_.errors.push_back({place, table_text(block, instance) + address + " is not literal (" + reason +
                                       "); run " + std::string(plan_commands) + " and read plan.json"});
    } else if (block.labels[0] != "aws_lambda_function") {
      to_.warnings.push_back({place, address + " is left out, because it is not literal (" + reason + ')'});
    }
  }

  /// Returns `table "zones": ` if its name is literal.
  std::string table_text(const Block& block, const Instance& instance) {
    const Attribute* const name = block.body.find("name");
    if (name == nullptr) return {};
    const auto value = evaluator_.evaluate(name->expression, instance);
    if (!value || !value->reference.empty() || !value->node.is_scalar()) return {};
    return "table \"" + value->node.scalar() + "\": ";
  }

  /// Returns the region of a resource's provider; empty if it is not literal.
  std::string region_of(const Body& resource) {
    const Attribute* const chosen = resource.find("provider");
    const std::string_view alias = chosen == nullptr || chosen->expression.size() != 3
                                       ? std::string_view()
                                       : chosen->expression.back().text;
    const auto region = regions_.find(alias);
    return region == regions_.end() ? std::string() : region->second;
  }

  std::string text_of(const Body& body, std::string_view name) {
    const Attribute* const attribute = body.find(name);
    if (attribute == nullptr) return {};
    const auto value = evaluator_.evaluate(attribute->expression, {});
    return value && value->node.is_scalar() ? value->node.scalar() : std::string();
  }

  void note_module(const Block& block) {
    const std::string name = '"' + std::string(block.labels[0]) + '"';
    if (text_of(block.body, "source").find("dynamodb") != std::string::npos) {
      to_.errors.push_back(
          {Place{file_, block.line}, "the tables of module " + name + " are not literal; run " +
                                         std::string(plan_commands) + " and read plan.json"});
    } else {
      modules_ += (modules_.empty() ? "" : ", ") + name;
    }
  }

  const hcl::ConfigurationFiles& files_;
  const Input& input_;
  Definitions& to_;
  std::shared_ptr<const std::string> file_;  ///< whose blocks are read
  hcl::Scope scope_;
  Evaluator evaluator_{scope_};
  std::map<std::string, std::string, std::less<>> regions_;  ///< of providers by alias
  std::vector<Resource> resources_;
  std::string modules_;
};

}  // namespace

void read_configuration_files(const hcl::ConfigurationFiles& files, const Input& input, Definitions& to) {
  ConfigurationReader(files, input, to).read();
}

}  // namespace dinette::definitions
