#include "dynamodb/api/search_vectors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/expr/search_condition.h"
#include "dynamodb/indexes/index_key.h"
#include "dynamodb/indexes/vector_entry.h"
#include "dynamodb/model/float_vector.h"
#include "dynamodb/reads/item_selection.h"
#include "dynamodb/reads/read_checks.h"
#include "dynamodb/reads/read_view.h"
#include "dynamodb/reads/vector_search.h"
#include "dynamodb/request/consumed_capacity.h"
#include "dynamodb/request/hand_to_worker.h"
#include "dynamodb/request/request_expressions.h"
#include "dynamodb/tables/open_table.h"

// docs/service/vector-search.md, "SearchVectors". The steps are in the order of the errors there.
namespace dinette::dynamodb::ops {
namespace {

/// All that a request says, as far as it depends on no table.
struct SearchStatement {
  std::optional<expr::SearchCondition> condition;
  ItemSelection selection;
};

Answer<void> check_top_k(std::int32_t top_k) {
  if (top_k <= model::limits::search_results) return {};
  return validation("Provided TopK value '" + std::to_string(top_k) +
                    "' is out of valid range. The value must be between 1 and " +
                    std::to_string(model::limits::search_results) + " inclusive");
}

Answer<SearchStatement> check(const Context& context, const api::SearchVectorsInput& input) {
  DINETTE_CHECK(check_top_k(input.top_k));
  RequestExpressions expressions(context, input);
  DINETTE_CHECK(expressions.check_families(families_of(input)));
  DINETTE_CHECK(expressions.check_typed({problem_of(input.expression_attribute_values)}));
  SearchStatement statement;
  DINETTE_TRY(statement.condition, expressions.search_condition<std::optional<expr::SearchCondition>>(
                                       input.search_condition_expression));
  DINETTE_TRY(statement.selection, expressions.projection<ItemSelection>(input.projection_expression));
  DINETTE_CHECK(expressions.check_all_used());
  DINETTE_CHECK(expressions.check_problems({problem_of(input.expression_attribute_values)}));
  return statement;
}

Answer<std::vector<float>> wanted_vector(const api::SearchVectorsInput& input, const VectorSchema& vector) {
  std::vector<float> wanted;
  for (const codec::AttributeValueInput& element : input.search_vector) {
    const auto* number = element.problem ? nullptr : element.value.get_if<model::Number>();
    const std::optional<float> value = number ? model::to_float(*number) : std::nullopt;
    if (!value) {
      return validation(
          "Search vector contains invalid values. All values in the search vector must be a 32-bit "
          "floating-point number attribute");
    }
    wanted.push_back(*value);
  }
  if (wanted.size() == vector.dimensions) return wanted;
  return validation("Input search vector dimension " + std::to_string(wanted.size()) +
                    " does not match vector index dimension " + std::to_string(vector.dimensions));
}

/// The values of the condition by the roles of their attributes in the search schema.
struct SearchRange {
  store::KeyRange entries;
  std::vector<InlineFilter> filters;
};

Answer<void> check_clause(const expr::SearchClause& clause, const KeyAttribute* attribute) {
  if (!attribute) {
    return validation(
        "SearchConditionExpression must not contain any attributes that is not in SearchSchema. Invalid "
        "attribute: " +
        std::string(clause.attribute));
  }
  if (clause.value->type() == attribute->type) return {};
  return validation("Type of '" + attribute->name + "' attribute in SearchConditionExpression (" +
                    std::string(model::type_name(clause.value->type())) +
                    ") does not match type in search schema (" +
                    std::string(model::type_name(attribute->type)) + ")");
}

Answer<void> check_not_empty(const expr::SearchClause& clause) {
  const auto* text = clause.value->get_if<std::string>();
  const auto* binary = clause.value->get_if<model::Binary>();
  const bool empty = (text && text->empty()) || (binary && binary->bytes.empty());
  if (!empty) return {};
  return validation(
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty " +
      std::string(text ? "string" : "binary") + " value. Key: " + std::string(clause.attribute));
}

Answer<SearchRange> range_of(const IndexSchema& index,
                             const std::optional<expr::SearchCondition>& condition) {
  SearchRange range;
  const bool has_hash = !index.keys.empty();
  if (!condition) {
    if (has_hash)
      return validation("SearchConditionExpression must be provided when SearchSchema has a HASH key");
    return range;
  }
  std::vector<const model::AttributeValue*> hash;
  for (const expr::SearchClause& clause : condition->clauses) {
    const KeyAttribute* const attribute = index.vector->find_search(clause.attribute);
    DINETTE_CHECK(check_clause(clause, attribute));
    if (attribute->hash) {
      DINETTE_CHECK(check_not_empty(clause));
      hash.push_back(clause.value);
      continue;
    }
    std::string text;
    codec::append_value(text, *clause.value);
    range.filters.push_back({clause.attribute, std::move(text)});
  }
  std::ranges::sort(range.filters, {}, &InlineFilter::attribute);
  if (!has_hash) return range;
  if (hash.empty()) {
    return validation("SearchConditionExpression must have all HASH attributes in configured SearchSchema");
  }
  range.entries = store::KeyRange::of_prefix(encode_index_partition(index, hash));
  return range;
}

model::AttributeValue list_of(std::string_view floats) {
  model::List list;
  for (std::size_t at = 0; at < floats.size(); at += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, floats.data() + at, sizeof value);
    list.emplace_back(model::from_float(value));
  }
  return list;
}

/// Appends the vector, or what is selected of it. Its numbers always have a fraction: `1.0`.
void append_vector(std::string& json, const model::Attribute& vector) {
  std::string text;
  codec::append_attribute(text, vector.name, model::List());
  text.resize(text.size() - std::string_view("]}").size());
  json += text;
  bool first = true;
  for (const model::AttributeValue& element : vector.value.get<model::List>()) {
    const std::string number = element.get<model::Number>().to_string();
    json += first ? R"({"N":")" : R"(,{"N":")";
    json += number;
    json += number.find('.') == std::string::npos ? R"(.0"})" : R"("})";
    first = false;
  }
  json += "]}";
}

/// The answer, as far as it goes: up to 16 MB of items.
class SearchAnswer {
 public:
  SearchAnswer(const IndexSchema& index, const ItemSelection& selection)
      : vector_(*index.vector), selection_(selection) {
    const auto attributes = selection.attributes();
    has_vector_ = std::ranges::find(attributes, vector_.attribute) != attributes.end();
  }

