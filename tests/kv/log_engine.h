#pragma once

#include <filesystem>
#include <memory>

#include "dinette/kv/engine.h"

/// The memory engine with a log, to try the durable part of the contract suite on. Every commit is appended
/// to one file before it becomes visible, and the file is read when the engine is opened; it never shrinks.
/// An acknowledged commit has left the process, so the death of the process loses nothing; a crash of the
/// machine may.
namespace dinette::test {

/// Opens the engine whose log is in `folder`, or an empty one if there is none. A torn end of the log is cut
/// off.
std::unique_ptr<kv::Engine> open_log_engine(const std::filesystem::path& folder);

/// Returns an empty engine that removes its log at its end.
std::unique_ptr<kv::Engine> make_log_engine();

std::filesystem::path log_engine_file(const std::filesystem::path& folder);

}  // namespace dinette::test
