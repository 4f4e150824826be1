#include "app/tables/table_difference.h"

#include <algorithm>
#include <array>

#include "app/tables/members.h"

namespace dinette::app {
namespace {

using definitions::Node;

constexpr std::array<std::string_view, 8> plain_members{"BillingMode",
                                                        "ProvisionedThroughput",
                                                        "OnDemandThroughput",
                                                        "StreamSpecification",
                                                        "TableClass",
                                                        "DeletionProtectionEnabled",
                                                        "TimeToLiveSpecification",
                                                        "PointInTimeRecoverySpecification"};

constexpr std::array<std::string_view, 8> index_members{
    "KeySchema",       "Projection", "ProvisionedThroughput", "OnDemandThroughput",
    "VectorAttribute", "Dimensions", "DistanceFunction",      "SearchSchema"};

bool equal(const Node* left, const Node* right) {
  if (left == nullptr || right == nullptr) return left == right;
  return *left == *right;
}

/// Returns the part of a key's name that says which key it is, however it is written: key/1234, alias/name.
std::string key_of(const Node& encryption) {
  const std::string_view key = scalar_of(encryption.find("KMSMasterKeyId"));
  if (key.starts_with("arn:")) return std::string(key.substr(key.rfind(':') + 1));
  return key.empty() || key.find('/') != std::string_view::npos ? std::string(key)
                                                                : "key/" + std::string(key);
}

/// The service returns the key that an alias refers to, or with its own if none was named: neither can
/// be compared with a key.
bool same_encryption(const Node* left, const Node* right) {
  if (left == nullptr || right == nullptr) return left == right;
  const std::string one = key_of(*left);
  const std::string other = key_of(*right);
  return one == other || one.empty() || other.empty() ||
         one.starts_with("alias/") != other.starts_with("alias/");
}

/// Returns the texts of a member of the elements of both lists, sorted, each once.
std::vector<std::string> names_in(std::string_view key, const Node* left, const Node* right) {
  std::vector<std::string> names;
  for (const Node* const list : {left, right}) {
    for (const Node& element : elements_of(list)) names.emplace_back(scalar_of(element.find(key)));
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

class TableComparison {
 public:
  TableComparison(const Node& left, const Node& right) : left_(left), right_(right) {}

  std::vector<Difference> run() {
    compare("KeySchema", left_.find("KeySchema"), right_.find("KeySchema"), true);
    compare_types();
    for (const std::string_view member : plain_members)
      compare(std::string(member), left_.find(member), right_.find(member), false);
    compare_encryption();
    compare_indexes("GlobalSecondaryIndexes", false);
    compare_indexes("LocalSecondaryIndexes", true);
    compare_indexes("VectorIndexes", false);
    compare_tags();
    return std::move(found_);
  }

 private:
  void compare(std::string member, const Node* left, const Node* right, bool needs_new_table) {
    if (equal(left, right)) return;
    found_.push_back({std::move(member), short_text(left), short_text(right), needs_new_table});
  }

  /// A definition that only one has belongs to a key that only one has.
  void compare_types() {
    for (const std::string& attribute : retyped_attributes(left_, right_)) {
      const auto type = [&](const Node& table) {
        return element_named(table.find("AttributeDefinitions"), "AttributeName", attribute)
            ->find("AttributeType");
      };
      compare("AttributeDefinitions." + attribute, type(left_), type(right_),
              has_fixed_type(attribute, left_) || has_fixed_type(attribute, right_));
    }
  }

  void compare_encryption() {
    const Node* const left = left_.find("SSESpecification");
    const Node* const right = right_.find("SSESpecification");
    if (!same_encryption(left, right)) compare("SSESpecification", left, right, false);
  }

  void compare_indexes(std::string_view kind, bool needs_new_table) {
    const Node* const left = left_.find(kind);
    const Node* const right = right_.find(kind);
    for (const std::string& name : names_in("IndexName", left, right)) {
      const std::string member = std::string(kind) + "." + name;
      const Node* const one = element_named(left, "IndexName", name);
      const Node* const other = element_named(right, "IndexName", name);
      if (one == nullptr || other == nullptr) {
        compare(member, one, other, needs_new_table);
        continue;
      }
      for (const std::string_view part : index_members)
        compare(member + "." + std::string(part), one->find(part), other->find(part), needs_new_table);
    }
  }

  void compare_tags() {
    const Node* const left = left_.find("Tags");
    const Node* const right = right_.find("Tags");
    const auto value = [](const Node* tag) { return tag == nullptr ? nullptr : tag->find("Value"); };
    for (const std::string& key : names_in("Key", left, right))
      compare("Tags." + key, value(element_named(left, "Key", key)), value(element_named(right, "Key", key)),
              false);
  }

  const Node& left_;
  const Node& right_;
  std::vector<Difference> found_;
};

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) text.append(text.empty() ? "" : between).append(part);
  return text;
}

/// Returns the values of a small map, such as an element of a key schema.
std::string values_of(const Node& map) {
  std::vector<std::string> parts;
  for (const Node::Member& member : map.members()) parts.push_back(short_text(&member.value));
  return joined(parts, " ");
}

std::string members_text(const Node& map) {
  std::vector<std::string> parts;
  for (const Node::Member& member : map.members()) {
    const std::string value = short_text(&member.value);
    parts.push_back(member.key + " " + (member.value.is_scalar() ? value : "(" + value + ")"));
  }
  return joined(parts, ", ");
}

bool has_only_scalars(const Node& map) {
  return std::ranges::all_of(map.members(),
                             [](const Node::Member& member) { return member.value.is_scalar(); });
}

}  // namespace

std::string short_text(const Node* value) {
  if (value == nullptr || value->is_null()) return "none";
  if (value->is_map()) return members_text(*value);
  if (!value->is_list()) return value->scalar().empty() ? "an empty text" : value->scalar();
  std::vector<std::string> parts;
  for (const Node& element : value->elements())
    parts.push_back(element.is_map() && has_only_scalars(element) ? values_of(element)
                                                                  : short_text(&element));
  return joined(parts, ", ");
}

bool has_key_attribute(const Node& index, std::string_view attribute) {
  return element_named(index.find("KeySchema"), "AttributeName", attribute) != nullptr;
}

bool has_fixed_type(std::string_view attribute, const Node& table) {
  const auto in_key = [attribute](const Node& one) { return has_key_attribute(one, attribute); };
  return in_key(table) || std::ranges::any_of(elements_of(table.find("LocalSecondaryIndexes")), in_key);
}

std::vector<std::string> retyped_attributes(const Node& left, const Node& right) {
  std::vector<std::string> retyped;
  const Node* const others = right.find("AttributeDefinitions");
  for (const Node& one : elements_of(left.find("AttributeDefinitions"))) {
    const auto name = scalar_of(one.find("AttributeName"));
    const Node* const other = element_named(others, "AttributeName", name);
    if (other != nullptr && !(one == *other)) retyped.emplace_back(name);
  }
  return retyped;
}

std::vector<Difference> differences(const Node& left, const Node& right) {
  return TableComparison(left, right).run();
}

std::string text_of(const Difference& difference, std::string_view left_name, std::string_view right_name) {
  std::string text = difference.member + ": " + difference.left + " in ";
  text.append(left_name).append(", ").append(difference.right).append(" in ").append(right_name);
  return difference.needs_new_table ? text + " (needs a new table)" : text;
}

std::string needs_new_table(const Difference& difference) {
  return difference.member +
         " of a table that exists cannot be changed: that needs a new table, which dinette tables apply "
         "--replace creates, without the items of this one";
}

}  // namespace dinette::app
