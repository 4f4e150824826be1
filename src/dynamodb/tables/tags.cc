#include "dynamodb/tables/tags.h"

#include <algorithm>
#include <optional>
#include <set>

#include "dinette/aws/arn.h"
#include "dinette/base/ascii.h"
#include "dinette/base/utf8.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/api/tag.h"
#include "dynamodb/model/resource_arn.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/tables/tag_text.h"

namespace dinette::dynamodb {
namespace {

Answer<void> check_key(const std::optional<std::string>& key) {
  constexpr std::string_view reserved = "aws:";
  const bool right = key && !key->empty() && base::utf16_length(*key) <= model::limits::tag_key_characters &&
                     is_tag_text(*key);
  if (!right) return validation("The Tag Key provided is invalid, Key: " + key.value_or("null"));
  if (base::equal_ignoring_case(key->substr(0, reserved.size()), reserved))
    return validation("Tag Key cannot be prefixed with aws:, Key: " + *key);
  return {};
}

Answer<void> check_value(const std::optional<std::string>& value) {
  const bool right =
      value && base::utf16_length(*value) <= model::limits::tag_value_characters && is_tag_text(*value);
  if (right) return {};
  return validation("The Tag Value provided is invalid, Value: " + value.value_or("null"));
}

Answer<void> check_count(std::size_t tags) {
  if (tags <= model::limits::tags) return {};
  return validation("Number of Tags exceed the current limit for the provided ResourceArn");
}

/// Checks all tags of a resource together.
Answer<void> check_all(const Tags& tags) {
  DINETTE_CHECK(check_count(tags.size()));
  std::size_t bytes = 0;
  for (const api::Tag& tag : tags) bytes += tag.key->size() + tag.value->size();
  if (bytes <= model::limits::tag_bytes) return {};
  return validation("Tag set size " + std::to_string(bytes) + " bytes is above max size limit of " +
                    std::to_string(model::limits::tag_bytes) + " bytes");
}

base::Failure<ApiError> resource_not_found(std::string_view arn) {
  return base::Failure{
      ApiError{api::ErrorCode::resource_not_found_exception,
               "Requested resource not found: ResourceArn: " + std::string(arn) + " not found"}};
}

/// A table, or its stream.
struct Resource {
  OpenTable table;
  bool stream = false;
};

/// The ARN, whose form is right, is not that of another region or account.
Answer<void> check_own(const Context& context, std::string_view text, const aws::Arn& arn) {
  if (arn.region != context.region)
    return validation("Invalid TableArn: Invalid ResourceArn provided as input " + std::string(text));
  if (arn.account == context.account) return {};
  return base::Failure{ApiError{api::ErrorCode::access_denied_exception, "Access is denied"}};
}

/// Opens a resource; a table that is being created does not exist yet.
Answer<Resource> open(const Context& context, std::string_view text) {
  DINETTE_CHECK(check_resource_arn(text));
  const auto arn = *aws::parse_arn(text);
  const auto named = *model::parse_table_resource(arn.resource);
  DINETTE_TRY(OpenTable table, find_table(context, named.name));
  const bool stream = !named.part.empty();
  const std::string part = stream ? "/" + std::string(named.part) : "";
  if (!table.table || table.schema().arn() + part != text) {
    DINETTE_CHECK(check_own(context, text, arn));
    return resource_not_found(text);
  }
  const bool there =
      state_at(table.record(), context.now).status != api::TableStatus::creating &&
      (!stream || (table.schema().stream() &&
                   "stream/" + std::string(table.schema().latest_stream_label()) == named.part));
  if (is_restoring(table.record(), context.now)) return table_not_found(named.name);
  if (!there) return resource_not_found(text);
  return Resource{std::move(table), stream};
}

Tags& tags_of(api::TableRecord& record, bool stream) {
  return stream ? record.stream_tags : record.tags;
}

/// The record with its tags changed.
Answer<api::TableRecord> changed(const Context& context, const api::TableRecord& current, bool stream,
                                 ChangeTags change) {
  const api::TableStatus status = state_at(current, context.now).status;
  if (status == api::TableStatus::deleting) return still_in_use(current, status);
  api::TableRecord record = current;
  Tags& tags = tags_of(record, stream);
  change(tags);
  DINETTE_CHECK(check_all(tags));
  return record;
}

}  // namespace

Answer<void> check_tags(const Tags& tags) {
  std::set<std::string_view> keys;
  for (const api::Tag& tag : tags) {
    DINETTE_CHECK(check_key(tag.key));
    DINETTE_CHECK(check_value(tag.value));
    if (!keys.insert(*tag.key).second)
      return validation("Duplicate Tag Keys provided as input: Duplicate Tag Key found " + *tag.key);
  }
  return {};
}

Answer<void> check_new_tags(const Tags& tags) {
  DINETTE_CHECK(check_tags(tags));
  return check_all(tags);
}

Answer<void> check_tag_keys(const std::vector<std::string>& keys) {
  for (const std::string& key : keys) DINETTE_CHECK(check_key(key));
  return check_count(keys.size());
}

void add_tags(Tags& tags, const Tags& added) {
  for (const api::Tag& tag : added) {
    const auto same = std::ranges::find(tags, tag.key, &api::Tag::key);
    if (same == tags.end())
      tags.push_back(tag);
    else
      same->value = tag.value;
  }
}

Answer<void> check_resource_arn(std::string_view text) {
  const auto arn = aws::parse_arn(text);
  if (!arn) return invalid("ARNs must start with 'arn:': " + std::string(text));
  const auto table = model::parse_table_resource(arn->resource);
  if (arn->service != "dynamodb" || !table || table->part.starts_with("backup/"))
    return invalid("Provided Arn is not a DynamoDB resource arn: " + std::string(text));
  if (table->part.empty() || table->part.starts_with("stream/")) return {};
  return invalid("Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " +
                 std::string(text));
}

Answer<Tags> read_tags(const Context& context, std::string_view arn) {
  DINETTE_TRY(const Resource resource, open(context, arn));
  const api::TableRecord& record = resource.table.record();
  return resource.stream ? record.stream_tags : record.tags;
}

Answer<void> change_tags(const Context& context, std::string_view arn, ChangeTags change) {
  DINETTE_TRY(const Resource resource, open(context, arn));
  Answer<void> refusal;
  const auto decide = [&](const store::Table& current) -> std::optional<std::string> {
    auto record = changed(context, current.schema_as<TableSchema>().record(), resource.stream, change);
    refusal = {};
    if (record) return encode_record(*record);
    refusal = base::Failure{std::move(record).error()};
    return std::nullopt;
  };
  DINETTE_STORED(const store::TablePointer updated,
                 context.store.catalog().update(*resource.table.table, decide));
  if (!updated) return resource_not_found(arn);
  return refusal;
}

}  // namespace dinette::dynamodb
