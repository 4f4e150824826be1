#include "dynamodb/tasks/client_token.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <iterator>
#include <stop_token>
#include <utility>

#include "dinette/base/bytes.h"
#include "dinette/tenancy/upkeep.h"

namespace dinette::dynamodb {
namespace {

/// Kept on disk (FORMAT.md): never renumber.
constexpr store::SpaceId tokens{1};
constexpr store::SpaceId tokens_by_end{2};

constexpr char token_format = 1;
constexpr std::size_t digest_bytes = std::tuple_size_v<base::Sha256Digest>;
constexpr std::size_t end_at = 1;
constexpr std::size_t digest_at = end_at + sizeof(std::uint64_t);
constexpr std::size_t note_at = digest_at + digest_bytes;

constexpr std::size_t tokens_per_step = 256;

std::uint64_t milliseconds_of(base::TimePoint moment) {
  return static_cast<std::uint64_t>(codec::Timestamp(moment).milliseconds);
}

bool is_entry(std::string_view entry) {
  return entry.size() >= note_at && entry.front() == token_format;
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

store::KeyWrite key_write(store::EntryWrite entry) {
  return {.area = store::Area::of_face(entry.space),
          .key = std::move(entry.key),
          .value = std::move(entry.value)};
}

/// Erases a token whose time is over, unless it was bound again meanwhile.
kv::Result<void> forget(store::Store& store, std::string_view key, base::TimePoint now) {
  const std::string_view token = key.substr(sizeof(std::uint64_t));
  const store::WriteTarget target = store::WriteTarget::entry(tokens, token);
  const auto decide = [&](const store::Rows& rows, store::RowChanges changes) {
    const kv::Value* const entry = rows[0];
    if (entry && end_of(entry->view()) <= milliseconds_of(now)) changes[0].row = store::RowChange::Row::erase;
    changes[0].entries.push_back(key_write({tokens_by_end, std::string(key), {}}));
    return true;
  };
  DINETTE_CHECK(store.write(std::span(&target, 1), decide));
  return {};
}

/// Tokens of imports and of bulk operations had spaces of their own.
constexpr std::array former_tokens{store::SpaceId{8}, store::SpaceId{10}};

kv::Result<void> erase_former_tokens(store::Store& store) {
  for (const store::SpaceId space : former_tokens) {
    DINETTE_TRY(const store::View view, store.view());
    DINETTE_TRY(store::RowCursor entries, view.scan(space, {}, store::Direction::forward));
    DINETTE_TRY(const bool any, entries.next());
    if (!any) continue;
    const store::WriteTarget target = store::WriteTarget::entry(space, "");
    const auto erase_all = [&](const store::Rows&, store::RowChanges changes) {
      changes[0].erased_ranges.push_back({.area = store::Area::of_face(space), .range = {}});
      return true;
    };
    DINETTE_CHECK(store.write(std::span(&target, 1), erase_all));
  }
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
      if (end > milliseconds_of(now) && due.empty())
        return base::Jobs::Next(base::TimePoint(std::chrono::milliseconds(end)));
      if (end > milliseconds_of(now) || due.size() == tokens_per_step) break;
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

ClientToken::ClientToken(const Context& context, std::string_view operation, std::string_view text,
                         const base::Sha256Digest& request)
    : request_(request) {
  for (const std::string_view part : {operation, context.account, context.region})
    key_.append(part).append("/");
  key_.append(text);
}

store::WriteTarget ClientToken::target() const {
  return store::WriteTarget::entry(tokens, key_);
}

kv::Result<std::optional<kv::Value>> ClientToken::read(const store::View& view) const {
  return view.read(tokens, key_);
}

ClientToken::State ClientToken::state(const kv::Value* entry, base::TimePoint moment) const {
  if (!entry || !is_entry(entry->view()) || end_of(entry->view()) <= milliseconds_of(moment))
    return State::unbound;
  const bool same = std::memcmp(entry->view().data() + digest_at, request_.data(), digest_bytes) == 0;
  return same ? State::bound : State::mismatched;
}

std::string_view ClientToken::note_of(const kv::Value& entry) {
  return entry.view().substr(note_at);
}

ClientToken::Binding ClientToken::binding(const kv::Value* before, base::TimePoint end,
                                          std::string_view note) const {
  std::string entry(1, token_format);
  base::append_big_endian(entry, milliseconds_of(end));
  entry.append(reinterpret_cast<const char*>(request_.data()), request_.size()).append(note);
  Binding binding{kv::Value(entry), {}};
  if (before && is_entry(before->view()))
    binding.by_end.push_back({tokens_by_end, key_by_end(end_of(before->view()), key_), {}});
  binding.by_end.push_back({tokens_by_end, key_by_end(milliseconds_of(end), key_), kv::Value("")});
  return binding;
}

void ClientToken::bind(store::RowChange& change, const kv::Value* before, base::TimePoint end,
                       std::string_view note) const {
  Binding bound = binding(before, end, note);
  change.row = store::RowChange::Row::put;
  change.value = std::move(bound.entry);
  for (store::EntryWrite& entry : bound.by_end) change.entries.push_back(key_write(std::move(entry)));
}

void ClientToken::bind(std::vector<store::EntryWrite>& entries, const kv::Value* before, base::TimePoint end,
                       std::string_view note) const {
  Binding bound = binding(before, end, note);
  entries.push_back({tokens, key_, std::move(bound.entry)});
  std::ranges::move(bound.by_end, std::back_inserter(entries));
}

void forget_tokens_later(store::Store& store, base::Jobs& jobs, base::TimePoint due) {
  tenancy::run_upkeep(store, jobs, "client tokens", due,
                      [&store](const std::stop_token& stop) { return forget_some(store, stop); });
}

void resume_tokens(store::Store& store, base::Jobs& jobs) {
  tenancy::run_upkeep(store, jobs, "client tokens of former formats", base::Jobs::at_once,
                      [&store](const std::stop_token&) -> kv::Result<base::Jobs::Next> {
                        DINETTE_CHECK(erase_former_tokens(store));
                        return base::Jobs::done;
                      });
  forget_tokens_later(store, jobs, base::Jobs::at_once);
}

}  // namespace dinette::dynamodb
