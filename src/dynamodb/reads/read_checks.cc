#include "dynamodb/reads/read_checks.h"

#include <algorithm>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/global_index_record.h"
#include "dynamodb/model/value_checks.h"
#include "dynamodb/tables/index_states.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {
namespace {

using api::Select;

std::vector<std::string_view> unprojected(const ReadTarget& target,
                                          std::span<const std::string_view> attributes) {
  std::vector<std::string_view> missing;
  std::ranges::copy_if(attributes, std::back_inserter(missing), [&](std::string_view attribute) {
    return !target.schema().projects(*target.index(), attribute);
  });
  return missing;
}

Answer<void> check_global_reach(const ReadTarget& target, std::optional<Select> select,
                                const ItemSelection& selection) {
  const IndexSchema& index = *target.index();
  if (select == Select::all_attributes && !index.projects_all()) {
    return invalid("Select type ALL_ATTRIBUTES is not supported for global secondary index " + index.name +
                   " because its projection type is not ALL");
  }
  std::string names;
  for (const std::string_view attribute : unprojected(target, selection.attributes())) {
    if (!names.empty()) names += ", ";
    names += attribute;
  }
  if (names.empty()) return {};
  return invalid("Global secondary index " + index.name + " does not project [" + names + "]");
}

base::Failure<ApiError> no_index(const std::string& name) {
  return validation("The table does not have the specified index: " + name);
}

/// Refuses an index that is being created, which is incomplete, or deleted, which is gone.
Answer<void> check_readable(const Context& context, const OpenTable& table, const IndexSchema& index) {
  if (index.local) return {};
  const TableState state = state_at(table.record(), context.now);
  for (const api::GlobalIndexRecord& record : state.settings.global_secondary_indexes) {
    if (static_cast<store::IndexId>(record.id) != index.id) continue;
    if (!record.building && record.status != api::IndexStatus::creating) return {};
    return validation("Cannot read from backfilling global secondary index: " + index.name);
  }
  return {};
}

}  // namespace

Answer<void> check_select(const Context& context, std::optional<Select> select, std::string_view projection,
                          bool has_index) {
  if (!select) return {};
  const bool in_current_layer = context.reading == model::Generation::current;
  const Envelope envelope = in_current_layer ? Envelope::around : Envelope::none;
  const auto refuse = [&](std::string_view choice) {
    return validation(envelope, "Cannot specify the " + std::string(projection) + " when choosing to get " +
                                    std::string(choice));
  };
  switch (*select) {
    case Select::all_attributes:
      if (!projection.empty()) return refuse("ALL_ATTRIBUTES");
      break;
    case Select::all_projected_attributes:
      if (!projection.empty()) return refuse("ALL_PROJECTED_ATTRIBUTES");
      if (has_index) break;
      return validation(envelope,
                        "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
    case Select::count:
      if (!projection.empty()) return refuse("only the Count");
      break;
    case Select::specific_attributes:
      if (!projection.empty()) break;
      return validation(envelope,
                        "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
                        "SPECIFIC_ATTRIBUTES");
  }
  return {};
}

Answer<const IndexSchema*> index_to_read(const Context& context, const OpenTable& table,
                                         const std::optional<std::string>& name, bool consistent,
                                         bool by_key_condition) {
  const IndexSchema* none = nullptr;
  if (!name) return none;
  const IndexSchema* index = table.schema().find_index(*name);
  if (!index) return no_index(*name);
  if (index->vector && !by_key_condition)
    return validation("Scan operation not supported on this index type");
  if (consistent && !index->local) {
    return validation("Consistent reads are not supported on global secondary indexes");
  }
  if (index->vector) return validation("Query operation not supported on this index type.");
  DINETTE_CHECK(check_readable(context, table, *index));
  return index;
}

Answer<const IndexSchema*> index_to_search(const Context& context, const OpenTable& table,
                                           const std::string& name) {
  const IndexSchema* const index = table.schema().find_index(name);
  if (!index || !index->vector) return no_index(name);
  for (const IndexState& state : index_states(state_at(table.record(), context.now).settings)) {
    if (state.id != index->id) continue;
    if (state.status == api::IndexStatus::creating) return no_index(name);
    if (state.building) return validation("Cannot search backfilling vector index: " + name);
  }
  return index;
}

Answer<ReachBack> reach_back_of(const ReadTarget& target, std::optional<Select> select,
                                const ItemSelection& selection, const ItemFilter& filter) {
  if (!target.index()) return ReachBack::none;
  if (target.global()) {
    DINETTE_CHECK(check_global_reach(target, select, selection));
    return ReachBack::none;
  }
  if (target.index()->projects_all()) return ReachBack::none;
  if (select == Select::all_attributes || !unprojected(target, selection.attributes()).empty()) {
    return ReachBack::to_answer;
  }
  return unprojected(target, filter.attributes()).empty() ? ReachBack::none : ReachBack::to_filter;
}

Answer<void> check_filter_leaves_key(const ReadTarget& target, const ItemFilter& filter) {
  for (const std::string_view attribute : filter.attributes()) {
    if (!target.is_key(attribute)) continue;
    return validation(
        std::string(filter.legacy() ? "QueryFilter" : "Filter Expression") +
        " can only contain non-primary key attributes: Primary key attribute: " + std::string(attribute));
  }
  return {};
}

Answer<void> check_start_values(const std::optional<codec::ItemInput>& start) {
  if (!start || !start->problem) return {};
  const codec::ValueProblem& problem = *start->problem;
  const auto is = [&](std::string_view sentence) {
    return problem.message == std::string(model::invalid_parameters).append(sentence);
  };
  const bool no_value = problem.message == model::no_datatype ||
                        problem.message == model::several_datatypes || is(model::null_not_true) ||
                        is(model::empty_string_set) || is(model::empty_binary_set);
  return validation((no_value ? std::string(invalid_start_key) + ": " : "") + problem.message);
}

Answer<std::string> start_position(const ReadTarget& target, const model::Item& start,
                                   const StartKeyWording& wording) {
  const auto& position = target.position();
  const auto there = [&](const expr::KeyPart& part) { return start.contains(part.attribute); };
  if (start.size() != position.size() || !std::ranges::all_of(position, there)) {
    return validation(std::string(wording.other_attributes));
  }
  const auto fits = [&](const expr::KeyPart& part) {
    return start.find(part.attribute)->type() == part.type;
  };
  if (!std::ranges::all_of(position, fits)) return validation(std::string(wording.other_types));
  for (const expr::KeyPart& part : position) {
    const auto role = part.hash ? model::KeyRole::partition : model::KeyRole::sort;
    auto checked = model::check_key_value(part.attribute, *start.find(part.attribute), role);
    if (!checked) return validation(std::move(checked).error());
  }
  return target.encode_position(start);
}

}  // namespace dinette::dynamodb
