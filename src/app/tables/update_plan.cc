#include "app/tables/update_plan.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/tables/members.h"
#include "app/tables/table_difference.h"

namespace dinette::app {
namespace {

using definitions::Node;

/// Indexes that come and go while their table stays: the members that list them, and change them.
struct IndexKind {
  std::string_view list;
  std::string_view updates;
};
constexpr IndexKind global{"GlobalSecondaryIndexes", "GlobalSecondaryIndexUpdates"};
constexpr IndexKind of_vectors{"VectorIndexes", "VectorIndexUpdates"};

/// What no update of an index changes.
constexpr std::array<std::string_view, 6> fixed_parts{"KeySchema",  "Projection",       "VectorAttribute",
                                                      "Dimensions", "DistanceFunction", "SearchSchema"};

bool differ(const Node* left, const Node* right) {
  if (left == nullptr || right == nullptr) return left != right;
  return !(*left == *right);
}

/// -1 takes a limit away.
Node limits_of(const Node* limits) {
  Node made;
  for (const char* const name : {"MaxReadRequestUnits", "MaxWriteRequestUnits"}) {
    const Node* const limit = limits == nullptr ? nullptr : limits->find(name);
    made.set(name, limit == nullptr ? Node::number("-1") : *limit);
  }
  return made;
}

class UpdatePlan {
 public:
  UpdatePlan(const Node& there, const Node& wanted, std::string_view arn)
      : there_(there), wanted_(wanted), arn_(arn) {}

  std::vector<PlannedCall> run() {
    drop_indexes(global);
    drop_indexes(of_vectors);
    change_throughput();
    make_indexes(global);
    make_indexes(of_vectors);
    change_stream();
    change_encryption();
    change_class();
    change_protection();
    change_time_to_live();
    change_recovery();
    change_tags();
    return std::move(calls_);
  }

 private:
  void add(std::string operation, Node input) { calls_.push_back({std::move(operation), std::move(input)}); }

  Node naming_table() const {
    Node input;
    input.set("TableName", *wanted_.find("TableName"));
    return input;
  }

  void update_table(std::string_view member, Node value) {
    Node input = naming_table();
    input.set(member, std::move(value));
    add("UpdateTable", std::move(input));
  }

  void update_index(IndexKind kind, std::string action, Node value) {
    update_table(kind.updates, Node::list({Node::map({{std::move(action), std::move(value)}})}));
  }

  const Node* same_index(IndexKind kind, const Node& table, const Node& index) const {
    return element_named(table.find(kind.list), "IndexName", scalar_of(index.find("IndexName")));
  }

  /// Returns true if the index that is there cannot become the one that is wanted.
  bool must_be_made_again(const Node& there, const Node& wanted) const {
    const auto is_other = [&](std::string_view part) { return differ(there.find(part), wanted.find(part)); };
    if (std::ranges::any_of(fixed_parts, is_other)) return true;
    return std::ranges::any_of(retyped_attributes(there_, wanted_), [&](const std::string& attribute) {
      return has_key_attribute(wanted, attribute);
    });
  }

  // One per call: the service drops and makes only one index at a time.
  void drop_indexes(IndexKind kind) {
    for (const Node& index : elements_of(there_.find(kind.list))) {
      const Node* const wanted = same_index(kind, wanted_, index);
      if (wanted == nullptr || must_be_made_again(index, *wanted))
        update_index(kind, "Delete", Node::map({{"IndexName", *index.find("IndexName")}}));
    }
  }

  void make_indexes(IndexKind kind) {
    for (const Node& index : elements_of(wanted_.find(kind.list))) {
      const Node* const there = same_index(kind, there_, index);
      if (there != nullptr && !must_be_made_again(*there, index)) continue;
      update_index(kind, "Create", index);
      calls_.back().input.set("AttributeDefinitions", *wanted_.find("AttributeDefinitions"));
    }
  }

  /// Changes how the table and the indexes that stay are paid for.
  void change_throughput() {
    Node input = naming_table();
    if (differ(there_.find("BillingMode"), wanted_.find("BillingMode")))
      input.set("BillingMode", *wanted_.find("BillingMode"));
    copy_throughput(there_, wanted_, input);
    if (is_on_demand() && input.members().size() > 1) {  // the service takes nothing else next to limits
      add("UpdateTable", std::move(input));
      input = naming_table();
    }
    if (auto updates = throughput_of_indexes(); !updates.empty())
      input.set(global.updates, Node::list(std::move(updates)));
    if (input.members().size() > 1) add("UpdateTable", std::move(input));
  }

  std::vector<Node> throughput_of_indexes() const {
    std::vector<Node> updates;
    for (const Node& index : elements_of(wanted_.find(global.list))) {
      const Node* const there = same_index(global, there_, index);
      if (there == nullptr || must_be_made_again(*there, index)) continue;
      Node update = Node::map({{"IndexName", *index.find("IndexName")}});
      copy_throughput(*there, index, update);
      if (update.members().size() > 1) updates.push_back(Node::map({{"Update", std::move(update)}}));
    }
    return updates;
  }

