#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dinette::tablestore::search {

/// Words that are looked for one after the other, by the method of Knuth, Morris and Pratt: the time does not
/// depend on how often a text has the beginning of the phrase.
class Phrase {
 public:
  explicit Phrase(std::vector<std::string> words);

  bool is_in(const std::vector<std::string>& text) const { return count_in(text, 1) > 0; }
  /// Returns how often the phrase is in a text; it may share words with itself.
  double frequency_in(const std::vector<std::string>& text) const {
    return static_cast<double>(count_in(text, std::numeric_limits<std::size_t>::max()));
  }

 private:
  std::size_t count_in(const std::vector<std::string>& text, std::size_t most) const;
  std::size_t extended(std::size_t matched, const std::string& next) const;

  std::vector<std::string> words_;
  std::vector<std::size_t> borders_;  ///< how long a beginning each beginning ends with, other than itself
};

/// Words that may be apart: a slop is by how many positions they may be moved in all, as Lucene counts, which
/// is how far apart the places are at which the phrase would begin by each of its words.
class SloppyPhrase {
 public:
  SloppyPhrase(const std::vector<std::string>& words, std::int32_t slop);

  bool is_in(const std::vector<std::string>& text) const;
  /// Returns how often the phrase is in a text, where words that are moved count less: 1 / (1 + by how many
  /// positions). Of all that end at the same word, the one that is moved least counts.
  double frequency_in(const std::vector<std::string>& text) const;

 private:
  using Places = std::vector<std::int64_t>;
  using Found = std::unordered_map<std::string_view, Places>;

  /// By how many positions words are moved from where they were if the phrase began at a place.
  struct Moved {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = 0;
  };

  bool find_words(const std::vector<std::string>& text, Found& found) const;
  bool moved_from(std::int64_t begin, const Found& found, Moved& moved) const;
  bool fit(const Places& places, const Places& positions, std::int64_t begin, Moved& moved) const;

  std::map<std::string, Places, std::less<>> places_;  ///< in the phrase, by word
  std::int64_t size_;
  std::int64_t slop_;
};

}  // namespace dinette::tablestore::search
