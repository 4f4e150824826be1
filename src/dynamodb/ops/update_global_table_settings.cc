#include "dynamodb/api/update_global_table_settings.h"

#include "dynamodb/replicas/legacy_version.h"

namespace dinette::dynamodb::ops {

Answer<api::UpdateGlobalTableSettingsOutput> update_global_table_settings(
    const Context&, api::UpdateGlobalTableSettingsInput&& input) {
  return no_legacy_table(input.global_table_name);
}

}  // namespace dinette::dynamodb::ops
