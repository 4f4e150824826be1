#pragma once

#include "dinette/kv/write_batch.h"

namespace dinette::kv::memory {

/// Memory reserved for commits, because a commit that has begun cannot stop half way. If operator new finds
/// no memory on a thread that is committing, it gets a block of the reserve. There is one reserve per
/// process. It is filled before a commit begins, so a commit that fails for want of it leaves nothing behind.
class CommitReserve {
 public:
  /// Reserves memory for the commit of `batch` on this thread, which must end before this object does. Throws
  /// std::bad_alloc if the reserve is empty and there is no memory to fill it. A batch that puts nothing is
  /// nevertheless admitted, because it may free memory.
  explicit CommitReserve(const WriteBatch& batch);
  ~CommitReserve();
  CommitReserve(const CommitReserve&) = delete;
  CommitReserve& operator=(const CommitReserve&) = delete;
};

}  // namespace dinette::kv::memory
