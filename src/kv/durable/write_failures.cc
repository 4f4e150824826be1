#include "kv/durable/write_failures.h"

namespace dinette::kv::durable {
namespace {

/// Returns what the operating system says: RocksDB puts it at the end, after what it did and the path.
std::string_view last_part(std::string_view message) {
  constexpr std::string_view mark = ": ";
  const std::size_t last = message.rfind(mark);
  return last == std::string_view::npos ? message : message.substr(last + mark.size());
}

}  // namespace

void WriteFailures::add(const Database& database, std::string_view reason) {
  const std::lock_guard guard(mutex_);
  failed_.try_emplace(&database, last_part(reason));
}

void WriteFailures::remove(const Database& database) {
  const std::lock_guard guard(mutex_);
  failed_.erase(&database);
}

std::optional<std::string> WriteFailures::trouble() const {
  const std::lock_guard guard(mutex_);
  if (failed_.empty()) return std::nullopt;
  return std::string(write_failed_text).append(" (").append(failed_.begin()->second).append(")");
}

}  // namespace dinette::kv::durable
