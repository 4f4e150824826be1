#pragma once

#include <memory>

#include "dinette/kv/engine.h"

namespace dinette::kv {

/// The engine that keeps everything in memory, and loses it with the process. Never blocks. Snapshots, forks
/// and resets take constant time and memory; a write pays for what it changes only. A write that runs out of
/// memory ends the process, since half a batch must not be seen.
///
/// Memory goes back as soon as nothing sees it: a few entries on the spot, a whole table on a thread of the
/// engine's own, which exists only while it has something to free.
std::unique_ptr<Engine> make_memory_engine();

}  // namespace dinette::kv
