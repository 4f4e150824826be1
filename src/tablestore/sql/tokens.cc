#include "tablestore/sql/tokens.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/base/utf8.h"

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"

namespace dinette::tablestore::sql {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool begins_word(char c) {
  return base::is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

int hex_digit(char c) {
  if (base::is_digit(c)) return c - '0';
  const char lower = base::to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

class TokenReader {
 public:
  explicit TokenReader(std::string_view statement) : all_(statement) {}

  Answer<std::vector<Token>> read() {
    std::vector<Token> tokens;
    for (;;) {
      DINETTE_CHECK(skip_blanks());
      Token token;
      token.begin = at_;
      if (at_ < all_.size()) DINETTE_CHECK(read_one(token));
      token.end = at_;
      token.written = all_.substr(token.begin, token.end - token.begin);
      const bool is_last = token.kind == Token::Kind::end;
      if (tokens.size() == limits::sql_tokens) return refuse::sql_too_deep();
      tokens.push_back(std::move(token));
      if (is_last) break;
    }
    while (tokens.size() > 1 && tokens[tokens.size() - 2].text == ";" &&
           tokens[tokens.size() - 2].kind == Token::Kind::sign)
      tokens.erase(tokens.end() - 2);
    return tokens;
  }

 private:
  /// Skips spaces and comments: `/* */`, and from `-- ` or `#` to the end of the line.
  Answer<void> skip_blanks() {
    while (at_ < all_.size()) {
      const std::string_view rest = all_.substr(at_);
      if (is_space(rest.front())) {
        ++at_;
      } else if (rest.starts_with("/*")) {
        const std::size_t end = rest.find("*/", 2);
        if (end == std::string_view::npos) return syntax_error(rest);
        at_ += end + 2;
      } else if (rest.starts_with('#') ||
                 (rest.starts_with("--") && (rest.size() == 2 || is_space(rest[2])))) {
        at_ += std::min(rest.find('\n'), rest.size());
      } else {
        break;
      }
    }
    return {};
  }

  Answer<void> read_one(Token& token) {
    const char c = all_[at_];
    const bool quotes_bytes = (c == 'x' || c == 'X') && at_ + 1 < all_.size() && all_[at_ + 1] == '\'';
    if (quotes_bytes) return read_bytes(token);
    if (all_.substr(at_).starts_with("0x") && at_ + 2 < all_.size() && hex_digit(all_[at_ + 2]) >= 0)
      return read_hex(token);
    if (begins_word(c)) return read_word(token);
    if (base::is_digit(c) || (c == '.' && at_ + 1 < all_.size() && base::is_digit(all_[at_ + 1])))
      return read_number(token);
    if (c == '\'' || c == '"') return read_quoted(token, Token::Kind::text);
    if (c == '`') return read_quoted(token, Token::Kind::name);
    return read_sign(token);
  }

  Answer<void> read_word(Token& token) {
    token.kind = Token::Kind::word;
    while (at_ < all_.size() && (begins_word(all_[at_]) || base::is_digit(all_[at_]) || all_[at_] == '$'))
      token.text += base::to_lower(all_[at_++]);
    return {};
  }

  Answer<void> read_number(Token& token) {
    token.kind = Token::Kind::whole;
    const auto take_digits = [&] {
      while (at_ < all_.size() && base::is_digit(all_[at_])) token.text += all_[at_++];
    };
    take_digits();
    if (at_ < all_.size() && all_[at_] == '.') {
      token.kind = Token::Kind::real;
      token.text += all_[at_++];
      take_digits();
    }
    if (at_ < all_.size() && (all_[at_] == 'e' || all_[at_] == 'E')) {
      token.kind = Token::Kind::real;
      token.text += all_[at_++];
      if (at_ < all_.size() && (all_[at_] == '+' || all_[at_] == '-')) token.text += all_[at_++];
      take_digits();
    }
    return {};
  }

  /// A quote that is there twice is one, as is what follows a backslash, except in names.
  Answer<void> read_quoted(Token& token, Token::Kind kind) {
    token.kind = kind;
    const char quote = all_[at_++];
    while (at_ < all_.size()) {
      const char c = all_[at_++];
      if (c == quote) {
        if (at_ == all_.size() || all_[at_] != quote) return {};
        ++at_;
      } else if (c == '\\' && kind == Token::Kind::text && at_ < all_.size()) {
        token.text += escaped(all_[at_++]);
        continue;
      }
      token.text += c;
    }
    return syntax_error(all_.substr(token.begin));
  }

  /// `\%` and `\_` stay as they are, for LIKE.
  static std::string escaped(char c) {
    if (c == 'n') return "\n";
    if (c == 't') return "\t";
    if (c == 'r') return "\r";
    if (c == '0') return std::string(1, '\0');
    if (c == '%' || c == '_') return std::string("\\") + c;
    return std::string(1, c);
  }

  Answer<void> read_bytes(Token& token) {
    token.kind = Token::Kind::bytes;
    at_ += 2;
    while (at_ + 1 < all_.size() && all_[at_] != '\'') {
      const int high = hex_digit(all_[at_]);
      const int low = hex_digit(all_[at_ + 1]);
      if (high < 0 || low < 0) return syntax_error(all_.substr(token.begin));
      token.text += static_cast<char>(high * 16 + low);
      at_ += 2;
    }
    if (at_ >= all_.size() || all_[at_] != '\'') return syntax_error(all_.substr(token.begin));
    ++at_;
    return {};
  }

  /// `0x41` is `X'41'`. A digit may be missing at the front.
  Answer<void> read_hex(Token& token) {
    token.kind = Token::Kind::bytes;
    at_ += 2;
    std::size_t end = at_;
    while (end < all_.size() && hex_digit(all_[end]) >= 0) ++end;
    int high = 0;
    for (bool is_high = (end - at_) % 2 == 0; at_ < end; is_high = !is_high) {
      const int digit = hex_digit(all_[at_++]);
      if (!is_high) token.text += static_cast<char>(high * 16 + digit);
      high = is_high ? digit : 0;
    }
    const bool goes_on = at_ < all_.size() && begins_word(all_[at_]);
    return goes_on ? Answer<void>(syntax_error(all_.substr(token.begin))) : Answer<void>();
  }

  Answer<void> read_sign(Token& token) {
    constexpr std::array<std::string_view, 9> long_signs{"->>", "<=>", "<=", ">=", "<>",
                                                         "!=",  "&&",  "||", "->"};
    constexpr std::string_view signs = "()+-*/%,.;=<>!&|^~";
    token.kind = Token::Kind::sign;
    const auto found = std::ranges::find_if(
        long_signs, [&](std::string_view sign) { return all_.substr(at_).starts_with(sign); });
    if (found != long_signs.end())
      token.text = *found;
    else if (signs.find(all_[at_]) != std::string_view::npos)
      token.text = all_.substr(at_, 1);
    else
      return syntax_error(all_.substr(at_));
    at_ += token.text.size();
    return {};
  }

  const std::string_view all_;
  std::size_t at_ = 0;
};

}  // namespace

base::Failure<ApiError> syntax_error(std::string_view rest) {
  constexpr std::size_t most_shown = 80;
  return refuse::sql_syntax(base::shortened(base::valid_utf8(rest), most_shown));
}

Answer<std::vector<Token>> read_tokens(std::string_view statement) {
  return TokenReader(statement).read();
}

}  // namespace dinette::tablestore::sql
