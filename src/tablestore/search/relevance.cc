#include "tablestore/search/relevance.h"

#include <bit>
#include <cmath>

namespace dinette::tablestore::search {
namespace {

/// Returns a length as the one byte of an index keeps it: beyond 24 four binary digits of what is more.
std::uint64_t kept_length(std::uint64_t length) {
  constexpr std::uint64_t exact = 24;
  constexpr int digits = 4;
  if (length < exact) return length;
  const std::uint64_t more = length - exact;
  const int lost = std::bit_width(more) - digits;
  return exact + (lost > 0 ? more >> lost << lost : more);
}

}  // namespace

std::size_t FieldWords::number_of(const std::string& word) {
  const auto [place, is_new] = numbers_.try_emplace(word, counted_.size());
  if (is_new) counted_.emplace_back();
  return place->second;
}

std::vector<std::string> FieldWords::words_of(const FieldValue& value) const {
  switch (kind_) {
    case Kind::tokens:
      return field_.analyzer.tokens_of(text_of(value));
    case Kind::sequence:
      return field_.analyzer.words_of(text_of(value));
    case Kind::values:
      return {text_of(value)};
  }
  return {};
}

void FieldWords::look_at(const Document& document) {
  const std::uint64_t place = documents_ + 1;
  std::uint64_t length = 0;
  for (const FieldValue& value : document.values_of(field_.name)) {
    for (const std::string& word : words_of(value)) {
      ++length;
      const auto wanted = numbers_.find(word);
      if (wanted == numbers_.end()) continue;
      Counted& counted = counted_[wanted->second];
      if (counted.last != place) ++counted.documents;
      counted.last = place;
    }
  }
  if (length == 0) return;
  ++documents_;
  length_ += length;
}

double FieldWords::rarity(std::size_t number) const {
  const auto having = static_cast<double>(counted_[number].documents);
  return std::log(1 + (static_cast<double>(documents_) - having + 0.5) / (having + 0.5));
}

double FieldWords::saturation(double frequency, std::size_t length) const {
  constexpr double k1 = 1.2;
  constexpr double b = 0.75;
  if (kind_ == Kind::values) return 1 / (1 + k1);
  if (length_ == 0) return 0;
  const double average = static_cast<double>(length_) / static_cast<double>(documents_);
  const double relative = static_cast<double>(kept_length(length)) / average;
  return frequency / (frequency + k1 * (1 - b + b * relative));
}

std::shared_ptr<FieldWords> Relevance::of(const Field& field, FieldWords::Kind kind) {
  auto& words = fields_[{&field, kind}];
  if (!words) words = std::make_shared<FieldWords>(field, kind);
  return words;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as fields may be inside others
void Relevance::look_at(const Document& document) {
  for (const auto& [key, words] : fields_) words->look_at(document);
  for (const auto& [path, documents] : document.nested)
    for (const Document& inner : documents) look_at(inner);
}

WordsScore::WordsScore(std::shared_ptr<FieldWords> field, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const auto [place, is_new] = places_.try_emplace(word, wanted_.size());
    if (is_new) wanted_.push_back({.number = field->number_of(word)});
    ++wanted_[place->second].times;
  }
  field_ = std::move(field);
}

/// Adds up in the order of the query, so that texts of the same words have the same score.
double WordsScore::of(const Document& document) const {
  std::map<std::size_t, double> frequencies;
  std::size_t length = 0;
  for (const FieldValue& value : document.values_of(field_->field().name)) {
    for (const std::string& word : field_->words_of(value)) {
      ++length;
      if (const auto place = places_.find(word); place != places_.end()) ++frequencies[place->second];
    }
  }
  double sum = 0;
  for (const auto& [place, frequency] : frequencies)
    sum +=
        wanted_[place].times * field_->rarity(wanted_[place].number) * field_->saturation(frequency, length);
  return sum;
}

PhraseScore::PhraseScore(std::shared_ptr<FieldWords> field, const std::vector<std::string>& words) {
  for (const std::string& word : words) numbers_.push_back(field->number_of(word));
  field_ = std::move(field);
}

double PhraseScore::of(double frequency, std::size_t length) const {
  double rarity = 0;
  for (const std::size_t number : numbers_) rarity += field_->rarity(number);
  return rarity * field_->saturation(frequency, length);
}

}  // namespace dinette::tablestore::search
