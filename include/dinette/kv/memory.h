#pragma once

#include <memory>

#include "dinette/kv/engine.h"

namespace dinette::kv {

/// Returns an engine that keeps everything in memory and loses it with the process. Never blocks. Snapshots,
/// forks and resets take constant time and memory; the cost of a write depends on what it changes. A write
/// that runs out of memory ends the process, because no reader may see half a batch.
///
/// Memory is freed as soon as nothing refers to it: a few entries at once, a whole table on a thread of the
/// engine, which exists only while there is something to free.
std::unique_ptr<Engine> make_memory_engine();

}  // namespace dinette::kv
