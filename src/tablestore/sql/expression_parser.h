#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tablestore/request/api_error.h"
#include "tablestore/sql/expression.h"
#include "tablestore/sql/tokens.h"

namespace dinette::tablestore::sql {

/// Returns an expression that is this value.
Expression literal(SqlValue value);

/// Returns true for words that begin parts of statements: without quotes they are no names of columns.
bool is_reserved(std::string_view word);

/// Reads expressions from left to right: what binds least is read first. The order is that of MySQL.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, std::vector<Token> tokens)
      : text_(text), tokens_(std::move(tokens)) {}
  ExpressionParser(const ExpressionParser&) = delete;
  ExpressionParser& operator=(const ExpressionParser&) = delete;
  virtual ~ExpressionParser() = default;

 protected:
  const Token& next(std::size_t further = 0) const {
    return tokens_[at_ + further < tokens_.size() ? at_ + further : tokens_.size() - 1];
  }
  bool is(std::string_view word) const { return next().kind == Token::Kind::word && next().text == word; }
  bool is_sign(std::string_view sign, std::size_t further = 0) const {
    return next(further).kind == Token::Kind::sign && next(further).text == sign;
  }
  bool take(std::string_view word);
  bool take_sign(std::string_view sign);
  void skip() { ++at_; }
  base::Failure<ApiError> error() const { return syntax_error(text_.substr(next().begin)); }
  Answer<void> expect(std::string_view word);
  Answer<void> expect_sign(std::string_view sign);
  /// Names of tables and columns are as they were written.
  Answer<std::string> name();
  /// Returns what the statement has from a place to the token before the next one.
  std::string_view text_since(std::size_t begin) const {
    return text_.substr(begin, tokens_[at_ - 1].end - begin);
  }
  /// Returns true if a query begins here.
  bool is_query() const { return is("select"); }

  Answer<Expression> read_expression();
  Answer<Expression> read_operand();

  /// Reads a query that is inside something.
  virtual Answer<std::shared_ptr<const Select>> read_query() = 0;

  /// Counts how deep things are inside each other.
  Answer<void> enter();
  void leave() { --depth_; }

 private:
  Answer<Expression> read_or();
  Answer<Expression> read_xor();
  Answer<Expression> read_and();
  Answer<Expression> read_not();
  Answer<Expression> read_comparison();
  Answer<Expression> read_compared(Expression left, Expression::Kind kind);
  Answer<Expression> read_truth(Expression left);
  Answer<Expression> read_list(Expression left);
  Answer<Expression> read_like(Expression left);
  Answer<Expression> read_bits(std::size_t level);
  Answer<Expression> read_sum();
  Answer<Expression> read_product();
  Answer<Expression> read_power();
  Answer<Expression> read_path(Expression left);
  Answer<Expression> read_primary();
  Expression read_texts();
  Answer<Expression> read_word();
  Answer<Expression> read_column();
  Answer<Expression> read_case();
  Answer<Expression> read_exists();
  Answer<Expression> read_call();
  Answer<Expression> read_special(std::string_view function);
  Answer<Expression> read_aggregate(Expression::Kind kind);
  Answer<Expression> read_cast(bool by_comma);
  Answer<Expression> read_cast_type(Expression value);
  Answer<Expression> read_decimal(Expression value);
  Answer<std::size_t> read_size();
  Answer<Expression> read_trim();
  Answer<Expression> read_substring(std::string_view function);
  Answer<Expression> read_date_change(std::string_view function);
  Answer<Expression> read_unit_first(std::string_view function);
  Answer<Expression> read_interval(Expression date, bool subtracts);
  Answer<Expression> read_arguments(Expression outer);
  Answer<Expression> call_of(std::string_view function, std::vector<Expression> arguments) const;

  const std::string_view text_;
  const std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace dinette::tablestore::sql
