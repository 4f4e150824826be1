#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tablestore/search/document.h"
#include "tablestore/search/index_schema.h"

/// How relevant words of a query are in a document: BM25 as Lucene has it (tablestore/search-index.md section
/// 5). It depends on all documents, which must have been looked at, each once, before scores are asked for.
namespace dinette::tablestore::search {

/// How many documents have some words in one of their fields.
class FieldWords {
 public:
  enum class Kind : std::uint8_t {
    tokens,    ///< of a text: what queries of single words find
    sequence,  ///< of a text: the words that follow each other
    values,    ///< whole values, of which neither number nor length counts
  };

  /// The field must outlive it.
  FieldWords(const Field& field, Kind kind) : field_(field), kind_(kind) {}

  const Field& field() const { return field_; }
  /// Makes a word one that is counted. Returns its number.
  std::size_t number_of(const std::string& word);
  /// Returns the words of a value.
  std::vector<std::string> words_of(const FieldValue& value) const;
  void look_at(const Document& document);

  /// Returns how much a word says: the more, the fewer documents have it.
  double rarity(std::size_t number) const;
  /// Returns how much it says, up to 1, that something is in a document so often. `length`: all of the words
  /// that its field has there.
  double saturation(double frequency, std::size_t length) const;

 private:
  struct Counted {
    std::uint64_t documents = 0;  ///< that have it
    std::uint64_t last = 0;       ///< of these, by their place
  };

  const Field& field_;
  Kind kind_;
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<Counted> counted_;
  std::uint64_t documents_ = 0;  ///< that have any word
  std::uint64_t length_ = 0;     ///< of all of these
};

/// The words that count in a query, of all fields.
class Relevance {
 public:
  bool empty() const { return fields_.empty(); }
  std::shared_ptr<FieldWords> of(const Field& field, FieldWords::Kind kind);
  /// Looks at a document and at those inside it, which count as documents of their own.
  void look_at(const Document& document);

 private:
  std::map<std::pair<const Field*, FieldWords::Kind>, std::shared_ptr<FieldWords>> fields_;
};

/// How relevant words are, in any order. One that is given several times counts as often.
class WordsScore {
 public:
  WordsScore(std::shared_ptr<FieldWords> field, const std::vector<std::string>& words);

  double of(const Document& document) const;

 private:
  struct Wanted {
    std::size_t number = 0;
    double times = 0;
  };

  std::shared_ptr<const FieldWords> field_;
  std::unordered_map<std::string, std::size_t> places_;  ///< in `wanted_`
  std::vector<Wanted> wanted_;
};

/// How relevant a phrase is: as much as all of its words together.
class PhraseScore {
 public:
  PhraseScore(std::shared_ptr<FieldWords> field, const std::vector<std::string>& words);

  double of(double frequency, std::size_t length) const;

 private:
  std::shared_ptr<const FieldWords> field_;
  std::vector<std::size_t> numbers_;
};

}  // namespace dinette::tablestore::search
