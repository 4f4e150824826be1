#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tablestore/api/messages.h"
#include "tablestore/request/api_error.h"
#include "tablestore/search/document.h"

/// Highlighting: the parts of texts in which a query has found words (tablestore/search-index.md section 1).
namespace dinette::tablestore::search {

/// The words that a query looks for, by the names of fields of type TEXT.
using WantedWords = std::map<std::string, std::set<std::string>, std::less<>>;

class Highlighting {
 public:
  /// The schema must outlive it.
  static Answer<Highlighting> read(const api::Highlight& message, const IndexSchema& schema,
                                   const WantedWords& wanted);

  /// Returns the fields in which there is something to be shown. Adds how long that is to `bytes`, which has
  /// a limit.
  Answer<api::HighlightResult> result(const Document& document, std::size_t& bytes) const;

 private:
  struct FieldPart {
    const Field* field = nullptr;
    std::set<std::string> words = {};
    std::size_t fragments = 0;  ///< most of them
    std::size_t size = 0;       ///< of a fragment, in bytes
    std::string before = {};
    std::string after = {};
    bool by_score = false;
  };

  /// A part of a text in which words were found.
  struct Fragment {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::vector<Analyzer::Span> found = {};
  };

  static std::vector<Fragment> fragments_of(const FieldPart& part, std::string_view text);
  std::string shown(const FieldPart& part, const Fragment& fragment, std::string_view text) const;
  std::string escaped(std::string_view text) const;

  std::vector<FieldPart> parts_;
  bool is_html_ = false;
};

}  // namespace dinette::tablestore::search
