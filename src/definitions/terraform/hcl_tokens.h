#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"

namespace dinette::definitions::hcl {

/// Limits of a configuration, so that no file can exhaust memory or the stack.
inline constexpr std::size_t most_bytes = 4 << 20;
inline constexpr std::size_t most_tokens = 500'000;
inline constexpr int deepest = 100;  ///< of blocks, and of values in values

enum class TokenKind { identifier, number, quoted, heredoc, indented_heredoc, symbol, newline };

/// A token of HCL. `text` is part of the source: of a quoted text what is between the quotes, of a heredoc
/// its lines; templates and escapes in them are as they are written.
struct Token {
  TokenKind kind;
  std::string_view text;
  unsigned line;

  bool is(std::string_view symbol) const { return kind == TokenKind::symbol && text == symbol; }
};

/// Why a configuration is none.
struct SyntaxError {
  unsigned line = 0;
  std::string reason;  ///< part of a sentence
};

/// Returns the tokens without comments. Lines are counted from `line`. `source` must outlive them.
base::Result<std::vector<Token>, SyntaxError> tokens_of(std::string_view source, unsigned line = 1);

/// Returns the position after the `}` that ends a template's `${`, of which `at` is the position after the
/// opening brace; npos if there is none.
std::size_t end_of_interpolation(std::string_view source, std::size_t at);

}  // namespace dinette::definitions::hcl
