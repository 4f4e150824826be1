#include "dynamodb/expr/cache.h"

#include <functional>
#include <utility>

#include "dynamodb/api/limits.h"
#include "dynamodb/expr/ast.h"

namespace dinette::dynamodb::expr {
namespace {

// What an entry costs in addition to its text and parsed form: list node, hash node, bucket.
constexpr std::size_t entry_overhead = 160;

}  // namespace

Cache::Cache(Limits limits) : limits_of_shard_{limits.entries / shard_count, limits.bytes / shard_count} {}

base::Result<ParsedRef, ExpressionError> Cache::parse(Kind kind, std::string_view text, SizeTail tail) {
  // What is too long to be parsed is neither hashed nor kept.
  if (text.size() > model::limits::expression_bytes) return expr::parse(kind, text, tail);
  const Key key{static_cast<KeptKind>(kind), text};
  if (auto found = find(key)) return std::static_pointer_cast<const Parsed>(std::move(found));
  DINETTE_TRY(ParsedRef parsed, expr::parse(kind, text, tail));
  keep(key, parsed, parsed->footprint());
  return parsed;
}

std::size_t Cache::KeyHash::operator()(const Key& key) const {
  return std::hash<std::string_view>{}(key.text) + key.kind;
}

Cache::Shard& Cache::shard_of(const Key& key) {
  // The high bits: the low ones choose the bucket inside the shard.
  return shards_[(KeyHash{}(key) >> 32U) % shard_count];
}

std::shared_ptr<const void> Cache::find(const Key& key) {
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.index.find(key);
  if (found == shard.index.end()) return nullptr;
  shard.recent.splice(shard.recent.begin(), shard.recent, found->second);
  return found->second->parsed;
}

void Cache::keep(const Key& key, std::shared_ptr<const void> parsed, std::size_t footprint) {
  Entry entry{key.kind, std::string(key.text), std::move(parsed),
              entry_overhead + key.text.size() + footprint};
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  if (shard.index.contains(key)) return;  // another thread was first
  shard.bytes += entry.bytes;
  shard.recent.push_front(std::move(entry));
  const auto newest = shard.recent.begin();
  shard.index.emplace(Key{newest->kind, newest->text}, newest);
  while (shard.index.size() > limits_of_shard_.entries || shard.bytes > limits_of_shard_.bytes) {
    const Entry& oldest = shard.recent.back();
    shard.bytes -= oldest.bytes;
    shard.index.erase({oldest.kind, oldest.text});
    shard.recent.pop_back();
  }
}

std::size_t Cache::entries() const {
  std::size_t sum = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    sum += shard.index.size();
  }
  return sum;
}

std::size_t Cache::bytes() const {
  std::size_t sum = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    sum += shard.bytes;
  }
  return sum;
}

}  // namespace dinette::dynamodb::expr
