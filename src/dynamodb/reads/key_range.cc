#include "dynamodb/reads/key_range.h"

#include "dinette/base/bytes.h"
#include "dinette/store/key_codec.h"

#include "dynamodb/items/item_key.h"

namespace dinette::dynamodb {
namespace {

using expr::KeyClause;
using expr::KeyOperator;
using model::AttributeValue;
using store::KeyRange;

std::string with(const std::string& front, const AttributeValue& value) {
  std::string key = front;
  append_key_component(key, value);
  return key;
}

/// Strings and binaries alike.
std::string with_beginning(const std::string& front, const AttributeValue& value) {
  std::string key = front;
  const auto* text = value.get_if<std::string>();
  store::append_bytes_prefix(key, text ? *text : value.get<model::Binary>().bytes);
  return key;
}

/// Returns the keys that begin with `front`, followed by a component that meets `clause`.
KeyRange narrowed(const std::string& front, const KeyClause& clause) {
  KeyRange range = KeyRange::of_prefix(front);
  switch (clause.op) {
    case KeyOperator::equal:
      return KeyRange::of_prefix(with(front, *clause.value));
    case KeyOperator::begins_with:
      return KeyRange::of_prefix(with_beginning(front, *clause.value));
    case KeyOperator::less:
      range.end = with(front, *clause.value);
      break;
    case KeyOperator::less_equal:
      range.end = base::prefix_end(with(front, *clause.value));
      break;
    case KeyOperator::greater:
      range.begin = base::prefix_end(with(front, *clause.value));
      break;
    case KeyOperator::greater_equal:
      range.begin = with(front, *clause.value);
      break;
    case KeyOperator::between:
      range.begin = with(front, *clause.value);
      range.end = base::prefix_end(with(front, *clause.high));
      break;
  }
  return range;
}

}  // namespace

KeyRange key_range(std::string partition, const expr::KeyClauses& range) {
  std::string front = std::move(partition);
  for (const KeyClause& clause : range) {
    if (clause.op != KeyOperator::equal) return narrowed(front, clause);
    append_key_component(front, *clause.value);
  }
  return KeyRange::of_prefix(front);
}

}  // namespace dinette::dynamodb
