#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "dinette/base/ascii.h"

#include "tablestore/api/limits.h"
#include "tablestore/sql/functions.h"

namespace dinette::tablestore::sql {
namespace {

using Json = nlohmann::json;
using std::string;
using std::string_view;

/// MySQL has documents that are as deep.
constexpr std::size_t most_json_depth = 100;

bool is_too_deep(string_view text) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (depth > most_json_depth) return true;
  }
  return false;
}

std::optional<Json> read_json(string_view text) {
  if (is_too_deep(text)) return std::nullopt;
  Json document = Json::parse(text, nullptr, false);
  return document.is_discarded() ? std::nullopt : std::optional(std::move(document));
}

/// Writes a document as MySQL shows one: a blank after commas and colons, short names first.
// NOLINTNEXTLINE(misc-no-recursion): as deep as read_json() lets it be
void append_json(string& out, const Json& value) {
  if (value.is_object()) {
    std::vector<string> sorted;
    for (auto one = value.begin(); one != value.end(); ++one) sorted.push_back(one.key());
    std::ranges::sort(sorted, [](const string& a, const string& b) {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    out += '{';
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      out += i == 0 ? "" : ", ";
      out += Json(sorted[i]).dump() + ": ";
      append_json(out, value.at(sorted[i]));
    }
    out += '}';
  } else if (value.is_array()) {
    out += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      out += i == 0 ? "" : ", ";
      append_json(out, value[i]);
    }
    out += ']';
  } else {
    out += value.dump();
  }
}

/// One step of a path.
struct Step {
  std::optional<string> name = {};
  std::optional<std::size_t> index = {};
  bool of_array = false;  ///< all elements; else, without a name, all members
};

/// Reads `$.name."other name"[3].*[*]`. Returns nothing for other texts.
class PathReader {
 public:
  explicit PathReader(string_view text) : rest_(text) {}

  std::optional<std::vector<Step>> read() {
    skip();
    if (!take('$')) return std::nullopt;
    std::vector<Step> steps;
    for (skip(); !rest_.empty(); skip()) {
      auto step = take('.') ? member() : take('[') ? element() : std::nullopt;
      if (!step) return std::nullopt;
      steps.push_back(*std::move(step));
    }
    return steps;
  }

 private:
  void skip() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  bool take(char sign) {
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::optional<Step> member() {
    skip();
    if (take('*')) return Step{};
    if (rest_.starts_with('"')) return quoted_member();
    const auto is_part = [](char c) {
      return base::is_word_character(c) || c == '$' || static_cast<unsigned char>(c) >= 0x80U;
    };
    const auto size = static_cast<std::size_t>(std::ranges::find_if_not(rest_, is_part) - rest_.begin());
    if (size == 0) return std::nullopt;
    Step step{.name = string(rest_.substr(0, size))};
    rest_.remove_prefix(size);
    return step;
  }

  std::optional<Step> quoted_member() {
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2 : 1;
    if (end >= rest_.size()) return std::nullopt;
    const Json name = Json::parse(rest_.substr(0, end + 1), nullptr, false);
    rest_.remove_prefix(end + 1);
    return name.is_string() ? std::optional(Step{.name = name.get<string>()}) : std::nullopt;
  }

  std::optional<Step> element() {
    skip();
    Step step{.of_array = true};
    if (!take('*')) {
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), index);
      if (error != std::errc()) return std::nullopt;
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      step.index = index;
    }
    skip();
    return take(']') ? std::optional(std::move(step)) : std::nullopt;
  }

  string_view rest_;
};

/// Appends what a step finds in a value. A value that is no array is one of itself.
void follow(const Step& step, const Json& value, std::vector<const Json*>& found) {
  if (step.name) {
    const auto member = value.is_object() ? value.find(*step.name) : value.end();
    if (value.is_object() && member != value.end()) found.push_back(&*member);
  } else if (step.index) {
    if (!value.is_array() && *step.index == 0) found.push_back(&value);
    if (value.is_array() && *step.index < value.size()) found.push_back(&value[*step.index]);
  } else if (step.of_array ? value.is_array() : value.is_object()) {
    for (const Json& one : value) found.push_back(&one);
  }
}

/// A step such as `[0]` may find as much as the one before it: each is work.
std::vector<const Json*> find_all(const Json& document, const std::vector<Step>& steps,
                                  const Environment& environment) {
  constexpr std::size_t found_of_step = 32;
  std::vector<const Json*> found{&document};
  for (const Step& step : steps) {
    if (environment.budget != nullptr) {
      environment.budget->spend(found.size() / found_of_step);
      if (environment.budget->is_spent()) return {};
    }
    std::vector<const Json*> next;
    for (const Json* const one : found) follow(step, *one, next);
    found = std::move(next);
  }
  return found;
}

/// One path without `*` finds a value; more, or one with it, an array of what they find.
SqlValue json_extract(Arguments arguments, const Environment& environment) {
  const auto document = read_json(text_of(arguments[0]));
  if (!document) return {};
  std::vector<const Json*> found;
  bool is_list = arguments.size() > 2;
  for (const SqlValue& path : arguments.subspan(1)) {
    const string written = text_of(path);
    const auto steps =
        written.size() <= limits::sql_pattern_bytes ? PathReader(written).read() : std::nullopt;
    if (!steps) return {};
    is_list |= std::ranges::any_of(*steps, [](const Step& step) { return !step.name && !step.index; });
    const auto more = find_all(*document, *steps, environment);
    found.insert(found.end(), more.begin(), more.end());
    if (found.size() > limits::sql_text_bytes) return {};
  }
  if (found.empty()) return {};
  string text;
  if (!is_list) {
    append_json(text, *found.front());
    return bounded(std::move(text));
  }
  for (const Json* const one : found) {
    text += text.empty() ? "[" : ", ";
    append_json(text, *one);
    if (text.size() > limits::sql_text_bytes) return {};
  }
  return bounded(text + ']', environment);
}

/// What is no quoted text stays as it is.
SqlValue json_unquote(Arguments arguments, const Environment&) {
  const string text = text_of(arguments[0]);
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return bounded(text);
  const auto document = read_json(text);
  return document && document->is_string() ? bounded(document->get<string>()) : SqlValue();
}

SqlValue json_valid(Arguments arguments, const Environment&) {
  return std::int64_t{read_json(text_of(arguments[0])) ? 1 : 0};
}

/// Each part of a document is in memory of its own.
constexpr std::uint8_t weight_of_json = 4;

constexpr std::array known_json_functions{
    Function{"json_extract", 2, any_number, Returns::text, false, json_extract, weight_of_json},
    Function{"json_unquote", 1, 1, Returns::text, false, json_unquote, weight_of_json},
    Function{"json_valid", 1, 1, Returns::whole, false, json_valid, weight_of_json},
};

}  // namespace

std::string text_member(std::string_view document, const std::string& name) {
  const auto content = read_json(document);
  if (!content || !content->is_object()) return {};
  const auto found = content->find(name);
  return found != content->end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::span<const Function> json_functions() {
  return known_json_functions;
}

}  // namespace dinette::tablestore::sql
