#include "dynamodb/insights/key_counts.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dinette/base/base64.h"
#include "dinette/store/key_codec.h"
#include "dinette/store/placement.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/insights_record.h"
#include "dynamodb/insights/contributor_insights.h"
#include "dynamodb/model/number.h"

namespace dinette::dynamodb {
namespace {

/// The begin of a store key, as far as it has whole components: the attributes of the partition key, and
/// those that follow.
struct KeyTexts {
  std::string partition;
  std::string item;  ///< empty if the sort key is missing
};

std::optional<std::string> read_component(store::TupleReader& reader, model::Type type) {
  if (type != model::Type::number) {
    auto bytes = reader.read_bytes();
    if (bytes && type == model::Type::binary) return base::base64_encode(*bytes);
    return bytes;
  }
  const auto decimal = reader.read_decimal();
  if (!decimal) return std::nullopt;
  const std::string text = (decimal->negative ? "-0." : "0.") +
                           (decimal->digits.empty() ? "0" : decimal->digits) + "e" +
                           std::to_string(decimal->exponent);
  const auto number = model::Number::parse(text);
  return number ? std::optional(number->to_string()) : std::nullopt;
}

void append_component(std::string& out, std::string_view name, std::string_view value) {
  if (!out.empty()) out += ", ";
  out.append(name).append(" = ").append(value);
}

std::vector<KeyAttribute> counted_key_of(const TableSchema& schema, const IndexSchema* index) {
  if (index) return index->keys;
  std::vector<KeyAttribute> keys{schema.hash_key()};
  if (schema.range_key()) keys.push_back(*schema.range_key());
  return keys;
}

/// Returns the components after the partition hash; nothing if an index has a digest in their place, which it
/// has of long keys.
std::optional<std::string_view> components_of(const IndexSchema* index, std::string_view key) {
  if (key.size() <= store::partition_hash_size) return std::nullopt;
  key.remove_prefix(store::partition_hash_size);
  if (index == nullptr) return key;
  if (key.front() != '\0') return std::nullopt;
  return key.substr(1);
}

std::optional<KeyTexts> key_texts(const TableSchema& schema, const IndexSchema* index, std::string_view key) {
  const auto components = components_of(index, key);
  if (!components) return std::nullopt;
  store::TupleReader reader(*components);
  KeyTexts texts;
  for (const KeyAttribute& attribute : counted_key_of(schema, index)) {
    const auto value = read_component(reader, attribute.type);
    if (!value && attribute.hash) return std::nullopt;
    if (!value) return texts;
    if (attribute.hash) append_component(texts.partition, attribute.name, *value);
    append_component(texts.item, attribute.name, *value);
  }
  return texts;
}

}  // namespace

void KeyCounts::note(const KeyUse& use) {
  const auto& schema = use.of.table.schema_as<TableSchema>();
  if (!schema.has_insights()) return;
  const store::IndexId index = use.of.index ? use.of.index->id : 0;
  const api::InsightsRecord* const insights = find_insights(schema.record(), index);
  if (insights == nullptr || !insights->enabled) return;
  if (!use.throttled && insights->mode == api::ContributorInsightsMode::throttled_keys) return;
  const auto texts = key_texts(schema, use.of.index, use.of.key);
  if (!texts) return;
  const std::lock_guard lock(mutex_);
  const store::TableId table = use.of.table.id;
  add({table, index, use.throttled ? CountedKeys::partitions_throttled : CountedKeys::partitions_accessed},
      texts->partition);
  if (use.of_item && texts->item != texts->partition && !texts->item.empty())
    add({table, index, use.throttled ? CountedKeys::items_throttled : CountedKeys::items_accessed},
        texts->item);
}

void KeyCounts::add(const Rule& rule, std::string_view key) {
  counts_.try_emplace(rule, kept).first->second.add(key);
}

std::vector<observe::HeavyHitters::Hitter> KeyCounts::top(store::TableId table, store::IndexId index,
                                                          CountedKeys keys, std::size_t most) const {
  const std::lock_guard lock(mutex_);
  const auto found = counts_.find({table, index, keys});
  return found == counts_.end() ? std::vector<observe::HeavyHitters::Hitter>() : found->second.top(most);
}

void KeyCounts::forget(store::TableId table) {
  const std::lock_guard lock(mutex_);
  std::erase_if(counts_, [&](const auto& one) { return std::get<0>(one.first) == table; });
}

}  // namespace dinette::dynamodb
