#pragma once

#include <cstddef>

#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb {

/// What an account has in a region, as its quotas count it: by the world's clock, without tables whose
/// deletion is over.
struct AccountUse {
  std::size_t tables = 0;
  std::int64_t read_units = 0;  ///< of its provisioned tables and their global indexes
  std::int64_t write_units = 0;
};

Answer<AccountUse> account_use(const Context& context);

/// Refuses one table more, with these settings, where accounts have quotas (docs/service/throttling.md
/// section 1; names-limits.md section 3).
Answer<void> check_new_table_quotas(const Context& context, const api::TableSettings& settings);

/// Refuses other settings of a table under the same condition.
Answer<void> check_changed_quotas(const Context& context, const api::TableSettings& before,
                                  const api::TableSettings& after);

}  // namespace dinette::dynamodb
