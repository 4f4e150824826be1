#pragma once

#include <cstddef>

namespace dinette::test {

/// The allocation by operator new that fails on this thread: the first from now on is 1. 0: none. A program
/// that links failing_new.cc has an operator new of that kind.
extern thread_local int failing_allocation;

/// How many bytes have been asked for on this thread.
extern thread_local std::size_t allocated_bytes;

/// How many bytes this thread has and how many it had at most, since a test set both to 0.
extern thread_local std::ptrdiff_t held_bytes;
extern thread_local std::ptrdiff_t most_held_bytes;

}  // namespace dinette::test
