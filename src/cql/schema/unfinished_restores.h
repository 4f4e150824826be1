#pragma once

#include <cstdint>
#include <map>

#include "dinette/base/jobs.h"
#include "dinette/store/store.h"

namespace dinette::cql::schema {

/// Removes tables that a RESTORE TABLE was filling on a server that has died. Other servers see no more of
/// that one than that the table gets no rows: it is removed after several looks without any. Belongs to one
/// job; a server that forgets what it has seen begins again.
class UnfinishedRestores {
 public:
  /// Looks at all tables. Returns when to look again; nothing if none is being filled.
  kv::Result<base::Jobs::Next> look(store::Store& store);

 private:
  struct Seen {
    std::int64_t rows = 0;
    int looks = 0;  ///< in which it had no more rows than before
  };

  std::map<store::TableId, Seen> seen_;
};

}  // namespace dinette::cql::schema
