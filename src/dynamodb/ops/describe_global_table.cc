#include "dynamodb/api/describe_global_table.h"

#include "dynamodb/replicas/legacy_version.h"

namespace dinette::dynamodb::ops {

Answer<api::DescribeGlobalTableOutput> describe_global_table(const Context&,
                                                             api::DescribeGlobalTableInput&& input) {
  return no_legacy_table(input.global_table_name);
}

}  // namespace dinette::dynamodb::ops
