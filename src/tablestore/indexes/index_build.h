#pragma once

#include <cstdint>
#include <string>

#include "dinette/base/jobs.h"
#include "dinette/store/catalog.h"
#include "dinette/store/store.h"

#include "tablestore/request/api_error.h"

namespace dinette::tablestore {

/// Gives all rows of a table their entries in an index that is being built, some at a time, and then has it
/// read. Rows that are written meanwhile get theirs by themselves. A build that ends early may be begun
/// again.
class IndexBuild {
 public:
  /// `store` must outlive this.
  IndexBuild(store::Store& store, const store::Table& table, std::uint32_t index_id)
      : store_(store), name_(table.name), table_(table.id), index_(index_id) {}

  /// Does a few milliseconds' worth. Returns false once the index can be read, or if it is gone.
  kv::Result<bool> step();

 private:
  bool is_building(const store::Table& table) const;
  kv::Result<void> finish(const store::Table& table);

  store::Store& store_;
  const std::string name_;
  const store::TableId table_;
  const std::uint32_t index_;
  std::string last_row_;  ///< rows up to this one have their entries
};

/// Builds an index while the request waits.
Answer<void> build_index(store::Store& store, const store::Table& table, std::uint32_t index_id);

/// Has a job build those indexes of a table whose building has been interrupted.
void build_indexes_later(store::Store& store, base::Jobs& jobs, const store::Table& table);

}  // namespace dinette::tablestore