  bool is_on_demand() const { return scalar_of(wanted_.find("BillingMode")) == "PAY_PER_REQUEST"; }

  /// What is paid otherwise has no throughput of the new kind, so that it gets one.
  void copy_throughput(const Node& there, const Node& wanted, Node& to) const {
    const std::string_view name = is_on_demand() ? "OnDemandThroughput" : "ProvisionedThroughput";
    const Node* const value = wanted.find(name);
    if (!differ(there.find(name), value)) return;
    if (is_on_demand()) {
      to.set(name, limits_of(value));
    } else if (value != nullptr) {
      to.set(name, *value);
    }
  }

  /// A stream's view cannot be changed: the old stream ends, and a new one begins.
  void change_stream() {
    const Node* const there = there_.find("StreamSpecification");
    const Node* const wanted = wanted_.find("StreamSpecification");
    if (!differ(there, wanted)) return;
    if (there != nullptr)
      update_table("StreamSpecification", Node::map({{"StreamEnabled", Node::boolean(false)}}));
    if (wanted != nullptr) update_table("StreamSpecification", *wanted);
  }

  void change_encryption() {
    if (!differ_in("SSESpecification")) return;
    const Node* const wanted = wanted_.find("SSESpecification");
    update_table("SSESpecification",
                 wanted == nullptr ? Node::map({{"Enabled", Node::boolean(false)}}) : *wanted);
  }

  bool differ_in(std::string_view member) const {
    return std::ranges::any_of(differences(there_, wanted_),
                               [&](const Difference& one) { return one.member == member; });
  }

  void change_class() {
    const Node* const wanted = wanted_.find("TableClass");
    if (differ(there_.find("TableClass"), wanted))
      update_table("TableClass", wanted == nullptr ? Node::text("STANDARD") : *wanted);
  }

  void change_protection() {
    const Node* const wanted = wanted_.find("DeletionProtectionEnabled");
    if (differ(there_.find("DeletionProtectionEnabled"), wanted))
      update_table("DeletionProtectionEnabled", Node::boolean(wanted != nullptr));
  }

  void change_time_to_live() {
    const Node* const there = there_.find("TimeToLiveSpecification");
    const Node* const wanted = wanted_.find("TimeToLiveSpecification");
    if (!differ(there, wanted)) return;
    if (there != nullptr) {
      Node off = *there;
      off.set("Enabled", Node::boolean(false));
      set_time_to_live(std::move(off));
    }
    if (wanted != nullptr) set_time_to_live(*wanted);
  }

  void set_time_to_live(Node specification) {
    Node input = naming_table();
    input.set("TimeToLiveSpecification", std::move(specification));
    add("UpdateTimeToLive", std::move(input));
  }

  void change_recovery() {
    constexpr std::string_view member = "PointInTimeRecoverySpecification";
    const Node* const wanted = wanted_.find(member);
    if (!differ(there_.find(member), wanted)) return;
    Node input = naming_table();
    input.set(member, wanted == nullptr ? Node::map({{"PointInTimeRecoveryEnabled", Node::boolean(false)}})
                                        : *wanted);
    if (wanted != nullptr && !wanted->has("RecoveryPeriodInDays"))
      input.find(member)->set("RecoveryPeriodInDays", Node::number("35"));  // else the period stays
    add("UpdateContinuousBackups", std::move(input));
  }

  void change_tags() {
    const Node* const there = there_.find("Tags");
    const Node* const wanted = wanted_.find("Tags");
    std::vector<Node> dropped;
    for (const Node& tag : elements_of(there)) {
      const auto key = scalar_of(tag.find("Key"));
      if (element_named(wanted, "Key", key) == nullptr) dropped.push_back(Node::text(std::string(key)));
    }
    std::vector<Node> set;
    for (const Node& tag : elements_of(wanted)) {
      const Node* const other = element_named(there, "Key", scalar_of(tag.find("Key")));
      if (other == nullptr || !(*other == tag)) set.push_back(tag);
    }
    change_resource("UntagResource", "TagKeys", std::move(dropped));
    change_resource("TagResource", "Tags", std::move(set));
  }

  void change_resource(std::string operation, std::string_view member, std::vector<Node> values) {
    if (values.empty()) return;
    Node input = Node::map({{"ResourceArn", Node::text(std::string(arn_))}});
    input.set(member, Node::list(std::move(values)));
    add(std::move(operation), std::move(input));
  }

  const Node& there_;
  const Node& wanted_;
  const std::string_view arn_;
  std::vector<PlannedCall> calls_;
};

}  // namespace

std::vector<PlannedCall> plan_update(const Node& there, const Node& wanted, std::string_view arn) {
  return UpdatePlan(there, wanted, arn).run();
}

}  // namespace dinette::app
