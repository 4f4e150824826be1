#include "lambda/mappings/open_mapping.h"

#include <optional>
#include <utility>

#include "lambda/api/mapping_transition.h"
#include "lambda/mappings/description.h"
#include "lambda/request/names.h"

// docs/service/triggers.md section 1.3.
namespace dinette::lambda {
namespace {

base::Failure<ApiError> no_such_mapping() {
  return refusal(api::ErrorCode::resource_not_found_exception, "The resource you requested does not exist.");
}

base::Failure<ApiError> in_use(std::string_view verb) {
  return refusal(api::ErrorCode::resource_in_use_exception,
                 "Cannot " + std::string(verb) + " the event source mapping because it is in use.");
}

}  // namespace

bool is_shown(const Context& context, const StateAtMoment& state) {
  return !state.is_gone || context.has_pollers();
}

Answer<OpenMapping> open_mapping(const Context& context, std::string_view uuid) {
  DINETTE_LAMBDA_STORED(auto record, KeptMappings(context.store).find(uuid));
  if (!record) return no_such_mapping();
  const StateAtMoment state = state_at(*record, context.now);
  if (!is_shown(context, state)) return no_such_mapping();
  return OpenMapping{*std::move(record), state};
}

Answer<OpenMapping> open_mapping_of_arn(const Context& context, std::string_view arn) {
  DINETTE_TRY(OpenMapping mapping, open_mapping(context, arn.substr(arn.rfind(':') + 1)));
  if (arn_of(mapping.record) != arn) return no_such_mapping();
  return mapping;
}

Answer<void> change_tags(const Context& context, std::string_view arn,
                         base::FunctionRef<void(aws::Entries<std::string>& tags)> edit) {
  DINETTE_TRY(const OpenMapping mapping, open_mapping_of_arn(context, arn));
  const auto edit_tags = [&](api::MappingRecord& record) {
    aws::Entries<std::string> tags = std::move(record.tags).value_or(aws::Entries<std::string>());
    edit(tags);
    record.tags = tags.empty() ? std::nullopt : std::optional(std::move(tags));
    return true;
  };
  const std::string& uuid = mapping.record.uuid;
  DINETTE_LAMBDA_STORED(const auto end, KeptMappings(context.store).change(uuid, edit_tags));
  if (end.outcome == KeptMappings::Outcome::gone) return no_such_mapping();
  announce_change(context, uuid);
  return {};
}

Answer<api::MappingRecord> change_mapping(const Context& context, std::string_view uuid,
                                          std::string_view verb,
                                          base::FunctionRef<Answer<void>(api::MappingRecord& mapping)> edit) {
  Answer<void> edited;
  api::MappingRecord changed;
  const auto guarded = [&](api::MappingRecord& mapping) {
    const StateAtMoment state = state_at(mapping, context.now);
    if (!is_shown(context, state))
      edited = no_such_mapping();
    else if (state.is_busy || state.is_gone)
      edited = in_use(verb);
    else
      edited = edit(mapping);
    changed = mapping;
    return edited.ok();
  };
  using Outcome = KeptMappings::Outcome;
  DINETTE_LAMBDA_STORED(const auto end, KeptMappings(context.store).change(uuid, guarded));
  if (end.outcome == Outcome::gone) return no_such_mapping();
  DINETTE_CHECK(std::move(edited));
  if (end.outcome == Outcome::taken) return already_mapped(changed, end.other);
  return changed;
}

base::Failure<ApiError> already_mapped(const api::MappingRecord& mapping, std::string_view other_uuid) {
  const auto function = read_function_name(mapping.function_arn);
  const std::string name = function ? qualified_name(*function) : mapping.function_arn;
  return refusal(
      api::ErrorCode::resource_conflict_exception,
      "The event source arn (\" " + mapping.event_source_arn + " \") and function (\" " + name +
          " \") provided mapping already exists. Please update or delete the existing mapping with UUID " +
          std::string(other_uuid));
}

}  // namespace dinette::lambda
