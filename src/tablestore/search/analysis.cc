#include "tablestore/search/analysis.h"

#include <algorithm>
#include <array>

#include "dinette/base/ascii.h"

#include "tablestore/api/limits.h"
#include "tablestore/api/messages.h"
#include "tablestore/codec/field_reader.h"

namespace dinette::tablestore::search {
namespace {

bool is_ascii(std::string_view character) {
  return static_cast<unsigned char>(character.front()) < 0x80;
}

bool is_letter_or_digit(char byte) {
  return base::is_letter(byte) || base::is_digit(byte);
}

/// Three bytes and more: where ideograms are, and their punctuation.
bool is_ideogram(std::string_view character) {
  return character.size() >= 3;
}

bool is_ideographic_punctuation(std::string_view character) {
  return character.starts_with("\xe3\x80") || character.starts_with("\xef\xbc") ||
         character.starts_with("\xe2\x80");
}

std::string lower(std::string_view text) {
  std::string lowered(text);
  std::ranges::transform(lowered, lowered.begin(), base::to_lower);
  return lowered;
}

using Spans = std::vector<Analyzer::Span>;

void add(Spans& spans, std::size_t begin, std::size_t end) {
  if (begin < end) spans.push_back({begin, end});
}

/// Returns true between a letter and a digit.
bool changes(char before, char next) {
  return (base::is_letter(before) && base::is_digit(next)) ||
         (base::is_digit(before) && base::is_letter(next));
}

Spans runs_of_letters(std::string_view text, bool splits_digits) {
  Spans words;
  std::size_t begin = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::string_view character = text.substr(at, first_character(text.substr(at)));
    const bool alone = is_ideogram(character);
    const bool continues = !alone && (!is_ascii(character) || is_letter_or_digit(character.front()));
    if (!continues) {
      add(words, begin, at);
      begin = at + character.size();
      if (alone && !is_ideographic_punctuation(character)) add(words, at, begin);
    } else if (splits_digits && at > begin && changes(text[at - 1], text[at])) {
      add(words, begin, at);
      begin = at;
    }
    at += character.size();
  }
  add(words, begin, text.size());
  return words;
}

/// An empty delimiter is any character of white space.
Spans between(std::string_view text, std::string_view delimiter) {
  constexpr std::string_view white_space = " \t\n\v\f\r";
  Spans words;
  for (std::size_t begin = 0;;) {
    const std::size_t end =
        delimiter.empty() ? text.find_first_of(white_space, begin) : text.find(delimiter, begin);
    add(words, begin, std::min(end, text.size()));
    if (end == std::string_view::npos) return words;
    begin = end + std::max<std::size_t>(delimiter.size(), 1);
  }
}

/// Returns a delimiter without the backslashes that special characters have before them, such as `\#`
/// (tablestore/search-index.md section 2). One before a letter or a digit is not known to be such.
std::string unescaped(std::string_view delimiter) {
  std::string plain;
  for (std::size_t at = 0; at < delimiter.size(); ++at) {
    const bool escapes =
        delimiter[at] == '\\' && at + 1 < delimiter.size() && !is_letter_or_digit(delimiter[at + 1]);
    if (escapes) ++at;
    plain += delimiter[at];
  }
  return plain;
}

Spans characters_of(std::string_view text) {
  Spans words;
  for (std::size_t begin = 0; begin < text.size() && words.size() < limits::fuzzy_characters;) {
    const std::size_t end = begin + first_character(text.substr(begin));
    add(words, begin, end);
    begin = end;
  }
  return words;
}

std::optional<Analyzer> delimited_by(std::string_view parameters) {
  const auto message = codec::decode_message<api::AnalyzerParameter>(parameters);
  if (!message) return std::nullopt;
  Analyzer analyzer{.kind = Analyzer::Kind::delimited};
  analyzer.case_sensitive = message->case_sensitive.value_or(false);
  analyzer.delimiter = unescaped(message->delimiter.value_or(std::string_view()));
  return analyzer;
}

std::optional<Analyzer> fuzzy_by(std::string_view parameters) {
  const auto message = codec::decode_message<api::FuzzyAnalyzerParameter>(parameters);
  if (!message) return std::nullopt;
  Analyzer analyzer{.kind = Analyzer::Kind::characters};
  analyzer.case_sensitive = message->case_sensitive.value_or(false);
  const std::int32_t least = message->min_chars.value_or(1);
  const std::int32_t most = message->max_chars.value_or(std::max(least, 7));
  constexpr auto limit = static_cast<std::int32_t>(limits::fuzzy_token_characters);
  if (least < 1 || most < least || most > limit) return std::nullopt;
  analyzer.least_characters = static_cast<std::size_t>(least);
  analyzer.most_characters = static_cast<std::size_t>(most);
  return analyzer;
}

std::optional<Analyzer> single_words_by(std::string_view parameters) {
  const auto message = codec::decode_message<api::SingleWordAnalyzerParameter>(parameters);
  if (!message) return std::nullopt;
  Analyzer analyzer;
  analyzer.case_sensitive = message->case_sensitive.value_or(false);
  analyzer.splits_digits = message->delimit_word.value_or(false);
  return analyzer;
}

}  // namespace

