#include "kv/postgres/transaction.h"

#include <utility>

namespace dinette::kv::postgres {

DeclaredReads::DeclaredReads(std::span<const std::string_view> keys, Values values)
    : values_(std::move(values)) {
  for (std::size_t i = 0; i < keys.size(); ++i) indexes_.emplace(keys[i], i);
}

const std::optional<Value>* DeclaredReads::find(std::string_view key) const {
  const auto found = indexes_.find(key);
  return found == indexes_.end() ? nullptr : &values_[found->second];
}

base::Failure<Error> OptimisticTransaction::must_lock() const {
  needs_locks_ = true;
  return base::Failure{Error{ErrorKind::conflict, "a read that was not declared"}};
}

Result<std::optional<Value>> OptimisticTransaction::get(std::string_view key) const {
  if (const auto* const value = reads_.find(key)) return *value;
  return must_lock();
}

Result<Values> OptimisticTransaction::get_many(std::span<const std::string_view> keys) const {
  Values values;
  values.reserve(keys.size());
  for (const std::string_view key : keys) {
    DINETTE_TRY(auto value, get(key));
    values.push_back(std::move(value));
  }
  return values;
}

Result<std::unique_ptr<Cursor>> OptimisticTransaction::cursor(Range) const {
  return must_lock();
}

Result<std::optional<Value>> LockedTransaction::get(std::string_view key) const {
  if (const auto* const value = reads_.find(key)) return *value;
  DINETTE_TRY(FoundEntry found, read_entry(*source_, world_, key));
  return value_in(std::move(found));
}

Result<Values> LockedTransaction::get_many(std::span<const std::string_view> keys) const {
  Values values(keys.size());
  std::vector<std::size_t> others;
  std::vector<std::string_view> keys_of_others;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (const auto* const value = reads_.find(keys[i])) {
      values[i] = *value;
    } else {
      others.push_back(i);
      keys_of_others.push_back(keys[i]);
    }
  }
  // What was declared was read under the same locks: it is as current as the rest.
  DINETTE_TRY(auto found, read_entries(*source_, world_, keys_of_others));
  for (std::size_t i = 0; i < others.size(); ++i) values[others[i]] = value_in(std::move(found[i]));
  return values;
}

Result<std::unique_ptr<Cursor>> LockedTransaction::cursor(Range range) const {
  return make_cursor(source_, world_, range);
}

}  // namespace dinette::kv::postgres
