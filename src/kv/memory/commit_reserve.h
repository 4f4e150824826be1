#pragma once

#include "dinette/kv/write_batch.h"

namespace dinette::kv::memory {

/// Memory that is put aside for commits: one that has begun cannot stop half way. Where operator new finds no
/// memory on a thread that is committing, it gets a block of this. One reserve for the process, as its memory
/// is one. It is filled before a commit begins, so what fails for want of it leaves nothing behind.
class CommitReserve {
 public:
  /// For the commit of `batch` on this thread, which is over when this ends. Throws std::bad_alloc if there
  /// is no reserve left and no memory for one; but what puts nothing may give memory back, and is let
  /// through.
  explicit CommitReserve(const WriteBatch& batch);
  ~CommitReserve();
  CommitReserve(const CommitReserve&) = delete;
  CommitReserve& operator=(const CommitReserve&) = delete;
};

}  // namespace dinette::kv::memory
