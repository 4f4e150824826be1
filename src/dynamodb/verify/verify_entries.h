#pragma once

#include <string>

#include "dynamodb/tasks/kept_entry.h"
#include "dynamodb/verify/findings.h"

namespace dinette::dynamodb {

/// Checks that each entry of a type is where its id says, and calls `verify` for it.
template <class Entry>
kv::Result<void> verify_entries(const store::View& view, Findings& findings,
                                base::FunctionRef<kv::Result<void>(const Entry& entry)> verify) {
  DINETTE_TRY(store::RowCursor entries, view.scan(KeptEntry<Entry>::space, {}, store::Direction::forward));
  for (;;) {
    DINETTE_TRY(const bool more, entries.next());
    if (!more) return {};
    DINETTE_TRY(const Entry entry, decode_entry<Entry>(entries.value()));
    if (key_of(entry) != entries.key()) {
      findings.fault("the entry of " + std::string(KeptEntry<Entry>::name) + ", " + key_of(entry) +
                     ", is not where its id says");
    }
    DINETTE_CHECK(verify(entry));
  }
}

}  // namespace dinette::dynamodb
