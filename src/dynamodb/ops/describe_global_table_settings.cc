#include "dynamodb/api/describe_global_table_settings.h"

#include "dynamodb/replicas/legacy_version.h"

namespace dinette::dynamodb::ops {

Answer<api::DescribeGlobalTableSettingsOutput> describe_global_table_settings(
    const Context&, api::DescribeGlobalTableSettingsInput&& input) {
  return no_legacy_table(input.global_table_name);
}

}  // namespace dinette::dynamodb::ops
