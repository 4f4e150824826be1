#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/kv/engine.h"

/// Short forms of engine calls that a test expects to succeed. If one fails, std::bad_variant_access fails
/// the test.
namespace dinette::test {

using Entries = std::vector<std::pair<std::string, std::string>>;

inline std::optional<std::string> get(const auto& reader, std::string_view key) {
  const std::optional<kv::Value> value = reader.get(key).value();
  if (!value) return std::nullopt;
  return std::string(value->view());
}

using Texts = std::vector<std::optional<std::string>>;

inline Texts get_many(const auto& reader, std::initializer_list<std::string_view> keys) {
  Texts texts;
  const kv::Values values = reader.get_many({keys.begin(), keys.size()}).value();
  for (const auto& value : values) {
    texts.push_back(value ? std::optional<std::string>(value->view()) : std::nullopt);
  }
  return texts;
}

inline void put(kv::Engine& engine,
                std::initializer_list<std::pair<std::string_view, std::string_view>> entries) {
  kv::WriteBatch batch;
  for (const auto& [key, value] : entries) batch.put(key, kv::Value(value));
  if (auto written = engine.write(batch); !written) throw std::runtime_error(written.error().message);
}

inline void write(kv::Engine& engine, const kv::WriteBatch& batch) {
  if (auto written = engine.write(batch); !written) throw std::runtime_error(written.error().message);
}

inline std::pair<std::string, std::string> entry_at(const kv::Cursor& cursor) {
  return {std::string(cursor.key()), std::string(cursor.value())};
}

inline Entries forward(const kv::Reader& reader, kv::Range range = {}) {
  Entries entries;
  const auto cursor = std::move(reader.cursor(range)).value();
  for (bool more = cursor->first().value(); more; more = cursor->next().value()) {
    entries.push_back(entry_at(*cursor));
  }
  return entries;
}

inline Entries backward(const kv::Reader& reader, kv::Range range = {}) {
  Entries entries;
  const auto cursor = std::move(reader.cursor(range)).value();
  for (bool more = cursor->last().value(); more; more = cursor->previous().value()) {
    entries.push_back(entry_at(*cursor));
  }
  return entries;
}

inline Entries all(const kv::Engine& engine) {
  return forward(*engine.snapshot().value());
}

/// For transactions that nothing blocks.
inline kv::Deadline far_deadline() {
  return std::chrono::steady_clock::now() + std::chrono::minutes(5);
}

}  // namespace dinette::test
