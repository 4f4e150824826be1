#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tablestore/model/table_meta.h"
#include "tablestore/request/context.h"
#include "tablestore/sql/budget.h"

namespace dinette::tablestore::sql {

/// What a statement has read of a table, or of an index by its name.
struct TableRead {
  std::string table;
  ReservedUnits reserved;
  std::size_t bytes = 0;
};

/// One statement with all queries in it: they see one commit, and share limits.
class Session {
 public:
  explicit Session(const Context& context) : context_(context) {}

  const Context& context() const { return context_; }
  const std::vector<TableRead>& reads() const { return reads_; }

  Answer<const store::View*> view() {
    if (!view_) {
      DINETTE_TABLESTORE_STORED(view_, context_.store.view());
    }
    return &*view_;
  }

  void add_read(std::string_view table, const ReservedUnits& reserved, std::size_t bytes) {
    const auto found = std::ranges::find(reads_, table, &TableRead::table);
    if (found != reads_.end())
      found->bytes += bytes;
    else
      reads_.push_back({std::string(table), reserved, bytes});
  }

  Budget& budget() { return budget_; }
  Answer<void> step(std::size_t count = 1) {
    budget_.spend(count);
    return budget_.check();
  }

 private:
  const Context& context_;
  std::optional<store::View> view_;
  std::vector<TableRead> reads_;
  Budget budget_;
};

}  // namespace dinette::tablestore::sql
