#include "dynamodb/ops/tags.h"

#include <algorithm>
#include <optional>

#include "dinette/base/ascii.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/ops/table_state.h"

namespace dinette::dynamodb::ops {
namespace {

constexpr std::string_view reserved_prefix = "aws:";

/// Letters and digits of every script count; beyond ASCII nothing is told apart.
bool may_stand_in_tag(char c) {
  constexpr std::string_view signs = " +-=._:/@";
  const bool ascii = static_cast<unsigned char>(c) < 0x80;
  return !ascii || base::is_letter(c) || base::is_digit(c) || signs.find(c) != std::string_view::npos;
}

Answer<void> check_count(const Tags& tags) {
  if (tags.size() <= model::limits::tags) return {};
  return invalid("Too many tags: the limit is " + std::to_string(model::limits::tags));
}

Answer<void> check_tag(const api::Tag& tag) {
  if (tag.key.starts_with(reserved_prefix))
    return invalid("Tag keys that begin with aws: are reserved: " + tag.key);
  const bool right =
      std::ranges::all_of(tag.key, may_stand_in_tag) && std::ranges::all_of(tag.value, may_stand_in_tag);
  if (!right) return invalid("Tag keys and values have letters, digits, spaces and + - = . _ : / @ only");
  return {};
}

/// The record with its tags changed.
Answer<api::TableRecord> changed(const Context& context, const api::TableRecord& current, ChangeTags change) {
  const api::TableStatus status = state_at(current, now(context)).status;
  if (status != api::TableStatus::active) return still_in_use(current, status);
  Tags tags = current.tags.value_or(Tags());
  change(tags);
  DINETTE_CHECK(check_count(tags));
  api::TableRecord record = current;
  record.tags = std::move(tags);
  return record;
}

}  // namespace

Answer<void> check_tags(const Tags& tags) {
  DINETTE_CHECK(check_count(tags));
  for (const api::Tag& tag : tags) DINETTE_CHECK(check_tag(tag));
  return {};
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

Answer<void> check_resource_arn(std::string_view arn) {
  if (arn.starts_with("arn:") && table_name_of(arn)) return {};
  return validation("Invalid TableArn: Invalid ResourceArn provided as input " + std::string(arn));
}

Answer<void> change_tags(const Context& context, std::string_view arn, ChangeTags change) {
  DINETTE_CHECK(check_resource_arn(arn));
  DINETTE_TRY(const OpenTable table, open_for_control(context, arn));
  Answer<void> refusal;
  const auto decide = [&](const store::Table& current) -> std::optional<std::string> {
    auto record = changed(context, current.schema_as<TableSchema>().record(), change);
    refusal = {};
    if (record) return encode_record(*record);
    refusal = base::Failure{std::move(record).error()};
    return std::nullopt;
  };
  DINETTE_STORED(const store::TablePointer updated, context.store.catalog().update(*table.table, decide));
  if (!updated) return table_not_found(table.table->name);
  return refusal;
}

}  // namespace dinette::dynamodb::ops
