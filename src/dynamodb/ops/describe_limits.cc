#include "dynamodb/api/describe_limits.h"

#include "dynamodb/api/limits.h"

namespace dinette::dynamodb::ops {

// Quotas of a new account (docs/service/insights-policies-account.md section 3). Those of a table hold
// always, those of the account with --quotas service (tables/account_quotas.h).
Answer<api::DescribeLimitsOutput> describe_limits(const Context&, api::DescribeLimitsInput&&) {
  using namespace model::limits;
  return api::DescribeLimitsOutput{account_units, account_units, table_units, table_units};
}

}  // namespace dinette::dynamodb::ops
