#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dinette::tablestore::search {

/// How the text of a TEXT field becomes the words that queries find.
struct Analyzer {
  enum class Kind : std::uint8_t {
    words,       ///< runs of letters and digits; each ideogram is a word
    delimited,   ///< what is between delimiters
    characters,  ///< each character is a word
  };

  Kind kind = Kind::words;
  std::string delimiter = " ";

  /// Returns the analyzer of that name. Those that divide Chinese by a dictionary are as single_word.
  static Analyzer named(std::string_view name, std::string_view delimiter);

  /// Where a word is in a text.
  struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  /// Returns the words of a text in their order, in lower case as far as ASCII goes.
  std::vector<std::string> words_of(std::string_view text) const;
  /// Returns where these are.
  std::vector<Span> spans_of(std::string_view text) const;
  /// Returns the word of a span.
  static std::string word_of(std::string_view text, const Span& span);
};

/// Returns the length of the character that `text` begins with; 1 for what is not UTF-8. `text` must not be
/// empty.
std::size_t first_character(std::string_view text);

/// Returns true if a text matches a pattern, in which `*` is any number of characters and `?` is one.
bool matches_wildcard(std::string_view text, std::string_view pattern);

}  // namespace dinette::tablestore::search
