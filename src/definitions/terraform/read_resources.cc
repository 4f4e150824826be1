#include "read_resources.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "dinette/definitions/read_node.h"

#include "../follow_ups.h"
#include "../members.h"
#include "../node_members.h"
#include "keyspaces_resources.h"
#include "mapping_resource.h"
#include "table_links.h"
#include "table_resource.h"

namespace dinette::definitions {
namespace {

/// Makes definitions of resources: first the tables, then what belongs to them.
class ResourceReader {
 public:
  ResourceReader(const std::vector<Resource>& resources, const Input& input, Definitions& to)
      : resources_(resources), surroundings_(input.surroundings), to_(to) {}

  void read() {
    for (const Resource& resource : resources_) {
      if (resource.type == "aws_dynamodb_table") add(resource);
    }
    drop_other_regions();
    const TableLinks links(tables_);
    for (const Resource& resource : resources_) attach(resource, links);
    std::vector<cloudformation::EventSourceMapping> mappings = find_mappings(links);
    finish_tables();
    for (auto& mapping : mappings) add_event_source_mapping(std::move(mapping), refused_, to_);
    add_keyspaces_of_resources(resources_, surroundings_, to_);
  }

 private:
  void add(const Resource& resource) {
    const auto name = surroundings_.names.find(resource.address);
    auto table = table_of_resource(
        resource, name == surroundings_.names.end() ? std::string_view() : name->second, to_);
    if (table) tables_.push_back({*std::move(table), resource.region});
  }

  bool is_elsewhere(const LinkedTable& table) const {
    return !table.region.empty() && table.region != surroundings_.region;
  }

  /// Of tables of one name, keeps the one of our region. Says which tables are of another one.
  void drop_other_regions() {
    std::set<std::string> here;
    for (const LinkedTable& table : tables_) {
      if (!is_elsewhere(table)) here.insert(table.definition.name);
    }
    std::map<std::string, std::set<std::string>> elsewhere;
    std::erase_if(tables_, [&](const LinkedTable& table) {
      if (!is_elsewhere(table)) return false;
      const bool drop = here.contains(table.definition.name);
      if (drop) {
        warn_of_table(table.definition, table.definition.id + " of region " + table.region + " is left out",
                      to_);
      } else {
        elsewhere[table.region].insert(table.definition.name);
      }
      return drop;
    });
    for (const auto& [region, tables] : elsewhere) {
      std::string names;
      for (const std::string& name : tables) names += (names.empty() ? "\"" : ", \"") + name + '"';
      to_.warnings.push_back(
          {Place(), "tables of region " + region + " are made in " + surroundings_.region + ": " + names});
    }
  }

  void attach(const Resource& resource, const TableLinks& links) {
    if (resource.type == "aws_dynamodb_table_item") {
      if (const auto table = table_for(resource, links, "table_name")) add_item(resource, *table);
    } else if (resource.type == "aws_dynamodb_tag") {
      if (const auto table = table_for(resource, links, "resource_arn")) add_tag(resource.values, *table);
    } else if (resource.type == "aws_dynamodb_global_secondary_index") {
      if (const auto table = table_for(resource, links, "table_name"))
        add_index_resource(resource.values, *table);
    } else if (resource.type == "aws_dynamodb_resource_policy") {
      if (const auto table = table_for(resource, links, "resource_arn"))
        copy_member(resource.values, "policy", table->create, "ResourcePolicy");
    } else if (resource.type == "aws_dynamodb_contributor_insights") {
      if (const auto table = table_for(resource, links, "table_name"))
        enable_insights(text_at(resource.values, "index_name"), value_or_null(resource.values, "mode"),
                        *table);
    } else if (resource.type == "aws_dynamodb_kinesis_streaming_destination") {
      if (const auto table = table_for(resource, links, "table_name"))
        enable_kinesis(value_or_null(resource.values, "stream_arn"),
                       value_or_null(resource.values, "approximate_creation_date_time_precision"), *table);
    } else if (const std::string_view attribute = attribute_of_left_out(resource.type); !attribute.empty()) {
      const TableLink link = links.find(resource, attribute);
      warn(resource, link.name.empty() ? "is left out" : "of table \"" + link.name + "\" is left out");
    }
  }

  static Node value_or_null(const Node& values, std::string_view attribute) {
    return is_set_at(values, attribute) ? *values.find(attribute) : Node();
  }

  /// Returns the attribute by which a resource that is not made names its table; empty for any other.
  static std::string_view attribute_of_left_out(std::string_view type) {
    if (type == "aws_dynamodb_table_replica") return "global_table_arn";
    if (type == "aws_dynamodb_table_export") return "table_arn";
    if (type == "aws_dynamodb_global_table") return "name";
    return {};
  }

  /// Returns the table that a resource belongs to; null, with a warning, if the configuration does not say.
  TableDefinition* table_for(const Resource& resource, const TableLinks& links, std::string_view attribute) {
    const TableLink link = links.find(resource, attribute);
    if (link.table == nullptr)
      warn(resource, link.name.empty()
                         ? "is left out, because it cannot be told of which table it is"
                         : "is left out, because table \"" + link.name + "\" is not in the file");
    return link.table;
  }

  void warn(const Resource& resource, const std::string& what) {
    to_.warnings.push_back({resource.place, resource.address + ' ' + what});
  }

  void add_item(const Resource& resource, TableDefinition& table) {
    const auto item = read_json(text_at(resource.values, "item"), "item");
    if (item && item->is_map()) {
      table.items.push_back(*item);
    } else {  // an item may be a secret, so not even its mistake is shown
      to_.errors.push_back(
          {resource.place, "table \"" + table.name + "\": the item of " + resource.address + " is not JSON"});
    }
  }

  static void add_tag(const Node& values, TableDefinition& table) {
    Node tag;
    copy_member(values, "key", tag, "Key");
    copy_member(values, "value", tag, "Value");
    if (!table.create.has("Tags")) table.create.set("Tags", Node::list());
    table.create.find("Tags")->append(std::move(tag));
  }

  std::vector<cloudformation::EventSourceMapping> find_mappings(const TableLinks& links) {
    const MappingReader reader(resources_, links, surroundings_);
    std::vector<cloudformation::EventSourceMapping> mappings;
    for (const Resource& resource : resources_) {
      if (resource.type != "aws_lambda_event_source_mapping") continue;
      if (auto mapping = reader.read(resource)) mappings.push_back(*std::move(mapping));
    }
    return mappings;
  }

  void finish_tables() {
    for (LinkedTable& table : tables_) {
      std::string name = table.definition.name;
      const std::size_t before = to_.tables.size();
      add_table(std::move(table.definition), to_);
      if (to_.tables.size() == before) refused_.insert(std::move(name));
    }
  }

  const std::vector<Resource>& resources_;
  const Surroundings& surroundings_;
  Definitions& to_;
  std::vector<LinkedTable> tables_;
  std::set<std::string> refused_;  ///< names of tables that have errors
};

}  // namespace

void read_resources(const std::vector<Resource>& resources, const Input& input, Definitions& to) {
  if (resources.size() > most_resources) {
    to.errors.push_back({Place(), "there are more than " + std::to_string(most_resources) +
                                      " resources of DynamoDB, Lambda and Amazon Keyspaces"});
    return;
  }
  ResourceReader(resources, input, to).read();
}

}  // namespace dinette::definitions
