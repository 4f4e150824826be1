#pragma once

#include <cstddef>

namespace dinette::test {

/// The allocation by operator new that fails on this thread: the first from now on is 1. 0: none. A program
/// that links failing_new.cc has an operator new of that kind.
extern thread_local int failing_allocation;

/// How many bytes have been asked for on this thread.
extern thread_local std::size_t allocated_bytes;

}  // namespace dinette::test
