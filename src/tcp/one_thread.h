#pragma once

namespace dinette::tcp {

/// Asio's concurrency hint: one thread runs the context.
inline constexpr int one_thread = 1;

}  // namespace dinette::tcp
