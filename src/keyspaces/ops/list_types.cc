#include "keyspaces/api/list_types.h"

#include <utility>

#include "keyspaces/api/limits.h"
#include "keyspaces/definitions/objects.h"
#include "keyspaces/definitions/pages.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {

Answer<api::ListTypesOutput> list_types(const Context& context, api::ListTypesInput&& input) {
  DINETTE_CHECK(open_keyspace(context, input.keyspace_name));
  DINETTE_KEYSPACES_DEFINED(auto all, cql::list_type_names(context.scope, input.keyspace_name));
  const auto most = static_cast<std::size_t>(
      input.max_results.value_or(static_cast<std::int32_t>(model::limits::page_objects)));
  DINETTE_TRY(auto page, page_of(TokenKind::types, std::move(all), input.next_token, most,
                                 [](const std::string& name) { return name; }));
  api::ListTypesOutput output;
  output.next_token = std::move(page.next_token);
  output.types = std::move(page.elements);
  return output;
}

}  // namespace dinette::keyspaces::ops
