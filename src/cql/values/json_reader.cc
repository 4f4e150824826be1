#include "cql/values/json_reader.h"

#include <algorithm>
#include <charconv>

#include "dinette/base/ascii.h"

namespace dinette::cql {
namespace {

void append_code_point(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t bits) { out.push_back(static_cast<char>(bits)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

constexpr std::string_view json_blanks = " \t\r\n";

bool is_json_blank(char c) {
  return json_blanks.find(c) != std::string_view::npos;
}

/// Returns how many digits `text` has from a place on.
std::size_t json_digits(std::string_view text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && base::is_digit(text[end])) ++end;
  return end - from;
}

/// Returns the length of the number that `text` begins with; 0 if there is none.
std::size_t json_number_length(std::string_view text) {
  std::size_t length = text.starts_with('-') ? 1 : 0;
  const std::size_t whole = json_digits(text, length);
  if (whole == 0 || (whole > 1 && text[length] == '0')) return 0;
  length += whole;
  if (length < text.size() && text[length] == '.') {
    const std::size_t fraction = json_digits(text, length + 1);
    if (fraction == 0) return 0;
    length += 1 + fraction;
  }
  if (length == text.size() || (text[length] != 'e' && text[length] != 'E')) return length;
  ++length;
  if (length < text.size() && (text[length] == '+' || text[length] == '-')) ++length;
  const std::size_t exponent = json_digits(text, length);
  return exponent == 0 ? 0 : length + exponent;
}

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : rest_(text) {}

  std::optional<JsonValue> run() {
    auto value = read(0);
    const bool number = value && value->kind == JsonValue::Kind::number;
    if (number && !rest_.empty() && !is_json_blank(rest_.front())) return std::nullopt;
    return value;
  }

 private:
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(json_blanks), rest_.size())); }

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  /// The same of a word that ends there.
  bool take_json_word(std::string_view word) {
    const bool longer = rest_.size() > word.size() && base::is_word_character(rest_[word.size()]);
    return !longer && take(word);
  }

  std::optional<JsonValue> read(int depth) {
    skip_blanks();
    if (rest_.empty() || depth > most_json_depth || ++values_ > most_json_values) return std::nullopt;
    if (take_json_word("null")) return JsonValue{};
    if (take_json_word("true")) return JsonValue{.kind = JsonValue::Kind::boolean, .text = "true"};
    if (take_json_word("false")) return JsonValue{.kind = JsonValue::Kind::boolean, .text = "false"};
    if (rest_.front() == '"') {
      auto text = read_string();
      if (!text) return std::nullopt;
      return JsonValue{.kind = JsonValue::Kind::string, .text = *std::move(text)};
    }
    if (take("[")) return read_list(depth);
    if (take("{")) return read_map(depth);
    return read_number();
  }

  /// RFC 8259 section 6: no zeros at the beginning, and digits on both sides of the point.
  std::optional<JsonValue> read_number() {
    const std::size_t length = json_number_length(rest_);
    if (length == 0) return std::nullopt;
    JsonValue number{.kind = JsonValue::Kind::number, .text = std::string(rest_.substr(0, length))};
    rest_.remove_prefix(length);
    return number;
  }

  std::optional<std::uint32_t> read_unit() {
    std::uint32_t unit = 0;
    if (rest_.size() < 4) return std::nullopt;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + 4, unit, 16);
    if (error != std::errc() || end != rest_.data() + 4) return std::nullopt;
    rest_.remove_prefix(4);
    return unit;
  }

  bool read_escaped(std::string& out) {
    if (rest_.empty()) return false;
    const char c = rest_.front();
    rest_.remove_prefix(1);
    constexpr std::string_view names = "\"\\/bfnrt";
    constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    if (const std::size_t place = names.find(c); place != std::string_view::npos) {
      out.push_back(meant[place]);
      return true;
    }
    if (c != 'u') return false;
    auto code = read_unit();
    if (!code) return false;
    if (*code >= 0xD800 && *code < 0xDC00) {
      if (!take("\\u")) return false;
      const auto low = read_unit();
      if (!low || *low < 0xDC00 || *low >= 0xE000) return false;
      code = 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
    } else if (*code >= 0xDC00 && *code < 0xE000) {
      return false;
    }
    append_code_point(out, *code);
    return true;
  }

  std::optional<std::string> read_string() {
    if (!take("\"")) return std::nullopt;
    std::string out;
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return out;
      if (static_cast<unsigned char>(c) < 0x20) return std::nullopt;
      if (c != '\\') {
        out.push_back(c);
      } else if (!read_escaped(out)) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  std::optional<JsonValue> read_list(int depth) {
    JsonValue list{.kind = JsonValue::Kind::list};
    skip_blanks();
    if (take("]")) return list;
    for (;;) {
      auto element = read(depth + 1);
      if (!element) return std::nullopt;
      list.elements.push_back(*std::move(element));
      skip_blanks();
      if (take("]")) return list;
      if (!take(",")) return std::nullopt;
    }
  }

  std::optional<JsonValue> read_map(int depth) {
    JsonValue map{.kind = JsonValue::Kind::map};
    skip_blanks();
    if (take("}")) return map;
    for (;;) {
      skip_blanks();
      auto name = read_string();
      skip_blanks();
      if (!name || !take(":")) return std::nullopt;
      auto value = read(depth + 1);
      if (!value) return std::nullopt;
      map.members.emplace_back(*std::move(name), *std::move(value));
      skip_blanks();
      if (take("}")) return map;
      if (!take(",")) return std::nullopt;
    }
  }

  std::string_view rest_;
  std::size_t values_ = 0;
};

}  // namespace

std::optional<JsonValue> read_json(std::string_view text) {
  return JsonReader(text).run();
}

}  // namespace dinette::cql
