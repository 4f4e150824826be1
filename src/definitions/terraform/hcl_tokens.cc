#include "hcl_tokens.h"

#include <algorithm>
#include <array>

#include "dinette/base/ascii.h"

namespace dinette::definitions::hcl {
namespace {

constexpr std::size_t none = std::string_view::npos;

bool begins_identifier(char c) {
  return base::is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool continues_identifier(char c) {
  return begins_identifier(c) || base::is_digit(c) || c == '-';
}

std::string_view trimmed_line(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == none) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

class Tokenizer {
 public:
  Tokenizer(std::string_view source, unsigned line) : source_(source), line_(line) {}

  base::Result<std::vector<Token>, SyntaxError> run() {
    if (source_.size() > most_bytes)
      return failure("it has more than " + std::to_string(most_bytes) + " bytes");
    while (at_ < source_.size()) {
      if (!next()) return failure(reason_);
      if (tokens_.size() > most_tokens)
        return failure("it has more than " + std::to_string(most_tokens) + " words and signs");
    }
    return std::move(tokens_);
  }

 private:
  base::Failure<SyntaxError> failure(std::string reason) const {
    return SyntaxError{line_, std::move(reason)};
  }
  bool fail(std::string_view reason) {
    reason_ = reason;
    return false;
  }
  char peek(std::size_t ahead) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }

  void add(TokenKind kind, std::size_t begin, std::size_t end) {
    tokens_.push_back({kind, source_.substr(begin, end - begin), line_});
  }
  void skip_to(std::size_t position) {
    const std::size_t end = std::min(position, source_.size());
    line_ += static_cast<unsigned>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                              source_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }

  bool next() {
    const char c = source_[at_];
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '\n') {
      add(TokenKind::newline, at_, at_ + 1);
      skip_to(at_ + 1);
    } else if (c == '#' || (c == '/' && peek(1) == '/')) {
      skip_to(source_.find('\n', at_));
    } else if (c == '/' && peek(1) == '*') {
      return comment();
    } else if (c == '"') {
      return quoted();
    } else if (c == '<' && peek(1) == '<' && (begins_identifier(peek(2)) || peek(2) == '-')) {
      return heredoc();
    } else {
      word_or_symbol(c);
    }
    return true;
  }

  bool comment() {
    const std::size_t end = source_.find("*/", at_ + 2);
    if (end == none) return fail("a comment does not end");
    skip_to(end + 2);
    return true;
  }

  bool quoted() {
    const std::size_t begin = at_ + 1;
    std::size_t at = begin;
    while (at < source_.size() && source_[at] != '"') {
      if (source_[at] == '\n') return fail("a text does not end on its line");
      if (source_[at] == '\\') {
        at += 2;
      } else if (source_.substr(at, 3) == "$${" || source_.substr(at, 3) == "%%{") {
        at += 3;
      } else if (source_.substr(at, 2) == "${" || source_.substr(at, 2) == "%{") {
        at = end_of_interpolation(source_, at + 2);
        if (at == none) return fail("a template does not end");
      } else {
        ++at;
      }
    }
    if (at >= source_.size()) return fail("a text does not end");
    add(TokenKind::quoted, begin, at);
    skip_to(at + 1);
    return true;
  }

  bool heredoc() {
    const bool indented = peek(2) == '-';
    std::size_t at = at_ + (indented ? 3 : 2);
    const std::size_t mark_begin = at;
    while (at < source_.size() && continues_identifier(source_[at])) ++at;
    const std::string_view mark = source_.substr(mark_begin, at - mark_begin);
    const std::size_t begin = source_.find('\n', at);
    if (mark.empty() || begin == none) return fail("a heredoc does not end");
    for (std::size_t line = begin + 1; line <= source_.size();) {
      const std::size_t end = std::min(source_.find('\n', line), source_.size());
      if (trimmed_line(source_.substr(line, end - line)) == mark) {
        add(indented ? TokenKind::indented_heredoc : TokenKind::heredoc, begin + 1, line);
        skip_to(end);
        return true;
      }
      line = end + 1;
    }
    return fail("a heredoc does not end");
  }

  void word_or_symbol(char c) {
    std::size_t end = at_ + 1;
    if (begins_identifier(c)) {
      while (end < source_.size() && continues_identifier(source_[end])) ++end;
      add(TokenKind::identifier, at_, end);
    } else if (base::is_digit(c)) {
      end = end_of_number();
      add(TokenKind::number, at_, end);
    } else {
      constexpr std::array<std::string_view, 8> pairs = {"==", "!=", "<=", ">=", "&&", "||", "=>", "::"};
      if (std::ranges::find(pairs, source_.substr(at_, 2)) != pairs.end()) ++end;
      add(TokenKind::symbol, at_, end);
    }
    at_ = end;
  }

  std::size_t end_of_number() const {
    std::size_t end = at_;
    const auto digits = [&] {
      while (end < source_.size() && base::is_digit(source_[end])) ++end;
    };
    digits();
    if (end + 1 < source_.size() && source_[end] == '.' && base::is_digit(source_[end + 1])) {
      ++end;
      digits();
    }
    if (end < source_.size() && (source_[end] == 'e' || source_[end] == 'E')) {
      const bool sign = end + 1 < source_.size() && (source_[end + 1] == '-' || source_[end + 1] == '+');
      const std::size_t exponent = end + (sign ? 2 : 1);
      if (exponent < source_.size() && base::is_digit(source_[exponent])) {
        end = exponent;
        digits();
      }
    }
    return end;
  }

  const std::string_view source_;
  std::size_t at_ = 0;
  unsigned line_;
  std::string reason_;
  std::vector<Token> tokens_;
};

}  // namespace

base::Result<std::vector<Token>, SyntaxError> tokens_of(std::string_view source, unsigned line) {
  return Tokenizer(source, line).run();
}

std::size_t end_of_interpolation(std::string_view source, std::size_t at) {
  std::vector<char> open = {'}'};  // what ends what is open: a brace, or a quote
  while (at < source.size()) {
    const bool in_text = open.back() == '"';
    if (source[at] == open.back()) {
      open.pop_back();
      ++at;
      if (open.empty()) return at;
    } else if (in_text && source[at] == '\\') {
      at += 2;
    } else if (in_text && (source.substr(at, 3) == "$${" || source.substr(at, 3) == "%%{")) {
      at += 3;
    } else if (in_text && (source.substr(at, 2) == "${" || source.substr(at, 2) == "%{")) {
      open.push_back('}');
      at += 2;
    } else {
      if (!in_text && (source[at] == '{' || source[at] == '"')) open.push_back(source[at] == '{' ? '}' : '"');
      ++at;
    }
  }
  return none;
}

}  // namespace dinette::definitions::hcl
