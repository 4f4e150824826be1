#pragma once

#include <memory>

#include "dinette/kv/engine.h"

namespace dinette::kv::memory {

/// A memory engine that follows another engine, which decides what is committed and as which number.
class NumberedEngine : public Engine {
 public:
  /// Applies the whole batch as commit `number`, greater than those before it; 0 if the batch has no writes
  /// in commit order. The batch keeps the limits of engine.h.
  virtual void write_numbered(const WriteBatch& batch, CommitNumber number) = 0;
  /// Returns what fork() returns.
  virtual std::unique_ptr<NumberedEngine> fork_numbered() const = 0;
};

std::unique_ptr<NumberedEngine> make_numbered_engine();

}  // namespace dinette::kv::memory
