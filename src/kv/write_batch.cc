#include "dinette/kv/write_batch.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "dinette/base/bytes.h"
#include "dinette/kv/engine.h"

namespace dinette::kv {
namespace {

constexpr std::size_t counter_size = sizeof(std::uint64_t);

std::uint64_t counter_at(std::string_view counters, std::size_t offset) {
  if (offset + counter_size > counters.size()) return 0;
  return base::load_big_endian<std::uint64_t>(counters.data() + offset);
}

}  // namespace

void WriteBatch::put(std::string_view key, Value value) {
  append(Kind::put, key, {}, std::move(value));
}

void WriteBatch::put_in_commit_order(std::string_view prefix, Value value) {
  char index[sizeof in_commit_order_];
  base::store_big_endian(index, in_commit_order_++);
  append(Kind::put_in_commit_order, prefix, {index, sizeof index}, std::move(value));
}

void WriteBatch::erase(std::string_view key) {
  append(Kind::erase, key, {}, {});
}

void WriteBatch::erase_range(Range range) {
  append(Kind::erase_range, range.begin, range.end, {});
}

void WriteBatch::add(std::string_view key, std::initializer_list<std::int64_t> increments) {
  append(Kind::add, key, {}, {});
  for (const std::int64_t increment : increments) {
    base::append_big_endian(bytes_, static_cast<std::uint64_t>(increment));
  }
  entries_.back().end_size = static_cast<std::uint32_t>(increments.size() * counter_size);
}

void WriteBatch::only_if(std::size_t first, std::string_view key, Presence presence) {
  conditions_.push_back({std::string(key), presence, first, entries_.size()});
}

Result<void> WriteBatch::settle(const Reader& before) {
  // From the last one on, so that the numbers of the changes before stay.
  for (; !conditions_.empty(); conditions_.pop_back()) {
    const Condition& condition = conditions_.back();
    DINETTE_TRY(const auto value, before.get(condition.key));
    if (value.has_value() == (condition.presence == Presence::present)) continue;
    const auto entry = [&](std::size_t number) {
      return entries_.begin() + static_cast<std::ptrdiff_t>(number);
    };
    entries_.erase(entry(condition.first), entry(condition.end));
  }
  return {};
}

void WriteBatch::append(const Change& change) {
  if (change.kind == Kind::put_in_commit_order) return put_in_commit_order(change.key, *change.value);
  append(change.kind, change.key, change.end, *change.value);
}

void WriteBatch::append(Kind kind, std::string_view key, std::string_view end, Value value) {
  constexpr std::size_t usual_size = 4;
  if (entries_.capacity() == 0) entries_.reserve(usual_size);
  entries_.push_back({kind, static_cast<std::uint32_t>(key.size()), static_cast<std::uint32_t>(end.size()),
                      bytes_.size(), std::move(value)});
  bytes_.append(key).append(end);
}

void WriteBatch::clear() {
  bytes_.clear();
  entries_.clear();
  conditions_.clear();
  in_commit_order_ = 0;
}

WriteBatch::Change WriteBatch::operator[](std::size_t index) const {
  const Entry& entry = entries_[index];
  const std::string_view bytes = bytes_;
  return {entry.kind, bytes.substr(entry.offset, entry.key_size),
          bytes.substr(entry.offset + entry.key_size, entry.end_size), &entry.value};
}

std::string key_in_commit_order(const WriteBatch::Change& change, CommitNumber number) {
  std::string key;
  key.reserve(change.key.size() + CommitPosition::encoded_size);
  key.append(change.key);
  base::append_big_endian(key, number);
  key.append(change.end);
  return key;
}

Value add_counters(const Value& current, std::string_view increments) {
  const std::string_view before = current.view();
  return Value::make(std::max(before.size(), increments.size()), [&](char* bytes) {
    if (!before.empty()) std::memcpy(bytes, before.data(), before.size());
    for (std::size_t offset = 0; offset < increments.size(); offset += counter_size) {
      base::store_big_endian(bytes + offset, counter_at(before, offset) + counter_at(increments, offset));
    }
  });
}

std::int64_t read_counter(std::string_view counters, std::size_t index) {
  return static_cast<std::int64_t>(counter_at(counters, index * counter_size));
}

}  // namespace dinette::kv
