#include "dynamodb/expr/document.h"

#include <algorithm>

namespace dinette::dynamodb::expr {

std::strong_ordering compare(const Step& a, const Step& b) {
  if (a.index != b.index) return a.index <=> b.index;
  // One name, of up to 64 KB, may be in hundreds of paths.
  const bool same_text = !a.index && a.name.data() == b.name.data() && a.name.size() == b.name.size();
  if (same_text) return std::strong_ordering::equal;
  return a.index ? a.position <=> b.position : a.name <=> b.name;
}

std::strong_ordering compare_paths(const Parsed& parsed, const Bindings& bindings, Path a, Path b) {
  const std::size_t common = std::min(a.count, b.count);
  for (std::size_t depth = 0; depth < common; ++depth) {
    const auto order = compare(step(parsed, bindings, a, depth), step(parsed, bindings, b, depth));
    if (order != std::strong_ordering::equal) return order;
  }
  return a.count <=> b.count;
}

std::string printed(const Parsed& parsed, const Bindings& bindings, Path path) {
  std::string text = "[";
  for (std::size_t depth = 0; depth < path.count; ++depth) {
    if (depth > 0) text += ", ";
    const Step one = step(parsed, bindings, path, depth);
    if (one.index) {
      text += '[' + std::to_string(one.position) + ']';
    } else {
      text += one.name;
    }
  }
  return text + "]";
}

const model::AttributeValue* find(const Parsed& parsed, const Bindings& bindings, Path path,
                                  const model::Item* item) {
  if (item == nullptr) return nullptr;
  const model::AttributeValue* value = item->find(root_name(parsed, bindings, path));
  for (std::size_t depth = 1; depth < path.count && value != nullptr; ++depth) {
    const Step one = step(parsed, bindings, path, depth);
    if (one.index) {
      const auto* list = value->get_if<model::List>();
      value = list != nullptr && one.position < list->size() ? &(*list)[one.position] : nullptr;
    } else {
      const auto* map = value->get_if<model::Map>();
      value = map != nullptr ? map->find(one.name) : nullptr;
    }
  }
  return value;
}

}  // namespace dinette::dynamodb::expr
