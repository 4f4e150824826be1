#include "keyspaces/api/list_streams.h"

#include <utility>

#include "keyspaces/api/limits.h"
#include "keyspaces/definitions/objects.h"
#include "keyspaces/definitions/pages.h"
#include "keyspaces/definitions/streams.h"

// docs/service-keyspaces/control-plane.md section 5.
namespace dinette::keyspaces::ops {

Answer<api::ListStreamsOutput> list_streams(const Context& context, api::ListStreamsInput&& input) {
  const std::string keyspace = input.keyspace_name.value_or("");
  const std::string table = input.table_name.value_or("");
  if (keyspace.empty() && !table.empty())
    return not_valid("A tableName needs a keyspaceName.", "InvalidFormat");
  if (!keyspace.empty() && table.empty()) DINETTE_CHECK(open_keyspace(context, keyspace));
  if (!table.empty()) DINETTE_CHECK(open_table(context, keyspace, table));
  DINETTE_KEYSPACES_DEFINED(auto all, cql::list_change_streams(context.scope, keyspace, table));
  const auto most = static_cast<std::size_t>(
      input.max_results.value_or(static_cast<std::int32_t>(model::limits::page_streams)));
  DINETTE_TRY(auto page, page_of(TokenKind::streams, std::move(all), input.next_token, most,
                                 [](const cql::ChangeStreamDescription& one) { return one.arn; }));
  api::ListStreamsOutput output;
  output.next_token = std::move(page.next_token);
  output.streams.emplace();
  for (const cql::ChangeStreamDescription& stream : page.elements)
    output.streams->push_back({stream.arn, stream.keyspace, stream.table, stream.label});
  return output;
}

}  // namespace dinette::keyspaces::ops