bool Analyzer::exists(std::string_view name) {
  constexpr std::array<std::string_view, 5> names = {"single_word", "max_word", "min_word", "split", "fuzzy"};
  return std::ranges::find(names, name) != names.end();
}

std::optional<Analyzer> Analyzer::named(std::string_view name, std::string_view parameters) {
  if (name == "split") return delimited_by(parameters);
  if (name == "fuzzy") return fuzzy_by(parameters);
  if (name == "single_word" || name.empty()) return single_words_by(parameters);
  return Analyzer();
}

std::vector<std::string> Analyzer::words_of(std::string_view text) const {
  std::vector<std::string> words;
  for (const Span& span : spans_of(text)) words.push_back(word_of(text, span));
  return words;
}

std::vector<std::string> Analyzer::tokens_of(std::string_view text) const {
  if (kind != Kind::characters) return words_of(text);
  std::vector<std::string> tokens;
  const Spans characters = characters_of(text);
  for (std::size_t first = 0; first < characters.size(); ++first) {
    const std::size_t end = std::min(most_characters, characters.size() - first);
    for (std::size_t count = least_characters; count <= end; ++count)
      tokens.push_back(word_of(text, {characters[first].begin, characters[first + count - 1].end}));
  }
  return tokens;
}

std::vector<Analyzer::Span> Analyzer::spans_of(std::string_view text) const {
  switch (kind) {
    case Kind::words:
      return runs_of_letters(text, splits_digits);
    case Kind::delimited:
      return between(text, delimiter);
    case Kind::characters:
      return characters_of(text);
  }
  return {};
}

std::string Analyzer::word_of(std::string_view text, const Span& span) const {
  const std::string_view word = text.substr(span.begin, span.end - span.begin);
  return case_sensitive ? std::string(word) : lower(word);
}

std::size_t first_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t size = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return std::min(size, text.size());
}

/// Goes back to the last `*` alone: what an earlier one takes makes no difference.
bool matches_wildcard(std::string_view text, std::string_view pattern) {
  constexpr std::size_t none = std::string_view::npos;
  std::size_t at = 0;
  std::size_t in_pattern = 0;
  std::size_t star = none;
  std::size_t after_star = 0;
  while (at < text.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      star = in_pattern++;
      after_star = at;
    } else if (in_pattern < pattern.size() && pattern[in_pattern] == '?') {
      ++in_pattern;
      at += first_character(text.substr(at));
    } else if (in_pattern < pattern.size() && pattern[in_pattern] == text[at]) {
      ++in_pattern;
      ++at;
    } else if (star != none) {
      after_star += first_character(text.substr(after_star));
      at = after_star;
      in_pattern = star + 1;
    } else {
      return false;
    }
  }
  return std::ranges::all_of(pattern.substr(in_pattern), [](char byte) { return byte == '*'; });
}

}  // namespace dinette::tablestore::search
