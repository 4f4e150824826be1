#include "dynamodb/replicas/join_group.h"

#include <memory>
#include <string>

#include "dinette/aws/arn.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/replicas/members.h"
#include "dynamodb/replicas/new_replica.h"
#include "dynamodb/replicas/replica_request.h"
#include "dynamodb/replicas/replica_updates.h"
#include "dynamodb/tables/open_table.h"

namespace dinette::dynamodb {
namespace {

base::Failure<ApiError> wrong_source(const std::string& arn) {
  return invalid("GlobalTableSourceArn: there is no such table in another region: " + arn);
}

}  // namespace

// docs/service/global-tables.md section 1.
Answer<store::TablePointer> join_group(const Context& context, const api::CreateTableInput& input) {
  const std::string& text = *input.global_table_source_arn;
  const auto arn = aws::parse_arn(text);
  const auto name = table_name_of(text);
  if (!arn || !name || arn->region == context.region) return wrong_source(text);
  if (*name != table_name_of(input.table_name).value_or(input.table_name))
    return invalid("TableName must be that of the table of GlobalTableSourceArn");
  if (is_shared(context.store)) return wrong_source(text);
  const std::shared_ptr<store::Store> store = store_of(context.world, arn->region);
  const Context there{.world = context.world,
                      .store = *store,
                      .jobs = context.jobs,
                      .now = context.now,
                      .expressions = context.expressions,
                      .settings = context.settings,
                      .account = context.account,
                      .region = arn->region,
                      .host = context.host,
                      .progress = context.progress};
  DINETTE_TRY(const OpenTable source, find_table(there, *name));
  if (!source.table || source.schema().arn() != text) return wrong_source(text);
  ReplicaRequest request;
  request.creates.emplace_back().region_name = context.region;
  DINETTE_TRY(const store::TablePointer updated, update_replicas(there, source, request));
  const api::TableRecord& record = updated->schema_as<TableSchema>().record();
  DINETTE_STORED(
      store::TablePointer replica,
      make_replica(context.world, record, *find_member(record, context.region), upkeep_of(context.settings)));
  if (!replica) return wrong_source(text);
  return replica;
}

}  // namespace dinette::dynamodb
