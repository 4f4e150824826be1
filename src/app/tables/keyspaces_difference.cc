#include "app/tables/keyspaces_difference.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "dinette/base/ascii.h"

#include "app/tables/keyspaces_calls.h"
#include "app/tables/members.h"

namespace dinette::app {
namespace {

using definitions::KeyspacesResource;
using definitions::Node;
using ResourceKind = KeyspacesResource::Kind;

/// Those that UpdateTable changes, one per call.
constexpr std::array<std::string_view, 10> table_settings{
    "capacitySpecification",    "encryptionSpecification",
    "pointInTimeRecovery",      "ttl",
    "defaultTimeToLive",        "clientSideTimestamps",
    "autoScalingSpecification", "replicaSpecifications",
    "cdcSpecification",         "warmThroughputSpecification"};

std::optional<double> number_in(const Node& scalar) {
  const std::string& text = scalar.scalar();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Compares 70 and 70.0 as numbers.
bool same_scalar(const Node& one, const Node& other) {
  if (one.scalar() == other.scalar()) return true;
  const auto number = number_in(one);
  return number && number == number_in(other);
}

/// Returns true if `is` has everything that is wanted; it may have more members.
bool has_all(const Node* is, const Node& wanted) {
  if (is == nullptr) return false;
  if (wanted.is_map()) {
    return std::ranges::all_of(wanted.members(), [is](const Node::Member& member) {
      return has_all(is->find(member.key), member.value);
    });
  }
  if (wanted.is_list()) {
    return std::ranges::equal(is->elements(), wanted.elements(),
                              [](const Node& one, const Node& other) { return has_all(&one, other); });
  }
  return is->is_scalar() && same_scalar(*is, wanted);
}

/// Returns of a value only what is wanted of it, to be shown next to it.
Node shown_part(const Node& is, const Node& wanted) {
  if (!is.is_map() || !wanted.is_map()) return is;
  Node part;
  for (const Node::Member& member : wanted.members()) {
    if (const Node* const same = is.find(member.key)) part.set(member.key, shown_part(*same, member.value));
  }
  return part;
}

/// Returns a type of CQL as the service writes it: without blanks, in small letters.
std::string normal_type(std::string_view type) {
  std::string normal;
  for (const char c : type) {
    if (c != ' ') normal += base::to_lower(c);
  }
  for (std::size_t at = 0; (at = normal.find("varchar", at)) != std::string::npos;)
    normal.replace(at, std::string_view("varchar").size(), "text");
  return normal;
}

/// Returns "id int, total decimal".
Node normal_types(const Node* definitions) {
  Node normal = Node::list();
  for (const Node& one : elements_of(definitions)) {
    normal.append(Node::map({{"name", Node::text(std::string(scalar_of(one.find("name"))))},
                             {"type", Node::text(normal_type(scalar_of(one.find("type"))))}}));
  }
  return normal;
}

Node list_or_empty(const Node* list) {
  return list == nullptr ? Node::list() : *list;
}

/// Returns streams of changes as a definition says them: GetTable is silent about one that is off.
Node stream_of_changes(const Node& table) {
  const Node* const stream = table.find("cdcSpecification");
  if (stream == nullptr) return Node::map({{"status", Node::text("DISABLED")}});
  Node normal = *stream;
  const std::string_view status = scalar_of(stream->find("status"));
  if (status == "ENABLING") normal.set("status", Node::text("ENABLED"));
  if (status == "DISABLING") normal.set("status", Node::text("DISABLED"));
  return normal;
}

/// Returns the replicas that are wanted as GetTable shows them; how they scale, it does not.
Node replicas_of(const Node& table, const Node& wanted) {
  Node replicas = Node::list();
  for (const Node& one : wanted.elements()) {
    const std::string_view region = scalar_of(one.find("region"));
    const Node* const same = element_named(table.find("replicaSpecifications"), "region", region);
    if (same == nullptr) continue;
    Node replica = Node::map({{"region", Node::text(std::string(region))}});
    if (const Node* const units = same->find("capacitySpecification", "readCapacityUnits"))
      replica.set("readCapacityUnits", *units);
    replicas.append(std::move(replica));
  }
  return replicas;
}

/// Returns a setting without what no operation shows.
Node comparable(std::string_view setting, Node wanted) {
  if (setting == "cdcSpecification") wanted.erase("tags");
  for (Node& replica : wanted.elements()) replica.erase("readCapacityAutoScaling");
  return wanted;
}

class KeyspacesComparison {
 public:
  KeyspacesComparison(const KeyspacesResource& wanted, const Node& is) : wanted_(wanted), is_(is) {}

  KeyspacesChange run() {
    if (wanted_.kind == ResourceKind::keyspace) compare_replication();
    if (wanted_.kind == ResourceKind::type) compare_fields();
    if (wanted_.kind == ResourceKind::table) compare_table();
    compare_tags();
    return std::move(change_);
  }

 private:
  void note(std::string member, const Node* left, const Node* right, bool needs_new_table = false) {
    change_.differences.push_back({std::move(member), short_text(left), short_text(right), needs_new_table});
  }

  void plan(const std::string& verb, std::string_view member, Node value) {
    Node input = naming(wanted_);
    input.set(member, std::move(value));
    change_.plan.push_back({operation_about(wanted_, verb), std::move(input)});
  }

  void compare_replication() {
    constexpr std::string_view member = "replicationSpecification";
    const Node* const replication = wanted_.create.find(member);
    if (replication == nullptr) return;
    Node there;
    if (const Node* const strategy = is_.find("replicationStrategy"))
      there.set("replicationStrategy", *strategy);
    if (replication->has("regionList"))
      there.set("regionList", list_or_empty(is_.find("replicationRegions")));
    if (same_replication(there, *replication)) return;
    note(std::string(member), &there, replication);
    plan("Update", member, *replication);
    if (wanted_.client_side_timestamps)
      change_.plan.back().input.set("clientSideTimestamps", Node::map({{"status", Node::text("ENABLED")}}));
  }

  /// The order of regions does not matter.
  static bool same_replication(const Node& one, const Node& other) {
    const auto regions = [](const Node& replication) {
      std::set<std::string_view> names;
      for (const Node& region : elements_of(replication.find("regionList"))) names.insert(region.scalar());
      return names;
    };
    return scalar_of(one.find("replicationStrategy")) == scalar_of(other.find("replicationStrategy")) &&
           regions(one) == regions(other);
  }

  void compare_fields() {
    constexpr std::string_view member = "fieldDefinitions";
    const Node there = normal_types(is_.find(member));
    const Node fields = normal_types(wanted_.create.find(member));
    if (!(there == fields)) note(std::string(member), &there, &fields);
  }

  void compare_table() {
    compare_key("partitionKeys");
    compare_key("clusteringKeys");
    compare_columns();
    for (const std::string_view setting : table_settings) {
      if (const Node* const value = wanted_.create.find(setting)) compare_setting(setting, *value);
    }
  }

  void compare_key(std::string_view member) {
    const Node there = list_or_empty(is_.find("schemaDefinition", member));
    const Node keys = list_or_empty(wanted_.create.find("schemaDefinition", member));
    if (!(there == keys)) note(std::string(member), &there, &keys, true);
  }

  /// Columns can be added, and nothing else; those of the key are compared as such.
  void compare_columns() {
    const Node there = normal_types(is_.find("schemaDefinition", "allColumns"));
    const Node columns = normal_types(wanted_.create.find("schemaDefinition", "allColumns"));
    Node added = Node::list();
    for (const Node& column : columns.elements()) {
      const std::string_view name = scalar_of(column.find("name"));
      const Node* const same = element_named(&there, "name", name);
      if (same != nullptr && *same == column) continue;
      note(column_member(name), same == nullptr ? nullptr : same->find("type"), column.find("type"),
           same != nullptr);
      if (same == nullptr)
        added.append(*element_named(wanted_.create.find("schemaDefinition", "allColumns"), "name", name));
    }
    for (const Node& column : there.elements()) {
      const std::string_view name = scalar_of(column.find("name"));
      if (element_named(&columns, "name", name) == nullptr)
        note(column_member(name), column.find("type"), nullptr, true);
    }
    if (!added.elements().empty()) plan("Update", "addColumns", std::move(added));
  }

  static std::string column_member(std::string_view name) { return "columns." + std::string(name); }

  void compare_setting(std::string_view setting, const Node& value) {
    const Node needed = comparable(setting, value);
    const Node there = setting_there(setting, needed);
    if (has_all(&there, needed)) return;
    const Node shown = shown_part(there, needed);
    note(std::string(setting), &shown, &needed);
    plan("Update", setting, value);
  }

  Node setting_there(std::string_view setting, const Node& needed) const {
    if (setting == "cdcSpecification") return stream_of_changes(is_);
    if (setting == "replicaSpecifications") return replicas_of(is_, needed);
    const Node* const found = is_.find(setting);
    return found == nullptr ? Node() : *found;
  }

  /// Tags that only the server has stay.
  void compare_tags() {
    Node missing = Node::list();
    for (const Node& tag : elements_of(wanted_.create.find("tags"))) {
      const std::string_view key = scalar_of(tag.find("key"));
      const Node* const same = element_named(is_.find("tags"), "key", key);
      const Node* const value = same == nullptr ? nullptr : same->find("value");
      if (value != nullptr && value->scalar() == scalar_of(tag.find("value"))) continue;
      note("tags." + std::string(key), value, tag.find("value"));
      missing.append(tag);
    }
    if (missing.elements().empty()) return;
    Node input = Node::map({{"tags", std::move(missing)}});
    input.set("resourceArn", Node::text(std::string(scalar_of(is_.find("resourceArn")))));
    change_.plan.push_back({"TagResource", std::move(input)});
  }

  const KeyspacesResource& wanted_;
  const Node& is_;
  KeyspacesChange change_;
};

}  // namespace

KeyspacesChange compare_keyspaces(const KeyspacesResource& wanted, const Node& is) {
  return KeyspacesComparison(wanted, is).run();
}

}  // namespace dinette::app
