#pragma once

#include <functional>

#include <sys/socket.h>

namespace dinette::test {

/// Asked by every bind() of this process in a program that links refused_binds.cc: returns the errno that it
/// fails with, or 0. Empty: none fails. Must not change while other threads bind.
extern std::function<int(const sockaddr& address)> refuse_bind;

}  // namespace dinette::test
