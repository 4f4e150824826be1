#include "dynamodb/tables/table_encryption.h"

#include "dinette/aws/region.h"

#include "dynamodb/api/enums.h"

namespace dinette::dynamodb {
namespace {

/// Without `Enabled` the type decides; an empty specification means the default.
bool enables(const api::SSESpecification& wanted) {
  return wanted.enabled.value_or(wanted.sse_type.has_value());
}

/// The id that represents an account's AWS-managed key.
constexpr std::string_view managed_key = "d1d1d1d1-0000-4000-8000-000000000000";

}  // namespace

Answer<void> check_encryption(const std::optional<api::SSESpecification>& wanted) {
  if (!wanted) return {};
  const bool disabled = !wanted->enabled.value_or(true);
  if (disabled && wanted->sse_type) return invalid("SSEType can not be specified if Enabled is false");
  if (disabled && wanted->kms_master_key_id)
    return invalid("KMSMasterKeyId can not be specified if Enabled is false");
  if (wanted->sse_type == api::SSEType::aes256) return invalid("SSEType AES256 is not supported");
  if (wanted->kms_master_key_id && !wanted->sse_type)
    return invalid("SSEType KMS is required if KMSMasterKeyId is specified");
  return {};
}

Answer<void> check_encryption_change(const std::optional<std::string>& current,
                                     const std::optional<api::SSESpecification>& wanted) {
  if (!wanted) return {};
  DINETTE_CHECK(check_encryption(wanted));
  if (!current && !enables(*wanted)) return invalid("Table is already encrypted by default");
  if (!current || wanted->kms_master_key_id != current) return {};
  return invalid(
      "Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to "
      "change Master Key");
}

std::optional<std::string> key_arn(const Context& context,
                                   const std::optional<api::SSESpecification>& wanted) {
  if (!wanted || !enables(*wanted)) return std::nullopt;
  return arn_of_key(context.region, context.account,
                    wanted->kms_master_key_id.value_or(std::string(managed_key)));
}

std::string arn_of_key(std::string_view region, std::string_view account, std::string_view name) {
  if (name.starts_with("arn:")) return std::string(name);
  const std::string_view kind = name.starts_with("alias/") ? "" : "key/";
  std::string arn("arn:");
  arn.append(aws::partition_of(region)).append(":kms:").append(region).append(":").append(account);
  return arn.append(":").append(kind).append(name);
}

std::string managed_key_arn(std::string_view region, std::string_view account) {
  return arn_of_key(region, account, managed_key);
}

bool is_customer_key(const std::optional<std::string>& key_arn) {
  return key_arn && !key_arn->ends_with(managed_key);
}

}  // namespace dinette::dynamodb
