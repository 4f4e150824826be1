#include "tablestore/search/search_page.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_reader.h"
#include "tablestore/codec/field_writer.h"
#include "tablestore/rows/row_replies.h"
#include "tablestore/search/aggregations.h"
#include "tablestore/search/found_words.h"
#include "tablestore/search/groups.h"
#include "tablestore/search/nearest_vectors.h"
#include "tablestore/search/order.h"
#include "tablestore/search/page_token.h"
#include "tablestore/search/row_columns.h"
#include "tablestore/search/scan.h"

namespace dinette::tablestore::search {
namespace {

/// Which of the hits a page has.
struct PageBounds {
  std::size_t offset = 0;
  std::size_t limit = 0;
};

Answer<PageBounds> bounds_of(const api::SearchQuery& query, bool beyond_index) {
  constexpr std::int32_t usual_limit = 10;
  constexpr std::int32_t as_many_as_possible = -1;
  const std::int32_t offset = query.token && !query.token->empty() ? 0 : query.offset.value_or(0);
  const std::int32_t most = beyond_index ? limits::search_page : limits::search_page_of_index;
  std::int32_t limit = query.limit.value_or(usual_limit);
  if (limit == as_many_as_possible) limit = most;
  if (offset < 0 || limit < 0) return refuse::negative_search_page();
  if (limit > most) return refuse::search_page_too_large(most);
  if (offset > limits::search_window - limit) return refuse::search_window_too_large(limits::search_window);
  return PageBounds{static_cast<std::size_t>(offset), static_cast<std::size_t>(limit)};
}

/// Returns what a query has found inside of a document, and inside of that.
// NOLINTNEXTLINE(misc-no-recursion): as deep as fields may be inside others
api::SearchInnerHit inner_hits_of(const InnerQuery& query, const Document& document) {
  api::SearchInnerHit hits{.path = query.path};
  std::size_t found = 0;
  const auto add = [&](const Document& inner, std::int32_t place) {
    const auto score = query.score(inner);
    if (!score || found++ < query.offset) return false;
    if (hits.search_hits.size() == query.limit) return true;
    api::InnerSearchHit& hit = hits.search_hits.emplace_back();
    hit.score = *score;
    hit.nested_doc_offset = place;
    for (const InnerQuery& inside : query.inner_hits)
      hit.search_inner_hits.push_back(codec::encode_message(inner_hits_of(inside, inner)));
    return false;
  };
  any_inner(document, query.path, add);
  return hits;
}

/// One search, from its message to its reply.
class Search {
 public:
  Search(const Context& context, const SearchTarget& target, const api::SearchQuery& query)
      : context_(context), target_(target), query_(query) {}

  Answer<api::SearchResponse> run(const std::optional<api::ColumnsToGet>& columns) {
    DINETTE_CHECK(read(columns));
    DINETTE_TABLESTORE_STORED(const store::View view, context_.store.view());
    DINETTE_CHECK(find(view));
    const auto read_row = [&](std::string_view row_key) {
      return columns_.row(view, context_.now, target_.rows, row_key);
    };
    api::SearchResponse response{.total_hits = total(), .is_all_succeeded = true};
    DINETTE_CHECK(add_page(view, read_row, response));
    DINETTE_CHECK(add_sums(read_row, response));
    return response;
  }

 private:
  Answer<void> read(const std::optional<api::ColumnsToGet>& columns) {
    const IndexSchema& schema = target_.schema;
    DINETTE_TRY(columns_, RowColumns::read(columns, schema, context_.switches));
    DINETTE_TRY(bounds_, bounds_of(query_, columns_.beyond_index()));
    DINETTE_CHECK(read_order());
    api::Query everything{.type = api::QueryType::match_all};
    seed_ = token_ ? token_->seed : context_.store.ids().random();
    DINETTE_TRY(whole_,
                read_whole_query(query_.query.value_or(everything), schema, query_.limit.value_or(0), seed_));
    if (query_.highlight) {
      DINETTE_TRY(highlighting_, Highlighting::read(*query_.highlight, schema, whole_.words));
    }
    if (query_.filter) {
      DINETTE_TRY(filter_, read_query(query_.filter->query.value_or(everything), schema));
    }
    if (query_.collapse) {
      DINETTE_TRY(collapse_, read_collapse(*query_.collapse));
    }
    DINETTE_TRY(aggregations_, read_aggregations(query_.aggs, schema));
    DINETTE_TRY(groupings_, read_groupings(query_.group_bys, schema));
    has_search_hits_ = query_.highlight || !whole_.inner_hits.empty() || !whole_.nearest.empty() ||
                       whole_.has_functions || order_.by_score();
    has_scores_ = has_search_hits_ || whole_.needs_scores ||
                  std::ranges::any_of(aggregations_, &Aggregation::by_score) ||
                  std::ranges::any_of(groupings_, &Grouping::by_score);
    return {};
  }

