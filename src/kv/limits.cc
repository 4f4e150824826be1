#include "kv/limits.h"

#include <string>

namespace dinette::kv {
namespace {

std::size_t key_size(const WriteBatch::Change& change) {
  const bool completed = change.kind == WriteBatch::Kind::put_in_commit_order;
  return change.key.size() + (completed ? CommitPosition::encoded_size : 0);
}

Error too_large(const char* what, std::size_t size, std::size_t limit) {
  return {ErrorKind::too_large, std::string("a ") + what + " of " + std::to_string(size) +
                                    " bytes; the limit is " + std::to_string(limit)};
}

}  // namespace

Result<void> check_limits(const WriteBatch& batch) {
  if (batch.has_conditions())
    return base::Failure{Error{ErrorKind::unsupported, "only a transaction can have conditions"}};
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const WriteBatch::Change change = batch[i];
    // The bounds of a range are not stored, and may be longer.
    if (change.kind == WriteBatch::Kind::erase_range) continue;
    if (key_size(change) > max_key_size)
      return base::Failure{too_large("key", key_size(change), max_key_size)};
    if (change.value->size() > max_value_size) {
      return base::Failure{too_large("value", change.value->size(), max_value_size)};
    }
  }
  return {};
}

}  // namespace dinette::kv
