#include "tablestore/search/found_words.h"

#include <algorithm>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"

namespace dinette::tablestore::search {
namespace {

/// What a fragment becomes, and how many words were found in it.
struct Fragment {
  std::string text;
  std::size_t found = 0;
};

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
    FieldPart part{.field = field};
    // A field without highlighting has no fragments (tablestore/search-index.md section 2).
    if (const auto words = wanted.find(field->name); field->highlighted && words != wanted.end())
      part.words = words->second;
    part.fragments = at_most(one.number_of_fragments, usual_fragments, limits::highlight_fragments);
    part.size = at_most(one.fragment_size, usual_size, limits::highlight_fragment_bytes);
    part.before = one.pre_tag.value_or("<em>");
    part.after = one.post_tag.value_or("</em>");
    part.by_score = one.fragments_order == api::FragmentsOrder::score;
    highlighting.parts_.push_back(std::move(part));
  }
  return highlighting;
}

api::HighlightResult Highlighting::result(const Document& document) const {
  api::HighlightResult result;
  for (const FieldPart& part : parts_) {
    api::HighlightField field{.field_name = part.field->name};
    for (const FieldValue& value : document.values_of(part.field->name)) {
      const auto* const text = std::get_if<std::string>(&value);
      if (text == nullptr || field.field_fragments.size() >= part.fragments) continue;
      for (std::string& fragment : fragments_of(part, *text))
        if (field.field_fragments.size() < part.fragments)
          field.field_fragments.push_back(std::move(fragment));
    }
    if (!field.field_fragments.empty()) result.highlight_fields.push_back(std::move(field));
  }
  return result;
}

/// A fragment ends before the word that it has no room for.
std::vector<std::string> Highlighting::fragments_of(const FieldPart& part, std::string_view text) const {
  std::vector<Fragment> fragments(1);
  std::size_t begin = 0;  // of the fragment
  std::size_t at = 0;
  for (const Analyzer::Span& word : part.field->analyzer.spans_of(text)) {
    if (word.end - begin > part.size && word.begin > begin) {
      fragments.back().text += escaped(text.substr(at, word.begin - at));
      fragments.emplace_back();
      begin = at = word.begin;
    }
    if (!part.words.contains(part.field->analyzer.word_of(text, word))) continue;
    Fragment& fragment = fragments.back();
    fragment.text += escaped(text.substr(at, word.begin - at)) + part.before +
                     escaped(text.substr(word.begin, word.end - word.begin)) + part.after;
    ++fragment.found;
    at = word.end;
  }
  fragments.back().text += escaped(text.substr(at));
  std::erase_if(fragments, [](const Fragment& fragment) { return fragment.found == 0; });
  if (part.by_score) std::ranges::stable_sort(fragments, std::greater<>(), &Fragment::found);
  std::vector<std::string> texts;
  for (Fragment& fragment : fragments) texts.push_back(std::move(fragment.text));
  return texts;
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
