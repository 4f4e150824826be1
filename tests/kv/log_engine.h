#pragma once

#include <filesystem>
#include <memory>

#include "dinette/kv/engine.h"

/// The memory engine with a log in front of it: what the durable part of the contract suite is tried on.
/// Every commit is appended to one file before it becomes visible, and the file is read again when the engine
/// is opened; it never shrinks. A commit has left the process when it is acknowledged, so the death of the
/// process loses nothing; the machine's may.
namespace dinette::test {

/// Opens the engine whose log is in `folder`, or an empty one if there is none. A torn end of the log is cut
/// off.
std::unique_ptr<kv::Engine> open_log_engine(const std::filesystem::path& folder);

/// An empty engine whose log goes with it.
std::unique_ptr<kv::Engine> make_log_engine();

std::filesystem::path log_engine_file(const std::filesystem::path& folder);

}  // namespace dinette::test
