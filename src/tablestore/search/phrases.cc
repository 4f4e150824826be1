#include "tablestore/search/phrases.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace dinette::tablestore::search {

Phrase::Phrase(std::vector<std::string> words) : words_(std::move(words)), borders_(words_.size(), 0) {
  std::size_t matched = 0;
  for (std::size_t i = 1; i < words_.size(); ++i) borders_[i] = matched = extended(matched, words_[i]);
}

std::size_t Phrase::count_in(const std::vector<std::string>& text, std::size_t most) const {
  std::size_t count = 0;
  if (words_.empty()) return count;
  std::size_t matched = 0;
  for (const std::string& word : text) {
    matched = extended(matched, word);
    if (matched < words_.size()) continue;
    if (++count == most) return count;
    matched = borders_[matched - 1];
  }
  return count;
}

/// Returns how many words of the phrase are matched with the next one, where `matched` were before it.
std::size_t Phrase::extended(std::size_t matched, const std::string& next) const {
  while (matched > 0 && words_[matched] != next) matched = borders_[matched - 1];
  return words_[matched] == next ? matched + 1 : 0;
}

SloppyPhrase::SloppyPhrase(const std::vector<std::string>& words, std::int32_t slop)
    : size_(static_cast<std::int64_t>(words.size())), slop_(slop) {
  for (std::size_t i = 0; i < words.size(); ++i) places_[words[i]].push_back(static_cast<std::int64_t>(i));
}

bool SloppyPhrase::is_in(const std::vector<std::string>& text) const {
  Found found;
  if (!find_words(text, found)) return false;
  // By some of its words the phrase may begin before the text.
  for (std::int64_t begin = -size_; begin < static_cast<std::int64_t>(text.size()); ++begin) {
    Moved moved;
    if (moved_from(begin, found, moved)) return true;
  }
  return false;
}

double SloppyPhrase::frequency_in(const std::vector<std::string>& text) const {
  Found found;
  if (!find_words(text, found)) return 0;
  double frequency = 0;
  std::int64_t end = 0;
  std::optional<std::int64_t> before;  // by how many positions the last one is moved
  const auto add = [&] { frequency += before ? 1 / (1 + static_cast<double>(*before)) : 0; };
  for (std::int64_t begin = -size_; begin < static_cast<std::int64_t>(text.size()); ++begin) {
    Moved moved;
    // Where no word is at its place, a later beginning is the better one.
    if (!moved_from(begin, found, moved) || moved.least > 0) continue;
    if (before && begin + moved.most != end) add();
    before = moved.most;
    end = begin + moved.most;
  }
  add();
  return frequency;
}

/// Finds where the words of the phrase are. Returns false if one of them is missing.
bool SloppyPhrase::find_words(const std::vector<std::string>& text, Found& found) const {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (places_.contains(text[i])) found[text[i]].push_back(static_cast<std::int64_t>(i));
  return !places_.empty() && found.size() == places_.size();
}

bool SloppyPhrase::moved_from(std::int64_t begin, const Found& found, Moved& moved) const {
  return std::ranges::all_of(
      places_, [&](const auto& word) { return fit(word.second, found.at(word.first), begin, moved); });
}

/// Returns true if each of the places of a word in the phrase has a position in the text of its own. The
/// earliest one that is free is the best one, as all may be moved equally far.
bool SloppyPhrase::fit(const Places& places, const Places& positions, std::int64_t begin,
                       Moved& moved) const {
  auto next = positions.begin();
  for (const std::int64_t place : places) {
    next = std::lower_bound(next, positions.end(), begin + place);
    if (next == positions.end() || *next > begin + place + slop_) return false;
    moved.least = std::min(moved.least, *next - begin - place);
    moved.most = std::max(moved.most, *next - begin - place);
    ++next;
  }
  return true;
}

}  // namespace dinette::tablestore::search
