#include "dynamodb/api/put_resource_policy.h"

#include "dynamodb/tables/resource_policy.h"
#include "dynamodb/tables/tags.h"

namespace dinette::dynamodb::ops {

Answer<api::PutResourcePolicyOutput> put_resource_policy(const Context& context,
                                                         api::PutResourcePolicyInput&& input) {
  DINETTE_CHECK(check_resource_arn(input.resource_arn));
  DINETTE_CHECK(check_policy(context, input.policy));
  const auto put = [&](const KeptPolicy& current, std::string_view table) -> Answer<KeptPolicy> {
    DINETTE_CHECK(check_revision(input.expected_revision_id, table, current));
    if (!input.confirm_remove_self_resource_access.value_or(false))
      DINETTE_CHECK(check_lock_out(context, input.resource_arn, input.policy));
    return replaced(current, input.policy, context.now);
  };
  DINETTE_TRY(const KeptPolicy kept, change_policy(context, input.resource_arn, put));
  return api::PutResourcePolicyOutput{std::to_string(kept.revision)};
}

}  // namespace dinette::dynamodb::ops
