#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "dynamodb/expr/ast.h"
#include "dynamodb/expr/expressions.h"
#include "dynamodb/model/attribute_value.h"

namespace dinette::dynamodb::expr {

/// One step of a bound path: into a map by name, or into a list by position.
struct Step {
  bool index;
  std::string_view name;  // unless index
  std::size_t position;   // if index
};

inline Step step(const Parsed& parsed, const Bindings& bindings, Path path, std::size_t depth) {
  const PathElement& element = parsed.elements[path.first + depth];
  if (element.index) return {true, {}, element.number};
  return {false, bindings.names[element.number], 0};
}

/// The attribute a path starts at.
inline std::string_view root_name(const Parsed& parsed, const Bindings& bindings, Path path) {
  return step(parsed, bindings, path, 0).name;
}

/// Names before positions, names by their bytes.
std::strong_ordering compare(const Step& a, const Step& b);
std::strong_ordering compare_paths(const Parsed& parsed, const Bindings& bindings, Path a, Path b);

/// Returns the path as messages print it: `[a, b, [0]]`
std::string printed(const Parsed& parsed, const Bindings& bindings, Path path);

/// Returns the value at a path, null for none; a null item has no values.
const model::AttributeValue* find(const Parsed& parsed, const Bindings& bindings, Path path,
                                  const model::Item* item);

}  // namespace dinette::dynamodb::expr
