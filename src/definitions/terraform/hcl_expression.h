#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hcl_evaluator.h"

namespace dinette::definitions::hcl {

/// Reads one expression, and evaluates it while reading.
class ExpressionReader {
 public:
  template <class T>
  using Outcome = Evaluator::Outcome<T>;

  ExpressionReader(Evaluator& evaluator, std::span<const Token> tokens, const Instance& instance)
      : evaluator_(evaluator), tokens_(tokens), instance_(instance) {}

  Outcome<Value> run();

 private:
  /// A step of `a.b["c"]`: a name or a key.
  struct Step {
    Node key;
    bool is_index = false;
  };

  Outcome<Value> expression();
  Outcome<Value> term();
  Outcome<Value> list();
  Outcome<Value> object();
  Outcome<std::string> object_key();
  Outcome<Value> call(std::string_view function);
  Outcome<Value> name(const Token& first);
  Outcome<Value> named(std::string_view root, const std::vector<Step>& steps, std::size_t& used);
  Outcome<Value> resource(std::string_view type, const std::vector<Step>& steps, std::size_t& used);
  Outcome<std::vector<Step>> steps();
  Outcome<Node> known();  ///< an expression whose value is known

  bool has(std::string_view symbol) const { return at_ < tokens_.size() && tokens_[at_].is(symbol); }
  bool take(std::string_view symbol);
  void skip_newlines();

  Evaluator& evaluator_;
  const std::span<const Token> tokens_;
  const Instance& instance_;
  std::size_t at_ = 0;
};

}  // namespace dinette::definitions::hcl
