#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/aws/json_types.h"
#include "dinette/kv/value.h"

#include "dynamodb/codec/pooled_text.h"
#include "dynamodb/model/attribute_value.h"

namespace dinette::dynamodb::codec {

using aws::Entries;
using aws::Timestamp;

/// What is wrong with a value that is well-formed JSON of the right types. Which of several errors of a
/// request wins is part of the contract, so decoding keeps the first problem and the operation raises it when
/// its turn comes.
struct ValueProblem {
  std::string message;     ///< the service's sentence, without envelope
  bool malformed = false;  ///< `untyped`, or an ill name: never inside the envelope
  bool untyped = false;    ///< no type or two types given (docs/service/wire.md section 7)
};

/// Which of the problems of several values is reported: the first one about a type, otherwise the first one.
/// Without a type nothing can be said about what may be done with a value.
class FirstProblem {
 public:
  void add(const ValueProblem* problem) {
    if (problem && (!first_ || (problem->untyped && !first_->untyped))) first_ = problem;
  }
  void add(const std::optional<ValueProblem>& problem) { add(problem ? &*problem : nullptr); }
  /// Returns null if there was none.
  const ValueProblem* get() const { return first_; }

 private:
  const ValueProblem* first_ = nullptr;
};

/// Which of several problems of one item is reported: the first one in the text, or of the first kind.
enum class ProblemOrder : bool { of_text, of_kinds };

/// Returns the problem with the name of an item's attribute, null for none.
const ValueProblem* problem_of_name(std::string_view name);

/// An attribute map as it came: the attributes, or the first problem met in the order of the text.
struct ItemInput {
  model::Item attributes;
  std::optional<ValueProblem> problem;
};

/// An item to be stored: its record (record_layout.h), or the first problem met in the order of the text.
/// Most of what a client stores is not read before it is stored, so most of it never becomes typed
/// values.
struct NewItemInput {
  /// Null if there is a problem. Of an item over the size limit, which can only be refused, containers may be
  /// empty and numbers written otherwise; key attributes have their values.
  kv::Value record;
  std::optional<ValueProblem> problem;
};

/// Expression attribute values as they came, by placeholder.
struct ValuesInput {
  std::vector<std::pair<std::string, model::AttributeValue>> entries;
  std::optional<ValueProblem> problem;    ///< as FirstProblem chooses it
  std::vector<std::string> refused = {};  ///< placeholders of the values with a problem, ascending
};

/// One attribute value as it came.
struct AttributeValueInput {
  model::AttributeValue value;
  std::optional<ValueProblem> problem;
};

/// An item in an answer: its wire text, as stored or as written from typed values.
struct ItemText {
  PooledText json;
};

/// Items in an answer: their wire texts with commas between them, in one string however many there are.
struct ItemListText {
  PooledText json;
};

}  // namespace dinette::dynamodb::codec
