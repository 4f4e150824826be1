#include "app/tables/apply_keyspaces.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/base/ascii.h"

#include "app/tables/application.h"
#include "app/tables/keyspaces_calls.h"
#include "app/tables/keyspaces_difference.h"
#include "app/tables/members.h"

namespace dinette::app {
namespace {

using definitions::KeyspacesResource;
using definitions::Node;
using ResourceKind = KeyspacesResource::Kind;
using Outcome = AppliedResource::Outcome;
using Resources = std::vector<const KeyspacesResource*>;

/// Returns true for "Cannot add table to non existing keyspace shop" and "Keyspace shop does not exist".
bool says_keyspace_is_missing(std::string_view error) {
  const auto says = [error](std::string_view words) { return error.find(words) != std::string_view::npos; };
  return says("non existing keyspace") ||
         (says("eyspace") && (says("does not exist") || says("doesn't exist")));
}

AppliedResource::Kind applied_kind(ResourceKind kind) {
  if (kind == ResourceKind::keyspace) return AppliedResource::Kind::keyspace;
  return kind == ResourceKind::type ? AppliedResource::Kind::type : AppliedResource::Kind::keyspaces_table;
}

/// Returns what a resource has, for the user.
std::vector<std::string> parts_of_resource(const Node& create) {
  std::vector<std::string> parts;
  const auto add_number = [&parts](const Node* list, std::string_view one, std::string_view several) {
    const std::size_t number = elements_of(list).size();
    if (number > 0) parts.push_back(count_text(number, one, several));
  };
  const auto is_enabled = [&create](std::string_view member) {
    return scalar_of(create.find(member, "status")) == "ENABLED";
  };
  add_number(create.find("replicationSpecification", "regionList"), "region", "regions");
  add_number(create.find("fieldDefinitions"), "field", "fields");
  if (is_enabled("clientSideTimestamps")) parts.emplace_back("client-side timestamps");
  const Node* const seconds = create.find("defaultTimeToLive");
  if (is_enabled("ttl") || (seconds != nullptr && seconds->scalar() != "0")) parts.emplace_back("TTL");
  if (is_enabled("pointInTimeRecovery")) parts.emplace_back("point-in-time recovery");
  if (is_enabled("cdcSpecification")) parts.emplace_back("stream");
  add_number(create.find("tags"), "tag", "tags");
  return parts;
}

/// Returns true if a text of CQL has this name as a word.
bool has_word(std::string_view cql, std::string_view word) {
  const auto is_part = [](char c) { return base::is_letter(c) || base::is_digit(c) || c == '_'; };
  for (std::size_t at = cql.find(word); at != std::string_view::npos; at = cql.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part(cql[at - 1])) && (end == cql.size() || !is_part(cql[end]))) return true;
  }
  return false;
}

bool consists_of(const KeyspacesResource& type, const KeyspacesResource& other) {
  if (&type == &other || type.keyspace != other.keyspace) return false;
  const auto& fields = elements_of(type.create.find("fieldDefinitions"));
  return std::ranges::any_of(fields, [&other](const Node& field) {
    std::string text(scalar_of(field.find("type")));
    std::ranges::transform(text, text.begin(), base::to_lower);
    return has_word(text, other.name);
  });
}

/// Puts types after those that they consist of. Types that consist of each other stay as they are: the
/// service says what is wrong with them.
Resources in_order(Resources types) {
  Resources ordered;
  while (!types.empty()) {
    auto next = std::ranges::find_if(types, [&types](const KeyspacesResource* type) {
      return std::ranges::none_of(
          types, [type](const KeyspacesResource* other) { return consists_of(*type, *other); });
    });
    if (next == types.end()) next = types.begin();
    ordered.push_back(*next);
    types.erase(next);
  }
  return ordered;
}

Resources of_kind(const std::vector<KeyspacesResource>& resources, ResourceKind kind) {
  Resources found;
  for (const KeyspacesResource& resource : resources) {
    if (resource.kind == kind) found.push_back(&resource);
  }
  return found;
}

class KeyspacesApplication final : public Application {
 public:
  /// `in_new_keyspace`: its keyspace was just created.
  KeyspacesApplication(const Transfer& transfer, const KeyspacesResource& resource, OnDifference existing,
                       bool in_new_keyspace)
      : Application(transfer, existing), resource_(resource), in_new_keyspace_(in_new_keyspace) {
    applied_.kind = applied_kind(resource.kind);
    applied_.id = resource.id;
    applied_.name = resource.full_name();
  }

 private:
  Presence look() override {
    auto description = describe_if_there(transfer_, resource_);
    if (!succeeded(description)) return Presence::unknown;
    if (!*description) return Presence::absent;
    description_ = **std::move(description);
    return Presence::present;
  }

  bool compare() override {
    if (!succeeded(complete_description(transfer_, resource_, description_))) return false;
    KeyspacesChange found = compare_keyspaces(resource_, description_);
    applied_.differences = std::move(found.differences);
    plan_ = std::move(found.plan);
    return true;
  }

  bool update() override {
    if (resource_.kind == ResourceKind::type) {
      fail("the fields of a type that exists cannot be changed by the API; ALTER TYPE of CQL may do it");
      return false;
    }
    return std::ranges::all_of(plan_, [this](const PlannedCall& call) {
      return carry_out(call.operation, call.input) && becomes_active();
    });
  }

  bool is_replaceable() const override { return resource_.kind == ResourceKind::table; }

  bool remove() override {
    return carry_out("DeleteTable", naming(resource_)) && succeeded(wait_until_gone(transfer_, resource_));
  }

  bool create() override {
    if (!succeeded(call_create()) || !becomes_active()) return false;
    applied_.parts = parts_of_resource(resource_.create);
    return true;
  }

  /// A keyspace in a single region has no status that GetKeyspace shows, and nothing can be made in it until
  /// it is active.
  base::Result<std::string, CallError> call_create() {
    const ServiceCall call = keyspaces_call(operation_about(resource_, "Create"), resource_.create);
    for (unsigned tries = 1;; ++tries) {
      auto output = transfer_.call(call);
      const bool may_pass = !output && in_new_keyspace_ && says_keyspace_is_missing(output.error().message);
      if (!may_pass || tries == most_tries) return output;
      wait_before_retry(transfer_.patience, tries - 1);
    }
  }

  bool becomes_active() { return succeeded(wait_until_active(transfer_, resource_)); }

  bool carry_out(const std::string& operation, const Node& input) {
    return succeeded(transfer_.call(keyspaces_call(operation, input)));
  }

  const KeyspacesResource& resource_;
  const bool in_new_keyspace_;
  Node description_;  ///< the output of GetKeyspace, GetType or GetTable
  std::vector<PlannedCall> plan_;
};

}  // namespace

std::vector<AppliedResource> apply_keyspaces(const Transfer& transfer,
                                             const std::vector<KeyspacesResource>& resources,
                                             OnDifference existing) {
  std::vector<AppliedResource> applied;
  std::set<std::string, std::less<>> created;  // keyspaces
  for (const Resources& some :
       {of_kind(resources, ResourceKind::keyspace), in_order(of_kind(resources, ResourceKind::type)),
        of_kind(resources, ResourceKind::table)}) {
    for (const KeyspacesResource* const resource : some) {
      const bool in_new_keyspace = created.contains(resource->keyspace);
      applied.push_back(KeyspacesApplication(transfer, *resource, existing, in_new_keyspace).run());
      if (resource->kind == ResourceKind::keyspace && applied.back().outcome == Outcome::created)
        created.insert(resource->keyspace);
    }
  }
  return applied;
}

}  // namespace dinette::app
