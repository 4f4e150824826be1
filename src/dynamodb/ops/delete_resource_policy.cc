#include "dynamodb/api/delete_resource_policy.h"

#include <optional>

#include "dynamodb/tables/resource_policy.h"

namespace dinette::dynamodb::ops {

// docs/service/insights-policies-account.md section 2: the revision in the answer is that of the policy that
// was deleted; without one there is none.
Answer<api::DeleteResourcePolicyOutput> delete_resource_policy(const Context& context,
                                                               api::DeleteResourcePolicyInput&& input) {
  std::optional<std::string> deleted;
  const auto remove = [&](const KeptPolicy& current, std::string_view table) -> Answer<KeptPolicy> {
    DINETTE_CHECK(check_revision(input.expected_revision_id, table, current));
    deleted.reset();
    if (current.document) deleted = std::to_string(current.revision);
    return replaced(current, std::nullopt, context.now);
  };
  DINETTE_CHECK(change_policy(context, input.resource_arn, remove));
  return api::DeleteResourcePolicyOutput{std::move(deleted)};
}

}  // namespace dinette::dynamodb::ops
