#include "keyspaces/api/list_tables.h"

#include <utility>

#include "keyspaces/api/limits.h"
#include "keyspaces/definitions/objects.h"
#include "keyspaces/definitions/pages.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {

Answer<api::ListTablesOutput> list_tables(const Context& context, api::ListTablesInput&& input) {
  DINETTE_TRY(const auto keyspace, open_keyspace(context, input.keyspace_name));
  DINETTE_KEYSPACES_DEFINED(auto all, cql::list_table_names(context.scope, keyspace.name));
  const auto most = static_cast<std::size_t>(
      input.max_results.value_or(static_cast<std::int32_t>(model::limits::page_objects)));
  DINETTE_TRY(auto page, page_of(TokenKind::tables, std::move(all), input.next_token, most,
                                 [](const std::string& name) { return name; }));
  api::ListTablesOutput output;
  output.next_token = std::move(page.next_token);
  for (const std::string& name : page.elements)
    output.tables.push_back({keyspace.name, name, keyspace.arn + "table/" + name});
  return output;
}

}  // namespace dinette::keyspaces::ops
