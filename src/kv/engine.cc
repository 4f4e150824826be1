#include "dinette/kv/engine.h"

#include <utility>

namespace dinette::kv {

Result<Values> Snapshot::get_many(std::span<const std::string_view> keys) const {
  Values values;
  values.reserve(keys.size());
  for (const std::string_view key : keys) {
    DINETTE_TRY(auto value, get(key));
    values.push_back(std::move(value));
  }
  return values;
}

Result<ReadSet> Engine::read_set(std::span<const std::string_view> keys) const {
  DINETTE_TRY(auto values, get_many(keys));
  return ReadSet{std::move(values)};
}

Result<std::unique_ptr<Engine>> Engine::fork() const {
  return base::Failure{Error{ErrorKind::unsupported, "this engine cannot be forked"}};
}

Result<void> Engine::reset([[maybe_unused]] const Snapshot& snapshot) {
  return base::Failure{Error{ErrorKind::unsupported, "this engine cannot be reset"}};
}

}  // namespace dinette::kv
