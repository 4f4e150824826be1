#include "for_each.h"

#include <string>
#include <utility>

#include "dinette/base/ascii.h"

#include "function_call.h"

namespace dinette::definitions::cloudformation {
namespace {

constexpr std::size_t cost_of_node = 64;  // a value needs about as much as a text of that length

/// What the identifier of a loop becomes in one of its rounds.
class Replacement {
 public:
  Replacement(const std::string& identifier, const std::string& value, Evaluator& evaluator)
      : identifier_(identifier), value_(value), evaluator_(evaluator) {}

  /// Replaces `${Identifier}`, and `&{Identifier}` by the letters and digits of the value.
  std::string in_text(std::string_view text) const {
    std::string replaced;
    while (true) {
      const auto found = find(text);
      replaced += text.substr(0, found);
      if (found == std::string_view::npos) return replaced;
      replaced += text[found] == '$' ? value_ : letters_and_digits();
      text.remove_prefix(found + identifier_.size() + 3);
    }
  }

  base::Result<Node, EvaluationError> in_node(const Node& node) const {
    DINETTE_TRY(const auto nesting, evaluator_.enter(node.place()));
    if (refers_to_identifier(node)) return Node::text(value_);
    Node copy = node.is_text() ? Node::text(in_text(node.scalar())) : shallow_copy(node);
    copy.set_tag(node.tag());
    copy.set_place(node.place());
    DINETTE_CHECK(evaluator_.charge(cost_of_node + copy.scalar().size(), node.place()));
    for (const Node& element : node.elements()) {
      DINETTE_TRY(Node inner, in_node(element));
      copy.elements().push_back(std::move(inner));
    }
    for (const Node::Member& member : node.members()) {
      DINETTE_TRY(Node inner, in_node(member.value));
      copy.members().push_back({in_text(member.key), std::move(inner)});
    }
    return copy;
  }

 private:
  static Node shallow_copy(const Node& node) {
    if (node.is_list()) return Node::list();
    if (node.is_map()) return Node::map();
    return node;
  }

  std::size_t find(std::string_view text) const {
    for (auto at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
      const bool marked = at > 0 && (text[at - 1] == '$' || text[at - 1] == '&');
      const std::string_view after = text.substr(at + 1);
      if (marked && after.starts_with(identifier_) && after.substr(identifier_.size()).starts_with('}'))
        return at - 1;
    }
    return std::string_view::npos;
  }

  bool refers_to_identifier(const Node& node) const {
    const auto call = find_call(node);
    return call && call->name == "Ref" && call->argument->scalar() == identifier_;
  }

  std::string letters_and_digits() const {
    std::string kept;
    for (const char c : value_) {
      if (base::is_letter(c) || base::is_digit(c)) kept += c;
    }
    return kept;
  }

  const std::string& identifier_;
  const std::string& value_;
  Evaluator& evaluator_;
};

/// Adds what one round of a loop makes.
base::Result<void, EvaluationError> add_round(const Node& body, const Replacement& replacement,
                                              Evaluator& evaluator, std::vector<Node::Member>& to) {
  for (const Node::Member& member : body.members()) {
    DINETTE_TRY(Node value, replacement.in_node(member.value));
    if (!is_loop(member.key)) {
      to.push_back({replacement.in_text(member.key), std::move(value)});
      continue;
    }
    DINETTE_TRY(std::vector<Node::Member> inner, expand_loop(value, evaluator));
    to.insert(to.end(), std::make_move_iterator(inner.begin()), std::make_move_iterator(inner.end()));
  }
  return {};
}

}  // namespace

base::Result<std::vector<Node::Member>, EvaluationError> expand_loop(const Node& loop, Evaluator& evaluator) {
  DINETTE_TRY(const auto nesting, evaluator.enter(loop.place()));
  const auto& parts = loop.elements();
  if (parts.size() != 3 || !parts[0].is_text() || parts[0].scalar().empty() || !parts[2].is_map())
    return base::Failure{
        EvaluationError{loop.place(), "Fn::ForEach needs an identifier, a list of values and a map"}};
  DINETTE_TRY(const Node values, evaluator.value(parts[1]));
  if (!values.is_list())
    return base::Failure{EvaluationError{loop.place(), "Fn::ForEach needs a list of values"}};
  std::vector<Node::Member> made;
  for (const Node& value : values.elements()) {
    if (!value.is_scalar())
      return base::Failure{
          EvaluationError{loop.place(), "a value of Fn::ForEach is a " + std::string(value.kind_name())}};
    DINETTE_CHECK(evaluator.charge(cost_of_node, loop.place()));
    const Replacement replacement(parts[0].scalar(), value.scalar(), evaluator);
    DINETTE_CHECK(add_round(parts[2], replacement, evaluator, made));
  }
  return made;
}

}  // namespace dinette::definitions::cloudformation
