#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
  std::string delimiter = {};  ///< empty: white space
  bool case_sensitive = false;
  bool splits_digits = false;        ///< Kind::words: letters and digits next to each other are two words
  std::size_t least_characters = 1;  ///< Kind::characters: of what queries of single words find
  std::size_t most_characters = 7;

  /// Returns true if there is an analyzer of that name.
  static bool exists(std::string_view name);
  /// Returns the analyzer of that name with its parameters, a message of a kind that the name says. Those
  /// that divide Chinese by a dictionary are as single_word. Fails if the parameters are not valid.
  static std::optional<Analyzer> named(std::string_view name, std::string_view parameters);

  /// Where a word is in a text.
  struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  /// Returns the words of a text that follow each other, in lower case as far as ASCII goes.
  std::vector<std::string> words_of(std::string_view text) const;
  /// Returns what queries of single words find: the same, but of Kind::characters all that so many of them
  /// make.
  std::vector<std::string> tokens_of(std::string_view text) const;
  /// Returns where the words are.
  std::vector<Span> spans_of(std::string_view text) const;
  /// Returns the word of a span.
  std::string word_of(std::string_view text, const Span& span) const;
};

/// Returns the length of the character that `text` begins with; 1 for what is not UTF-8. `text` must not be
/// empty.
std::size_t first_character(std::string_view text);

/// Returns true if a text matches a pattern, in which `*` is any number of characters and `?` is one.
bool matches_wildcard(std::string_view text, std::string_view pattern);

}  // namespace dinette::tablestore::search
