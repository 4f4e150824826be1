#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "dinette/base/result.h"

#include "dynamodb/expr/expressions.h"

namespace dinette::dynamodb::expr {

/// Parsed expressions and PartiQL statements by kind and text, so that an application that sends the same
/// ones again and again has each parsed once. Keeps the most recently used ones, bounded by count and by
/// bytes. Refusals are not kept. Thread-safe.
class Cache {
 public:
  struct Limits {
    std::size_t entries = 4096;
    std::size_t bytes = 16U << 20;  ///< texts and an estimate of the parsed forms
  };

  Cache() : Cache(Limits{}) {}
  explicit Cache(Limits limits);

  /// Parses like expr::parse, from the cache if possible.
  base::Result<ParsedRef, ExpressionError> parse(Kind kind, std::string_view text, SizeTail tail);

  /// As `make(text)`, a Result of a shared pointer to something that has a footprint(), from the cache if
  /// possible: for texts that are not expressions. Always the same type.
  template <class Make>
  auto statement(std::string_view text, Make make) -> decltype(make(text));

  std::size_t entries() const;
  std::size_t bytes() const;

 private:
  /// A Kind, or what comes after them.
  using KeptKind = std::uint8_t;
  static constexpr KeptKind statement_kind = 0xFF;

  struct Key {
    KeptKind kind;
    std::string_view text;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Entry {
    KeptKind kind;
    std::string text;
    std::shared_ptr<const void> parsed;
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
  /// Returns null if it is not cached.
  std::shared_ptr<const void> find(const Key& key);
  /// `footprint` is that of what was parsed.
  void keep(const Key& key, std::shared_ptr<const void> parsed, std::size_t footprint);

  Limits limits_of_shard_;
  std::array<Shard, shard_count> shards_;
};

template <class Make>
auto Cache::statement(std::string_view text, Make make) -> decltype(make(text)) {
  using Made = typename decltype(make(text))::value_type;
  const Key key{statement_kind, text};
  if (auto found = find(key)) return std::static_pointer_cast<typename Made::element_type>(std::move(found));
  DINETTE_TRY(Made made, make(text));
  keep(key, made, made->footprint());
  return made;
}

}  // namespace dinette::dynamodb::expr
