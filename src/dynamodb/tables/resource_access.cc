#include "dynamodb/tables/resource_access.h"

#include "dinette/aws/arn.h"

#include "dynamodb/model/resource_arn.h"

namespace dinette::dynamodb {

Answer<ResourceAccess> arn_access(const Context& context, std::string_view text) {
  ResourceAccess access;
  access.request.resource = text;
  access.request.owner = context.account;
  const auto arn = aws::parse_arn(text);
  if (!arn) return access;
  access.request.owner = arn->account;
  const auto named = model::parse_table_resource(arn->resource);
  if (!named) return access;
  DINETTE_TRY(access.table, find_table(context, named->name));
  const bool is_it = access.table.table && text.starts_with(access.table.schema().arn());
  if (!is_it) return ResourceAccess{std::move(access.request), {}};
  const TableSchema& schema = access.table.schema();
  access.request.policy = named->part.starts_with("stream/") ? schema.stream_policy() : schema.policy();
  return access;
}

Answer<ResourceAccess> resource_access(const Context& context, std::string_view name_or_arn,
                                       const std::optional<std::string>& index) {
  std::string arn(name_or_arn);
  if (!aws::parse_arn(name_or_arn)) {
    DINETTE_TRY(const OpenTable table, find_table(context, name_or_arn));
    arn = table.table ? table.schema().arn() : model::table_arn(context.region, context.account, arn);
  }
  return arn_access(context, index ? arn + "/index/" + *index : arn);
}

}  // namespace dinette::dynamodb