  /// Returns false if there is no room for more.
  kv::Result<bool> add(const VectorHit& hit) {
    const VectorEntry entry = parts_of(vector_, hit.entry.view());
    codec::ItemText item;
    std::size_t size = 0;
    if (has_vector_) {
      DINETTE_TRY(size, append_with_vector(*item.json, entry));
    } else {
      DINETTE_TRY(size, selection_.append_selected(*item.json, entry.record, work_));
      // The size of the whole record counts the vector, which is not returned.
      if (selection_.everything()) size -= vector_.attribute.size() + size_of_vector();
    }
    bytes_ += (*item.json).size();
    if (bytes_ > model::limits::search_bytes && !results_.empty()) return false;
    counted_ += size_of_result + size + (has_vector_ ? size_of_vector() : 0);
    results_.push_back({std::move(item), hit.score});
    return true;
  }

  /// Bytes that the search is charged by (docs/service/vector-search.md, "Capacity").
  std::int64_t consumed() const {
    constexpr double per_dimension = 30.6875;
    const double bytes =
        std::ceil(per_dimension * static_cast<double>(vector_.dimensions)) + static_cast<double>(counted_);
    return std::max(static_cast<std::int64_t>(bytes),
                    static_cast<std::int64_t>(model::limits::vector_request_bytes));
  }

  std::vector<api::SearchResultItem> take() { return std::move(results_); }

 private:
  static constexpr std::size_t size_of_result = 65;

  std::size_t size_of_vector() const { return vector_.dimensions * sizeof(float); }

  /// Returns the size of what it appends, without the vector.
  kv::Result<std::size_t> append_with_vector(std::string& json, const VectorEntry& entry) {
    DINETTE_TRY(model::Item item, codec::read_attributes(entry.record, selection_.attributes(), work_));
    item.set(vector_.attribute, list_of(entry.floats));
    const model::Item selected = selection_.select(item);
    std::size_t size = 0;
    json += '{';
    for (const model::Attribute& attribute : selected) {
      if (json.size() > 1) json += ',';
      if (attribute.name == vector_.attribute) {
        append_vector(json, attribute);
        continue;
      }
      codec::append_attribute(json, attribute.name, attribute.value);
      size += attribute.name.size() + model::size_in_bytes(attribute.value);
    }
    json += '}';
    return size;
  }

  const VectorSchema& vector_;
  const ItemSelection& selection_;
  bool has_vector_ = false;
  model::Work work_;
  std::size_t bytes_ = 0;
  std::size_t counted_ = 0;
  std::vector<api::SearchResultItem> results_;
};

std::optional<api::VectorCapacity> capacity_of(api::ReturnConsumedCapacity wanted, std::int64_t bytes) {
  if (wanted == api::ReturnConsumedCapacity::none) return std::nullopt;
  api::VectorCapacity capacity;
  capacity.vector_search_request_bytes = bytes;
  capacity.vector_search_units = bytes;
  return capacity;
}

}  // namespace

Answer<api::SearchVectorsOutput> search_vectors(const Context& context, api::SearchVectorsInput&& input) {
  DINETTE_TRY(const SearchStatement statement, check(context, input));
  DINETTE_TRY(const OpenTable table, open_for_data(context, input.table_name));
  DINETTE_TRY(const IndexSchema* const index, index_to_search(context, table, input.index_name));
  DINETTE_TRY(const std::vector<float> wanted, wanted_vector(input, *index->vector));
  DINETTE_TRY(SearchRange range, range_of(*index, statement.condition));
  SearchAnswer answer(*index, statement.selection);
  {
    // The view goes before the answer is written: a write that comes while one lives copies what the view
    // sees.
    DINETTE_TRY(const store::View view, read_view(context, false, true));
    DINETTE_STORED(const store::Count count, view.count(*table.table, index->id));
    DINETTE_CHECK(check_loop_work(work_of_search(*index, count.rows)));
    DINETTE_TRY(const std::vector<VectorHit> hits,
                search(view, *table.table,
                       {.index = *index,
                        .distance = VectorDistance(index->vector->distance, wanted),
                        .most = static_cast<std::size_t>(input.top_k),
                        .range = std::move(range.entries),
                        .filters = std::move(range.filters)}));
    for (const VectorHit& hit : hits) {
      DINETTE_STORED(const bool added, answer.add(hit));
      if (!added) break;
    }
  }
  tell_gate(context, input.table_name, {});
  api::SearchVectorsOutput output;
  output.consumed_capacity = capacity_of(input.return_consumed_capacity, answer.consumed());
  output.search_results = answer.take();
  return output;
}

}  // namespace dinette::dynamodb::ops
