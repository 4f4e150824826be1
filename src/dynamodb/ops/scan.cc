#include "dynamodb/api/scan.h"

#include <optional>

#include "dynamodb/items/item_key.h"
#include "dynamodb/reads/read_checks.h"
#include "dynamodb/reads/read_rows.h"
#include "dynamodb/request/request_checks.h"

// docs/service/query-scan.md sections 2, 3 and 5; what differs by layer: README.md, "What Scan answers in
// which layer". Messages that are not of the model have no envelope, but for those about Select in the
// current layer.
namespace dinette::dynamodb::ops {
namespace {

/// All that a request says, as far as it depends on no table.
struct ScanStatement {
  ItemFilter filter;
  ItemSelection selection;
};

bool in_current_layer(const Context& context) {
  return context.reading == model::Generation::current;
}

Answer<void> check_segment(const Context& context, const api::ScanInput& input) {
  if (input.segment && !input.total_segments) {
    return validation(
        "The TotalSegments parameter is required but was not present in the request when Segment parameter "
        "is present");
  }
  if (input.total_segments && !input.segment) {
    return validation(
        "The Segment parameter is required but was not present in the request when parameter TotalSegments "
        "is present");
  }
  if (!input.segment || *input.segment < *input.total_segments) return {};
  std::string message = "The Segment parameter is zero-based and must be less than parameter TotalSegments";
  if (!in_current_layer(context)) {
    message += ": Segment: " + std::to_string(*input.segment) +
               " is not less than TotalSegments: " + std::to_string(*input.total_segments);
  }
  return validation(std::move(message));
}

Answer<void> check_members(const Context& context, const RequestExpressions& expressions,
                           const api::ScanInput& input) {
  DINETTE_CHECK(expressions.check_families(families_of(input), context.reading, expr::Kind::filter));
  DINETTE_CHECK(check_segment(context, input));
  return check_select(context, input.select, projection_member(input), input.index_name.has_value());
}

Answer<ScanStatement> check(const Context& context, api::ScanInput& input) {
  RequestExpressions expressions(context, input);
  DINETTE_CHECK(check_members(context, expressions, input));
  DINETTE_CHECK(expressions.check_typed(
      {problem_of(input.expression_attribute_values), problem_of(input.scan_filter)}));
  // Regions differ on the order of a value's depth and the ConditionalOperator: docs/service/README.md,
  // regional split 9.
  if (!in_current_layer(context))
    DINETTE_CHECK(check_problem(context.envelope, problem_of(input.scan_filter)));
  ScanStatement statement;
  DINETTE_TRY(statement.filter, item_filter(expressions, input.filter_expression, input.scan_filter,
                                            input.conditional_operator));
  DINETTE_TRY(statement.selection,
              item_selection(expressions, input.projection_expression, input.attributes_to_get));
  DINETTE_CHECK(expressions.check_all_used());
  DINETTE_CHECK(expressions.check_problems(
      {problem_of(input.expression_attribute_values), problem_of(input.scan_filter)}));
  DINETTE_CHECK(check_start_values(input.exclusive_start_key));
  return statement;
}

store::KeyRange segment_of(const api::ScanInput& input) {
  if (!input.segment) return {};
  return store::KeyRange::of_segment(static_cast<std::uint32_t>(*input.segment),
                                     static_cast<std::uint32_t>(*input.total_segments));
}

PartitionSpan partitions_of(const api::ScanInput& input) {
  constexpr auto all = std::uint64_t{PartitionSpan::of_new_table};
  if (!input.segment) return {};
  const auto segment = static_cast<std::uint64_t>(*input.segment);
  const auto segments = static_cast<std::uint64_t>(*input.total_segments);
  return {static_cast<unsigned>(all * segment / segments),
          static_cast<unsigned>((all * (segment + 1) - 1) / segments)};
}

StartKeyWording start_key_wording(const Context& context, const ReadTarget& target) {
  if (in_current_layer(context))
    return {.other_attributes = invalid_start_key, .other_types = invalid_start_key};
  constexpr std::string_view table =
      "The provided starting key is invalid: The provided key element does not match the schema";
  if (target.index()) return {.other_attributes = invalid_start_key, .other_types = key_schema_mismatch};
  return {.other_attributes = table, .other_types = table};
}

Answer<store::KeyRange> range_of(const Context& context, const ReadTarget& target,
                                 const api::ScanInput& input) {
  store::KeyRange range = segment_of(input);
  if (!input.exclusive_start_key) return range;
  DINETTE_TRY(const std::string start, start_position(target, input.exclusive_start_key->attributes,
                                                      start_key_wording(context, target)));
  if (!range.contains(start)) {
    return validation(
        "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
        "ExclusiveStartKey with correct Segment. TotalSegments: " +
        std::to_string(*input.total_segments) + " Segment: " + std::to_string(*input.segment));
  }
  range.start_after(start, store::Direction::forward);
  return range;
}

}  // namespace

Answer<api::ScanOutput> scan(const Context& context, api::ScanInput&& input) {
  DINETTE_TRY(const ScanStatement statement, check(context, input));
  const auto range_in = [&](const ReadTarget& target) { return range_of(context, target, input); };
  return read_rows<api::ScanOutput>(context, input, statement.filter, statement.selection, range_in,
                                    {.name = {"Scan", {}}, .partitions = partitions_of(input)});
}

}  // namespace dinette::dynamodb::ops
