#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/jobs.h"
#include "dinette/tenancy/upkeep.h"

#include "dynamodb/codec/inputs.h"
#include "dynamodb/tasks/client_token.h"
#include "dynamodb/tasks/kept_entry.h"

/// Exports, imports and bulk operations: they outlive their request, are shown for 90 days after it, and are
/// begun once by requests with the same token within 8 hours (docs/service/export-import.md). KeptEntry of
/// such an entry has two members more:
///
///     static std::string_view arn(const Entry& entry);
///     static bool is_running(const Entry& entry);
namespace dinette::dynamodb {

inline constexpr std::chrono::days operation_shown_for{90};
inline constexpr std::chrono::hours operation_token_lifetime{8};

template <class Entry>
bool is_running(const Entry& entry) {
  return KeptEntry<Entry>::is_running(entry);
}

/// Returns the last part of the ARN.
template <class Entry>
std::string_view id_of(const Entry& entry) {
  const std::string_view arn = KeptEntry<Entry>::arn(entry);
  return arn.substr(arn.rfind('/') + 1);
}

/// Returns the time from which on it is not shown any more.
template <class Entry>
base::TimePoint end_of(const Entry& entry) {
  return entry.description.start_time->time() + operation_shown_for;
}

template <class Entry>
bool is_over(const Entry& entry, base::TimePoint now) {
  return end_of(entry) <= now;
}

/// Returns all that have not ended.
template <class Entry>
kv::Result<std::vector<Entry>> running(const store::Store& store) {
  std::vector<Entry> entries;
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_CHECK(for_each_entry<Entry>(view, {}, [&](const Entry& entry) {
    if (is_running(entry)) entries.push_back(entry);
    return true;
  }));
  return entries;
}

/// Returns the operation that a token's entry, null for none, is bound to; nothing if it was another
/// request's or is not bound.
template <class Entry>
kv::Result<std::optional<Entry>> begun_by(const ClientToken& token, const store::View& view,
                                          const kv::Value* bound, base::TimePoint moment) {
  if (token.state(bound, moment) != ClientToken::State::bound) return std::optional<Entry>();
  return read_entry<Entry>(view, ClientToken::note_of(*bound));
}

/// Erases the entries that are not shown any more. Returns when the next one's time is over.
template <class Entry>
kv::Result<base::Jobs::Next> forget_operations(store::Store& store) {
  const base::TimePoint now = store.clock().now();
  std::vector<store::EntryWrite> over;
  base::Jobs::Next next = base::Jobs::done;
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_CHECK(for_each_entry<Entry>(view, {}, [&](const Entry& entry) {
    const base::TimePoint end = end_of(entry);
    if (end <= now && !is_running(entry)) over.push_back(erasure_of(entry));
    if (end > now && (!next || end < *next)) next = end;
    return true;
  }));
  for (const store::EntryWrite& entry : over) DINETTE_CHECK(write_entry(store, entry));
  return next;
}

/// Has the entries erased, by a job, when they are not shown any more; the next one at `due`.
template <class Entry>
void forget_operations_later(store::Store& store, base::Jobs& jobs, base::TimePoint due) {
  std::string name("entries of ");
  name.append(KeptEntry<Entry>::name);
  tenancy::run_upkeep(store, jobs, name, due,
                      [&store](const std::stop_token&) { return forget_operations<Entry>(store); });
}

/// Has an operation that has begun, and its token, erased in time.
template <class Entry>
void forget_later(const Context& context, const Entry& entry) {
  forget_operations_later<Entry>(context.store, context.jobs, end_of(entry));
  forget_tokens_later(context.store, context.jobs, context.now + operation_token_lifetime);
}

/// Calls `resume` for each operation that has not ended, and has those erased that are over, by jobs: for a
/// server that starts.
template <class Entry>
void resume_operations(store::Store& store, base::Jobs& jobs,
                       std::function<void(const Entry& entry)> resume) {
  forget_operations_later<Entry>(store, jobs, base::Jobs::at_once);
  std::string name("unfinished after a restart: ");
  name.append(KeptEntry<Entry>::name);
  tenancy::run_upkeep(
      store, jobs, name, base::Jobs::at_once,
      [&store, resume = std::move(resume)](const std::stop_token&) -> kv::Result<base::Jobs::Next> {
        DINETTE_TRY(const std::vector<Entry> entries, running<Entry>(store));
        for (const Entry& entry : entries) resume(entry);
        return base::Jobs::done;
      });
}

}  // namespace dinette::dynamodb
