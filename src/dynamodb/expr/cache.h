#pragma once

#include <array>
#include <cstddef>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "dinette/base/result.h"

#include "dynamodb/expr/expressions.h"

namespace dinette::dynamodb::expr {

/// Parsed expressions by kind and text, so that an application that sends the same expressions again and
/// again has each parsed once. Keeps the most recently used ones, bounded by count and by bytes. Refusals are
/// not kept. Thread-safe.
class Cache {
 public:
  struct Limits {
    std::size_t entries = 4096;
    std::size_t bytes = 16U << 20;  ///< texts and an estimate of the parsed forms
  };

  Cache() : Cache(Limits{}) {}
  explicit Cache(Limits limits);

  /// As expr::parse, from the cache where possible.
  base::Result<ParsedRef, ExpressionError> parse(Kind kind, std::string_view text, SizeTail tail);

  std::size_t entries() const;
  std::size_t bytes() const;

 private:
  struct Key {
    Kind kind;
    std::string_view text;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Entry {
    Kind kind;
    std::string text;
    ParsedRef parsed;
    std::size_t bytes;
  };
  struct Shard {
    mutable std::mutex mutex;
    std::list<Entry> recent;                                             // most recently used first
    std::unordered_map<Key, std::list<Entry>::iterator, KeyHash> index;  // the texts lie in the entries
    std::size_t bytes = 0;
  };
  static constexpr std::size_t shard_count = 8;

  Shard& shard_of(const Key& key);
  void keep(Shard& shard, Entry entry);

  Limits limits_of_shard_;
  std::array<Shard, shard_count> shards_;
};

}  // namespace dinette::dynamodb::expr
