#include <algorithm>
#include <map>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_writer.h"
#include "tablestore/search/groups.h"
#include "tablestore/search/page_token.h"

// Groups by the values of several groupings together, page by page (tablestore/search-index.md section 1).
namespace dinette::tablestore::search {
namespace {

using api::GroupByType;
using Keys = std::vector<FieldValue>;

/// Returns how many combinations of one value of each list there are; if they are too many, any number that
/// is too large.
std::size_t combinations(const std::vector<Keys>& lists) {
  std::size_t count = 1;
  for (const Keys& list : lists) {
    if (list.empty()) return 0;
    if (count <= limits::groups) count *= list.size();
  }
  return count;
}

/// Appends the combinations of one value of each of the lists from `at` on.
// NOLINTNEXTLINE(misc-no-recursion): as deep as there are sources
void combine(const std::vector<Keys>& lists, std::size_t at, Keys& begun, std::vector<Keys>& all) {
  if (at == lists.size()) {
    all.push_back(begun);
    return;
  }
  for (const FieldValue& value : lists[at]) {
    begun.push_back(value);
    combine(lists, at + 1, begun, all);
    begun.pop_back();
  }
}

/// Orders keys source by source, each in its direction.
struct LessKeys {
  std::vector<bool> descending;

  bool operator()(const Keys& a, const Keys& b) const {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
      const auto order = compare(a[i], b[i]);
      if (order != 0) return descending[i] ? order > 0 : order < 0;
    }
    return false;
  }
};

std::string token_of(const Keys& keys) {
  PageToken token;
  for (const FieldValue& key : keys) token.last.values.emplace_back(key);
  return token.encode();
}

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion): limited
Answer<void> Grouping::fill(const api::GroupByComposite& message, const IndexSchema& schema) {
  DINETTE_TRY(sources_, read_groupings(message.sources, schema, depth_ + 1));
  const auto is_allowed = [](const Grouping& source) {
    return source.type_ == GroupByType::field || source.type_ == GroupByType::histogram ||
           source.type_ == GroupByType::date_histogram;
  };
  if (sources_.empty() || !std::ranges::all_of(sources_, is_allowed))
    return refuse::invalid_composite_source();
  set_size(message.size ? message.size : message.suggested_size);
  if (!message.next_token || message.next_token->empty()) return {};
  const auto token = PageToken::decode(*message.next_token);
  if (!token || token->last.values.size() != sources_.size()) return refuse::invalid_composite_token();
  for (const auto& key : token->last.values) {
    if (!key) return refuse::invalid_composite_token();
    last_.push_back(*key);
  }
  return {};
}

/// Returns the keys of the groups of this grouping that a document is in.
std::vector<FieldValue> Grouping::keys_of(const Found& found) const {
  Keys keys;
  for (FieldValue& value : values_of(found)) {
    if (type_ == GroupByType::field) {
      keys.push_back(std::move(value));
      continue;
    }
    const auto number = number_of(value);
    if (number && is_counted(*number)) keys.emplace_back(key_at(begin_of(*number)));
  }
  std::ranges::sort(keys, LessValue());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

/// Documents without a value of one of the sources are in no group.
// NOLINTNEXTLINE(misc-no-recursion)
Answer<std::string> Grouping::by_keys(const FoundList& found, ReadRow read_row) const {
  LessKeys less;
  for (const Grouping& source : sources_)
    less.descending.push_back(std::ranges::any_of(
        source.sorters_, [](const Sorter& one) { return one.by == Sorter::By::key && one.descending; }));
  std::map<Keys, FoundList, LessKeys> members(less);
  for (const Found* const one : found) {
    std::vector<Keys> lists;
    for (const Grouping& source : sources_) lists.push_back(source.keys_of(*one));
    if (combinations(lists) > limits::groups) return refuse::too_many_groups(limits::groups);
    std::vector<Keys> all;
    Keys begun;
    combine(lists, 0, begun, all);
    for (Keys& keys : all) members[std::move(keys)].push_back(one);
  }
  api::CompositeGroups groups;
  for (const Grouping& source : sources_) groups.source_group_by_names.push_back(source.name_);
  const Keys* last = nullptr;
  for (const auto& [keys, list] : members) {
    if (!last_.empty() && !less(last_, keys)) continue;
    if (groups.group_by_composite_result_items.size() == size_) {
      if (last != nullptr) groups.next_token = token_of(*last);
      break;
    }
    last = &keys;
    api::CompositeGroup& item = groups.group_by_composite_result_items.emplace_back();
    for (const FieldValue& key : keys) {
      item.keys.push_back(text_of(key));
      item.is_null_keys.push_back(false);
    }
    item.row_count = std::ssize(list);
    DINETTE_CHECK(add_inner_results({.members = list}, read_row, item));
  }
  return codec::encode_message(groups);
}

}  // namespace dinette::tablestore::search
