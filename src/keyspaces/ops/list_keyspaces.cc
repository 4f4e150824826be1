#include "keyspaces/api/list_keyspaces.h"

#include <utility>

#include "keyspaces/api/limits.h"
#include "keyspaces/definitions/descriptions.h"
#include "keyspaces/definitions/pages.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {

Answer<api::ListKeyspacesOutput> list_keyspaces(const Context& context, api::ListKeyspacesInput&& input) {
  DINETTE_KEYSPACES_DEFINED(auto all, cql::list_keyspaces(context.scope));
  const auto most = static_cast<std::size_t>(
      input.max_results.value_or(static_cast<std::int32_t>(model::limits::page_objects)));
  DINETTE_TRY(auto page, page_of(TokenKind::keyspaces, std::move(all), input.next_token, most,
                                 [](const cql::KeyspaceDescription& one) { return one.name; }));
  api::ListKeyspacesOutput output;
  output.next_token = std::move(page.next_token);
  for (const cql::KeyspaceDescription& keyspace : page.elements)
    output.keyspaces.push_back(summary_of(keyspace));
  return output;
}

}  // namespace dinette::keyspaces::ops
