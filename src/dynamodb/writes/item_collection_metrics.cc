#include "dynamodb/writes/item_collection_metrics.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/item_collection_metrics.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/items/item_key.h"

namespace dinette::dynamodb {
namespace {

/// The whole gigabytes below and above.
std::vector<double> size_range(std::int64_t bytes) {
  constexpr std::int64_t gigabyte = 1 << 30;
  const auto below = static_cast<double>(bytes / gigabyte);
  return {below, below + 1};
}

}  // namespace

Answer<std::optional<api::ItemCollectionMetrics>> item_collection_metrics(
    const Context& context, std::optional<api::ReturnItemCollectionMetrics> wanted, const OpenTable& table,
    const model::Item& key) {
  using Metrics = api::ItemCollectionMetrics;
  const TableSchema& schema = table.schema();
  if (wanted != api::ReturnItemCollectionMetrics::size || !schema.has_local_indexes())
    return std::optional<Metrics>();
  const model::AttributeValue& hash = *key.find(schema.hash_key().name);
  DINETTE_STORED(const std::int64_t bytes,
                 context.store.partition_bytes(*table.table, encode_partition(hash)));
  model::Item collection;
  collection.set(schema.hash_key().name, hash);
  return std::optional(Metrics{codec::to_text(collection), size_range(bytes)});
}

void add_metrics(std::vector<api::ItemCollectionMetrics>& all, api::ItemCollectionMetrics one) {
  const auto same = std::ranges::find_if(all, [&](const api::ItemCollectionMetrics& other) {
    return *other.item_collection_key->json == *one.item_collection_key->json;
  });
  if (same == all.end())
    all.push_back(std::move(one));
  else
    *same = std::move(one);
}

}  // namespace dinette::dynamodb
