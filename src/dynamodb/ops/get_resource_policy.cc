#include "dynamodb/api/get_resource_policy.h"

#include "dynamodb/tables/resource_policy.h"

namespace dinette::dynamodb::ops {

Answer<api::GetResourcePolicyOutput> get_resource_policy(const Context& context,
                                                         api::GetResourcePolicyInput&& input) {
  DINETTE_TRY(const KeptPolicy kept, read_policy(context, input.resource_arn));
  if (!kept.document) return policy_not_found(input.resource_arn);
  return api::GetResourcePolicyOutput{shown_document(kept), std::to_string(kept.revision)};
}

}  // namespace dinette::dynamodb::ops