  /// Pages of fields that are collapsed are by offset and limit (tablestore/search-index.md section 2).
  Answer<const Field*> read_collapse(const api::Collapse& collapse) const {
    DINETTE_TRY(const Field* const field,
                target_.schema.find_indexed(collapse.field_name.value_or(std::string_view())));
    using api::FieldType;
    const bool fits = field->type == FieldType::long_ || field->type == FieldType::double_ ||
                      field->type == FieldType::keyword;
    if (!fits || field->is_array) return refuse::invalid_collapse_type(field->name, name_of(field->type));
    DINETTE_CHECK(check_sortable(*field, "collapse"));
    if (token_) return refuse::collapse_with_token();
    return field;
  }

  /// A token has the order of its page, which may not change.
  Answer<void> read_order() {
    const std::string_view token = query_.token.value_or(std::string_view());
    if (!token.empty()) {
      token_ = PageToken::decode(token);
      if (!token_) return refuse::invalid_search_token();
    }
    sort_ = token_ ? token_->sort : std::string(query_.sort.value_or(std::string_view()));
    DINETTE_TRY(order_, sort_.empty() ? order_of_index() : Order::read(sort_, target_.schema));
    if (token_ && token_->last.values.size() != order_.size()) return refuse::invalid_search_token();
    return {};
  }

  /// Searches that ask for no order have that of their index.
  Answer<Order> order_of_index() const {
    const auto schema = codec::decode_message<api::IndexSchema>(target_.index->schema);
    if (!schema) return refuse::unreadable_message();
    return Order::read(schema->index_sort.value_or(api::Sort()), target_.schema);
  }

  /// Queries by vectors find something, and words have scores, once all documents have been seen.
  Answer<void> look_at_all(const store::View& view) {
    const bool counts_words = has_scores_ && !whole_.relevance.empty();
    if (whole_.nearest.empty() && !counts_words) return {};
    const auto look = [&](const Document& document) {
      for (const auto& nearest : whole_.nearest) nearest->look_at(document);
      if (counts_words) whole_.relevance.look_at(document);
      return false;
    };
    return scan(context_, view, target_, look, "", [](Document&&) { return true; });
  }

  /// Each row has a hit, also if that says nothing (tablestore/search-index.md section 5).
  Answer<api::SearchHit> search_hit_of(const store::View& view, const Hit& found,
                                       std::size_t& highlighted_bytes) const {
    if (!has_search_hits_) return api::SearchHit{.score = std::numeric_limits<double>::quiet_NaN()};
    api::SearchHit hit{.score = found.score};
    if (!query_.highlight && whole_.inner_hits.empty()) return hit;
    DINETTE_TRY(const Document document, document_at(context_, view, target_, found.row_key));
    if (query_.highlight) {
      DINETTE_TRY(hit.highlight_result, highlighting_.result(document, highlighted_bytes));
    }
    for (const InnerQuery& inner : whole_.inner_hits)
      hit.search_inner_hits.push_back(inner_hits_of(inner, document));
    return hit;
  }

