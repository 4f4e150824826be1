#include "dynamodb/item_files/ion_values.h"

#include <algorithm>
#include <utility>

#include "dinette/aws/json_writer.h"
#include "dinette/base/ascii.h"
#include "dinette/dynamodb/item_files/ion_reader.h"

#include "dynamodb/item_files/ion_number.h"

namespace dinette::dynamodb::item_files {
namespace {

constexpr std::string_view set_annotation = "$dynamodb_";

base::Failure<ReadError> costs_item(std::string message) {
  return {ReadError(std::move(message), false)};
}

base::Failure<ReadError> no_type(std::string_view what) {
  return costs_item("has " + std::string(what) + ", which no DynamoDB type is for");
}

/// Returns true for a symbol of a table, such as `$10`, which text need not have.
bool is_symbol_number(std::string_view word) {
  return word.size() > 1 && word.front() == '$' && std::ranges::all_of(word.substr(1), base::is_digit);
}

bool begins_number(char c) {
  return base::is_digit(c) || c == '-' || c == '+';
}

bool begins_text(char c) {
  return c == '"' || c == '\'';
}

void append_typed(std::string& out, std::string_view type, std::string_view text) {
  out.append("{\"").append(type).append("\":");
  aws::append_json_string(out, text);
  out += '}';
}

}  // namespace

IonValues::Done IonValues::attributes(std::string& out, int depth) {
  if (depth > IonReader::deepest) return costs_item("is nested too deeply");
  out += '{';
  bool first = true;
  DINETTE_CHECK(fields([&](const std::string& name) {
    if (!std::exchange(first, false)) out += ',';
    aws::append_json_string(out, name);
    out += ':';
    return value(out, depth);
  }));
  out += '}';
  return {};
}

IonValues::Done IonValues::value(std::string& out, int depth) {
  DINETTE_TRY(const std::string type, annotations());
  return type.empty() ? plain_value(out, depth) : set(out, type);
}

template <class Element>
IonValues::Done IonValues::elements(Element element) {
  cursor_.take("[");
  for (;;) {
    cursor_.skip_white();
    if (cursor_.take("]")) return {};
    DINETTE_CHECK(element());
    DINETTE_CHECK(separator("]"));
  }
}

IonValues::Done IonValues::separator(std::string_view end) {
  cursor_.skip_white();
  if (cursor_.take(",") || cursor_.sees(end)) return {};
  return not_ion("a comma or " + std::string(end) + " is missing");
}

ReadResult<std::string> IonValues::name() {
  if (begins_text(cursor_.peek())) {
    DINETTE_TRY(std::string text, cursor_.text());
    return text;
  }
  const std::string_view word = cursor_.word();
  if (word.empty() || base::is_digit(word.front())) return not_ion("a field has no name");
  if (is_symbol_number(word)) return costs_item("has a name that is only the number of a symbol");
  return std::string(word);
}

/// Skips the annotations of a value, at which the cursor is then. Returns the type of the set that they make
/// of a list; empty if they make none.
ReadResult<std::string> IonValues::annotations() {
  std::string type;
  for (;;) {
    const IonCursor before = cursor_;
    std::string annotation;
    if (cursor_.peek() == '\'' && !cursor_.sees("'''")) {
      DINETTE_TRY(annotation, cursor_.text());
    } else if (!begins_number(cursor_.peek())) {
      annotation = cursor_.word();
    }
    const bool symbol = cursor_.position() > before.position();
    cursor_.skip_white();
    if (!symbol || !cursor_.take("::")) {
      cursor_ = before;
      return type;
    }
    cursor_.skip_white();
    if (!annotation.starts_with(set_annotation)) continue;  // Ion has readers ignore what they do not know
    type = annotation.substr(set_annotation.size());
    if (type != "SS" && type != "NS" && type != "BS")
      return costs_item("has the annotation '" + annotation + "', which is unknown");
  }
}

IonValues::Done IonValues::plain_value(std::string& out, int depth) {
  const char c = cursor_.peek();
  if (begins_text(c)) return text_value(out);
  if (begins_number(c)) {
    DINETTE_TRY(const std::string text, number());
    append_typed(out, "N", text);
    return {};
  }
  if (cursor_.sees("{{")) {
    DINETTE_TRY(const std::string text, base64());
    append_typed(out, "B", text);
    return {};
  }
  if (c == '[') return list(out, depth);
  if (c == '(') return no_type("an S-expression");
  if (c != '{') return word_value(out);
  out += R"({"M":)";
  DINETTE_CHECK(attributes(out, depth + 1));
  out += '}';
  return {};
}

IonValues::Done IonValues::text_value(std::string& out) {
  DINETTE_TRY(const std::string text, cursor_.text());
  append_typed(out, "S", text);
  return {};
}

IonValues::Done IonValues::word_value(std::string& out) {
  const std::string_view word = cursor_.word();
  if (word.empty()) return not_ion("a value is missing");
  if (word == "true" || word == "false") {
    out.append(R"({"BOOL":)").append(word).append("}");
  } else if (word == "null") {
    if (cursor_.take(".")) cursor_.word();  // null.string and the like
    out += R"({"NULL":true})";
  } else if (word == "nan") {
    return no_type("a float that is no number");
  } else if (is_symbol_number(word)) {
    return costs_item("has a value that is only the number of a symbol");
  } else {
    append_typed(out, "S", word);
  }
  return {};
}

IonValues::Done IonValues::list(std::string& out, int depth) {
  if (depth > IonReader::deepest) return costs_item("is nested too deeply");
  out += R"({"L":[)";
  bool first = true;
  DINETTE_CHECK(elements([&] {
    if (!std::exchange(first, false)) out += ',';
    return value(out, depth + 1);
  }));
  out += "]}";
  return {};
}

IonValues::Done IonValues::set(std::string& out, std::string_view type) {
  if (cursor_.peek() != '[') return costs_item("has a set that is no list");
  out.append("{\"").append(type).append("\":[");
  bool first = true;
  DINETTE_CHECK(elements([&] {
    if (!std::exchange(first, false)) out += ',';
    return set_element(out, type.front());
  }));
  out += "]}";
  return {};
}

IonValues::Done IonValues::set_element(std::string& out, char type) {
  const auto append = [&](ReadResult<std::string> text) -> Done {
    if (!text) return base::Failure{text.error()};
    aws::append_json_string(out, *text);
    return {};
  };
  const auto text = [&]() -> ReadResult<std::string> {
    DINETTE_TRY(std::string found, cursor_.text());
    return found;
  };
  if (type == 'S' && begins_text(cursor_.peek())) return append(text());
  if (type == 'N' && begins_number(cursor_.peek())) return append(number());
  if (type == 'B' && cursor_.sees("{{")) return append(base64());
  return costs_item("has a set with an element of another type");
}

ReadResult<std::string> IonValues::number() {
  const std::string_view text = cursor_.number();
  if (auto found = number_from_ion(text)) return *std::move(found);
  if (is_ion_timestamp(text)) return no_type("a timestamp");
  if (text == "+inf" || text == "-inf") return no_type("a float that is no number");
  constexpr std::size_t longest_shown = 40;
  return not_ion("'" + std::string(text.substr(0, longest_shown)) + "' is no number");
}

/// Returns the text of a blob without white space.
ReadResult<std::string> IonValues::base64() {
  cursor_.take("{{");
  cursor_.skip_space();
  if (begins_text(cursor_.peek())) return no_type("a clob");
  DINETTE_TRY(const std::string_view inside, cursor_.up_to("}}"));
  std::string text(inside);
  std::erase_if(text, is_ion_space);
  return text;
}

}  // namespace dinette::dynamodb::item_files
