#include "tablestore/search/found_words.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"

namespace dinette::tablestore::search {
namespace {

std::size_t at_most(const std::optional<std::int32_t>& given, std::size_t usual, std::size_t most) {
  return given && *given > 0 ? std::min(static_cast<std::size_t>(*given), most) : usual;
}

}  // namespace

Answer<Highlighting> Highlighting::read(const api::Highlight& message, const IndexSchema& schema,
                                        const WantedWords& wanted) {
  constexpr std::size_t usual_fragments = 3;
  constexpr std::size_t usual_size = 100;
  if (message.highlight_parameters.size() > limits::search_fields)
    return refuse::too_many_highlighted_fields(limits::search_fields);
  Highlighting highlighting;
  highlighting.is_html_ = message.highlight_encoder == api::HighlightEncoder::html_mode;
  for (const api::HighlightParameter& one : message.highlight_parameters) {
    DINETTE_TRY(const Field* const field, schema.find_indexed(one.field_name.value_or(std::string_view())));
    // Clients have fragments by the name of their field.
    std::erase_if(highlighting.parts_, [&](const FieldPart& other) { return other.field == field; });
    FieldPart part{.field = field};
    // A field without highlighting has no fragments (tablestore/search-index.md section 2).
    if (const auto words = wanted.find(field->name); field->highlighted && words != wanted.end())
      part.words = words->second;
    part.fragments = at_most(one.number_of_fragments, usual_fragments, limits::highlight_fragments);
    part.size = at_most(one.fragment_size, usual_size, limits::highlight_fragment_bytes);
    part.before = one.pre_tag.value_or("<em>");
    part.after = one.post_tag.value_or("</em>");
    // A tag is written around each word (docs/differences.md).
    if (std::max(part.before.size(), part.after.size()) > limits::highlight_tag_bytes)
      return refuse::highlight_tag_too_long(limits::highlight_tag_bytes);
    part.by_score = one.fragments_order == api::FragmentsOrder::score;
    highlighting.parts_.push_back(std::move(part));
  }
  return highlighting;
}

Answer<api::HighlightResult> Highlighting::result(const Document& document, std::size_t& bytes) const {
  api::HighlightResult result;
  for (const FieldPart& part : parts_) {
    api::HighlightField field{.field_name = part.field->name};
    for (const FieldValue& value : document.values_of(part.field->name)) {
      const auto* const text = std::get_if<std::string>(&value);
      if (text == nullptr) continue;
      for (const Fragment& fragment : fragments_of(part, *text)) {
        if (field.field_fragments.size() == part.fragments) break;
        bytes += field.field_fragments.emplace_back(shown(part, fragment, *text)).size();
        if (bytes > limits::highlight_reply_bytes)
          return refuse::highlighted_too_much(limits::highlight_reply_bytes);
      }
    }
    if (!field.field_fragments.empty()) result.highlight_fields.push_back(std::move(field));
  }
  return result;
}

/// A fragment ends before the word that it has no room for.
std::vector<Highlighting::Fragment> Highlighting::fragments_of(const FieldPart& part, std::string_view text) {
  std::vector<Fragment> fragments(1);
  const auto end_last = [&](std::size_t end) {
    fragments.back().end = end;
    if (fragments.back().found.empty()) fragments.pop_back();
  };
  for (const Analyzer::Span& word : part.field->analyzer.spans_of(text)) {
    const std::size_t begin = fragments.back().begin;
    if (word.end - begin > part.size && word.begin > begin) {
      end_last(word.begin);
      if (!part.by_score && fragments.size() == part.fragments) return fragments;
      fragments.push_back({.begin = word.begin});
    }
    if (part.words.contains(part.field->analyzer.word_of(text, word))) fragments.back().found.push_back(word);
  }
  end_last(text.size());
  const auto found = [](const Fragment& fragment) { return fragment.found.size(); };
  if (part.by_score) std::ranges::stable_sort(fragments, std::greater<>(), found);
  return fragments;
}

std::string Highlighting::shown(const FieldPart& part, const Fragment& fragment,
                                std::string_view text) const {
  std::string all;
  std::size_t at = fragment.begin;
  for (const Analyzer::Span& word : fragment.found) {
    all += escaped(text.substr(at, word.begin - at)) + part.before;
    all += escaped(text.substr(word.begin, word.end - word.begin)) + part.after;
    at = word.end;
  }
  return all + escaped(text.substr(at, fragment.end - at));
}

std::string Highlighting::escaped(std::string_view text) const {
  if (!is_html_) return std::string(text);
  std::string html;
  for (const char c : text) {
    if (c == '<')
      html += "&lt;";
    else if (c == '>')
      html += "&gt;";
    else if (c == '&')
      html += "&amp;";
    else if (c == '"')
      html += "&quot;";
    else
      html += c;
  }
  return html;
}

}  // namespace dinette::tablestore::search