  Answer<void> find(const store::View& view) {
    DINETTE_CHECK(look_at_all(view));
    const bool keeps_documents = !aggregations_.empty() || !groupings_.empty();
    std::set<std::string> known;
    std::vector<std::string> groups;
    std::optional<double> score = 1;  // of the document that was found last
    const Condition with_score = [&](const Document& document) {
      score = whole_.score(document);
      return score.has_value();
    };
    const auto take = [&](Document&& document) {
      if (filter_ && !filter_(document)) return true;
      if (collapse_ != nullptr) groups.push_back(group_of(document));
      hits_.push_back({document.row_key, order_.values_of(document, *score), *score});
      if (keeps_documents) found_.push_back({std::move(document), *score});
      return true;
    };
    const Condition& condition = has_scores_ ? with_score : whole_.condition;
    const auto scanned = scan(context_, view, target_, condition, "", take);
    DINETTE_CHECK(scanned);
    total_ = hits_.size();
    std::vector<std::size_t> places(hits_.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    std::ranges::sort(places,
                      [&](std::size_t a, std::size_t b) { return order_.precedes(hits_[a], hits_[b]); });
    std::vector<Hit> ordered;
    for (const std::size_t place : places) {
      // Of those with the same value only the first.
      if (collapse_ != nullptr && !known.insert(groups[place]).second) continue;
      if (token_ && !order_.precedes(token_->last, hits_[place])) continue;
      ordered.push_back(std::move(hits_[place]));
    }
    hits_ = std::move(ordered);
    return {};
  }

  std::string group_of(const Document& document) const {
    const auto& values = document.values_of(collapse_->name);
    return values.empty() ? std::string() : text_of(values.front());
  }

  /// -1 for a client that does not ask for it.
  std::int64_t total() const {
    const bool is_asked = query_.track_total_count.value_or(0) >= 0 && query_.get_total_count.value_or(true);
    return is_asked ? static_cast<std::int64_t>(total_) : -1;
  }

  Answer<void> add_page(const store::View& view, ReadRow read_row, api::SearchResponse& response) const {
    const std::size_t begin = std::min(bounds_.offset, hits_.size());
    const std::size_t end = std::min(begin + bounds_.limit, hits_.size());
    std::size_t bytes = 0;
    std::size_t highlighted_bytes = 0;
    for (std::size_t i = begin; i < end; ++i) {
      DINETTE_TRY(std::string row, read_row(hits_[i].row_key));
      bytes += row.size();
      response.rows.push_back(std::move(row));
      DINETTE_TRY(api::SearchHit hit, search_hit_of(view, hits_[i], highlighted_bytes));
      response.search_hits.push_back(std::move(hit));
    }
    response.consumed = read_units(bytes);
    if (collapse_ != nullptr) return {};
    if (end > begin && end < hits_.size()) {
      const std::uint64_t seed = whole_.has_functions ? seed_ : 0;
      response.next_token = PageToken{sort_, hits_[end - 1], seed}.encode();
    }
    return {};
  }

  Answer<void> add_sums(ReadRow read_row, api::SearchResponse& response) const {
    FoundList all;
    for (const Found& one : found_) all.push_back(&one);
    if (!aggregations_.empty()) {
      DINETTE_TRY(const auto results, results_of(aggregations_, all, read_row));
      response.aggs = codec::encode_message(results);
    }
    if (!groupings_.empty()) {
      DINETTE_TRY(const auto results, results_of(groupings_, all, read_row));
      response.group_bys = codec::encode_message(results);
    }
    return {};
  }

  const Context& context_;
  const SearchTarget& target_;
  const api::SearchQuery& query_;
  RowColumns columns_;
  PageBounds bounds_;
  std::optional<PageToken> token_;
  std::string sort_;
  Order order_;
  WholeQuery whole_;
  Highlighting highlighting_;
  std::uint64_t seed_ = 0;        ///< of random scores
  bool has_search_hits_ = false;  ///< that say something
  bool has_scores_ = false;       ///< that make a difference
  Condition filter_;
  const Field* collapse_ = nullptr;
  Aggregations aggregations_;
  Groupings groupings_;
  std::vector<Hit> hits_;
  std::deque<Found> found_;
  std::size_t total_ = 0;
};

}  // namespace

Answer<api::SearchResponse> run(const Context& context, const SearchTarget& target,
                                const api::SearchQuery& query,
                                const std::optional<api::ColumnsToGet>& columns) {
  return Search(context, target, query).run(columns);
}

}  // namespace dinette::tablestore::search
