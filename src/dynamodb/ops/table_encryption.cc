#include "dynamodb/ops/table_encryption.h"

namespace dinette::dynamodb::ops {

std::optional<std::string> key_arn(const Context& context,
                                   const std::optional<api::SSESpecification>& wanted) {
  // The id that stands for an account's AWS-managed key here.
  constexpr std::string_view managed_key = "d1d1d1d1-0000-4000-8000-000000000000";
  if (!wanted || !wanted->enabled.value_or(false)) return std::nullopt;
  const std::string name = wanted->kms_master_key_id.value_or(std::string(managed_key));
  if (name.starts_with("arn:")) return name;
  const std::string_view kind = name.starts_with("alias/") ? "" : "key/";
  return "arn:aws:kms:" + std::string(context.region) + ":" + std::string(context.account) + ":" +
         std::string(kind) + name;
}

}  // namespace dinette::dynamodb::ops
