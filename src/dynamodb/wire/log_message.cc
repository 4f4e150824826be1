#include "dynamodb/wire/log_message.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "dinette/base/ascii.h"
#include "dinette/base/utf8.h"
#include "dinette/face/request_log.h"

#include "dynamodb/model/number.h"

namespace dinette::dynamodb::wire {
namespace {

constexpr std::size_t shown_bytes = face::RequestLog::most_message_bytes;
constexpr std::string_view mask = "***";
constexpr std::string_view ellipsis = "...";  ///< with which base::shortened() ends
/// The members of an AttributeValue that are contents, and not further values.
constexpr std::array<std::string_view, 6> content_members{"S", "N", "B", "SS", "NS", "BS"};
constexpr std::string_view statement_member = "Statement";
/// Looking for each in a message takes a microsecond; a request may have a million.
constexpr std::size_t most_contents = 10'000;

/// Returns true for a character next to which a value would not begin or end.
bool is_of_word(char c) {
  return base::is_word_character(c) || static_cast<unsigned char>(c) >= 0x80;
}

/// Finds the contents of items in a message.
class Concealment {
 public:
  explicit Concealment(std::string_view message)
      : message_(message), seen_(message.substr(0, 2 * shown_bytes)), concealed_(seen_.size()) {}

  /// Conceals what `json`, a part of a request, has of contents. The parser limits the depth
  /// (aws::json_levels).
  void conceal_contents(aws::JsonElement json) {
    aws::JsonArray elements;
    aws::JsonObject members;
    if (json.get(elements) == simdjson::SUCCESS) {
      for (const auto element : elements) conceal_contents(element);
    } else if (json.get(members) == simdjson::SUCCESS) {
      for (const auto member : members) conceal_member(member.key, member.value);
    }
  }

  /// Returns the message as it may be logged; empty if the request has too many contents to look for.
  std::string text() const {
    if (contents_ > most_contents) return {};
    const std::string beginning = base::shortened(message_, shown_bytes);
    const bool is_cut = message_.size() > shown_bytes;
    const std::size_t kept = beginning.size() - (is_cut ? ellipsis.size() : 0);
    std::string text;
    for (std::size_t at = 0; at < kept; ++at) {
      if (!concealed_[at])
        text += beginning[at];
      else if (!concealed_[at - 1])  // never the first
        text += mask;
    }
    if (is_cut) text += ellipsis;
    return text;
  }

 private:
  void conceal_member(std::string_view name, aws::JsonElement value) {
    std::string_view statement;
    if (std::ranges::find(content_members, name) != content_members.end()) return conceal_scalars(value);
    if (name == statement_member && value.get(statement) == simdjson::SUCCESS)
      return conceal_literals(statement);
    conceal_contents(value);
  }

  /// Conceals a scalar, or those of a set. Something else is an attribute that is called as a type is.
  void conceal_scalars(aws::JsonElement value) {
    aws::JsonArray elements;
    if (value.get(elements) == simdjson::SUCCESS) {
      for (const auto element : elements) conceal_scalars(element);
    } else if (value.is_object()) {
      conceal_contents(value);
    } else {
      conceal_scalar(value);
    }
  }

  /// Messages have a value as it was sent, as JSON, or, if it is a number, as it would be stored.
  void conceal_scalar(aws::JsonElement value) {
    if (++contents_ > most_contents) return;
    std::string json = simdjson::minify(value);
    std::string_view text;
    if (value.get(text) == simdjson::SUCCESS) {
      json = json.substr(1, json.size() - 2);
      conceal(json);
    } else {
      text = json;
    }
    conceal(text);
    if (const auto number = model::Number::parse(text)) conceal(number->to_string());
  }

  /// Conceals the texts in single quotes, and the numbers, of a statement, however malformed it is.
  void conceal_literals(std::string_view statement) {
    std::size_t at = 0;
    const auto take_while = [&](auto is_part) {
      const std::size_t begin = at;
      while (at < statement.size() && is_part(statement[at])) ++at;
      return statement.substr(begin, at - begin);
    };
    while (at < statement.size()) {
      const char first = statement[at];
      if (first == '\'' || first == '"') {
        ++at;
        const std::string_view quoted = take_while([first](char c) { return c != first; });
        if (first == '\'') conceal(quoted);
        ++at;
      } else if (base::is_digit(first)) {
        conceal(take_while([](char c) { return base::is_word_character(c) || c == '.'; }));
      } else if (take_while(base::is_word_character).empty()) {
        ++at;
      }
    }
  }

  /// Conceals a content wherever the message has it as a word of its own. No message begins with one.
  void conceal(std::string_view content) {
    const std::string_view beginning = content.substr(0, shown_bytes);
    if (beginning.empty()) return;
    const bool is_whole = beginning.size() == content.size();
    for (std::size_t at = seen_.find(beginning, 1); at != std::string_view::npos;
         at = seen_.find(beginning, at + 1)) {
      const std::size_t end = at + beginning.size();
      const bool begins = !is_of_word(beginning.front()) || !is_of_word(seen_[at - 1]);
      const bool ends =
          !is_whole || end == seen_.size() || !is_of_word(beginning.back()) || !is_of_word(seen_[end]);
      if (begins && ends)
        std::fill_n(concealed_.begin() + static_cast<std::ptrdiff_t>(at),
                    std::min(content.size(), concealed_.size() - at), true);
    }
  }

  const std::string_view message_;
  /// What is searched: more than is shown, so that a content that is shown in part is found.
  const std::string_view seen_;
  std::vector<bool> concealed_;  ///< bytes of `seen_`
  std::size_t contents_ = 0;     ///< so far; those of statements, which are short, are not counted
};

}  // namespace

std::string without_items(std::string_view message, aws::JsonElement request) {
  Concealment concealment(message);
  concealment.conceal_contents(request);
  return concealment.text();
}

}  // namespace dinette::dynamodb::wire
