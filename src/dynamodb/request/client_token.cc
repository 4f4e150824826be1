#include "dynamodb/request/client_token.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stop_token>
#include <utility>

#include "dinette/base/bytes.h"
#include "dinette/base/log.h"
#include "dinette/store/scan.h"

#include "dynamodb/api/limits.h"

namespace dinette::dynamodb {
namespace {

/// Kept on disk (FORMAT.md): never renumber.
constexpr store::SpaceId tokens{1};
constexpr store::SpaceId tokens_by_end{2};

constexpr char format = 1;
constexpr std::size_t digest_bytes = std::tuple_size_v<base::Sha256Digest>;
constexpr std::size_t end_at = 1;
constexpr std::size_t digest_at = end_at + sizeof(std::uint64_t);
constexpr std::size_t succeeded_at = digest_at + digest_bytes;
constexpr std::size_t units_at = succeeded_at + 1;

constexpr std::chrono::minutes lifetime{model::limits::transaction_token_minutes};
constexpr std::size_t tokens_per_step = 256;

std::uint64_t milliseconds(base::TimePoint moment) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(moment.time_since_epoch()).count());
}

base::TimePoint time_point(std::uint64_t milliseconds) {
  return base::TimePoint(std::chrono::milliseconds(milliseconds));
}

bool is_entry(std::string_view entry) {
  return entry.size() >= units_at && entry.front() == format;
}

/// The moment from which on the token is not known any more.
std::uint64_t end_of(std::string_view entry) {
  return base::load_big_endian<std::uint64_t>(entry.data() + end_at);
}

std::string key_by_end(std::uint64_t end, std::string_view token) {
  std::string key;
  base::append_big_endian(key, end);
  return key.append(token);
}

store::KeyWrite write_by_end(std::string key, kv::Value value) {
  return {.area = store::Area::of_face(tokens_by_end), .key = std::move(key), .value = std::move(value)};
}

/// Erases a token whose time is over, unless it was bound again meanwhile.
kv::Result<void> forget(store::Store& store, std::string_view key, base::TimePoint now) {
  const std::string_view token = key.substr(sizeof(std::uint64_t));
  const store::WriteTarget target = store::WriteTarget::entry(tokens, token);
  const auto decide = [&](const store::Rows& rows, store::RowChanges changes) {
    const kv::Value* const entry = rows[0];
    if (entry && end_of(entry->view()) <= milliseconds(now)) changes[0].row = store::RowChange::Row::erase;
    changes[0].entries.push_back(write_by_end(std::string(key), {}));
    return true;
  };
  DINETTE_CHECK(store.write(std::span(&target, 1), decide));
  return {};
}

/// Forgets some tokens; returns when the next one's time is over.
kv::Result<base::Jobs::Next> forget_some(store::Store& store, const std::stop_token& stop) {
  const base::TimePoint now = store.clock().now();
  std::vector<std::string> due;
  {
    DINETTE_TRY(const store::View view, store.view());
    DINETTE_TRY(store::RowCursor ends, view.scan(tokens_by_end, {}, store::Direction::forward));
    for (;;) {
      DINETTE_TRY(const bool more, ends.next());
      if (!more) break;
      const std::uint64_t end = base::load_big_endian<std::uint64_t>(ends.key().data());
      if (end > milliseconds(now) && due.empty()) return base::Jobs::Next(time_point(end));
      if (end > milliseconds(now) || due.size() == tokens_per_step) break;
      due.emplace_back(ends.key());
    }
  }
  for (const std::string& key : due) {
    if (stop.stop_requested()) break;
    DINETTE_CHECK(forget(store, key, now));
  }
  return due.empty() ? base::Jobs::done : base::Jobs::Next(base::Jobs::at_once);
}

}  // namespace

store::WriteTarget ClientToken::target() const {
  return store::WriteTarget::entry(tokens, token_);
}

ClientToken::State ClientToken::state(const kv::Value* entry, base::TimePoint moment) const {
  if (!entry || !is_entry(entry->view()) || end_of(entry->view()) <= milliseconds(moment))
    return State::unbound;
  const std::string_view bytes = entry->view();
  if (std::memcmp(bytes.data() + digest_at, request_.data(), digest_bytes) != 0) return State::mismatched;
  return bytes[succeeded_at] != 0 ? State::succeeded : State::bound;
}

std::vector<std::uint32_t> ClientToken::read_units(const kv::Value& entry) {
  std::vector<std::uint32_t> units;
  std::string_view rest = entry.view().substr(units_at);
  for (; rest.size() >= sizeof(std::uint32_t); rest.remove_prefix(sizeof(std::uint32_t)))
    units.push_back(base::load_big_endian<std::uint32_t>(rest.data()));
  return units;
}

void ClientToken::bind(store::RowChange& change, const kv::Value* before, base::TimePoint moment,
                       std::optional<std::span<const std::uint32_t>> read_units) const {
  const std::uint64_t end = milliseconds(forgotten_at(moment));
  std::string entry(1, format);
  base::append_big_endian(entry, end);
  entry.append(reinterpret_cast<const char*>(request_.data()), request_.size());
  entry += read_units ? '\1' : '\0';
  if (read_units) {
    for (const std::uint32_t units : *read_units) base::append_big_endian(entry, units);
  }
  change.row = store::RowChange::Row::put;
  change.value = kv::Value(entry);
  if (before && is_entry(before->view()))
    change.entries.push_back(write_by_end(key_by_end(end_of(before->view()), token_), {}));
  change.entries.push_back(write_by_end(key_by_end(end, token_), kv::Value("")));
}

base::TimePoint forgotten_at(base::TimePoint end) {
  return end + lifetime;
}

void forget_tokens_later(store::Store& store, base::Jobs& jobs, base::TimePoint due) {
  jobs.add_once("client tokens", due, [&store](const std::stop_token& stop) -> base::Jobs::Next {
    const auto next = forget_some(store, stop);
    if (next) return *next;
    base::log(base::LogLevel::warn, "old client tokens could not be forgotten yet",
              {{"reason", next.error().message}});
    return base::Jobs::next_try;
  });
}

}  // namespace dinette::dynamodb
