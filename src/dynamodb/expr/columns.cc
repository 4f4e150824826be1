#include <utility>

#include "dynamodb/expr/ast.h"
#include "dynamodb/expr/document.h"
#include "dynamodb/expr/expressions.h"

namespace dinette::dynamodb::expr {

Columns::Columns(ParsedRef parsed, Bindings bindings, std::span<const std::string> names)
    : parsed_(std::move(parsed)), bindings_(std::move(bindings)), names_(names) {}

model::Item Columns::project(const model::Item& item) const {
  std::vector<model::Attribute> columns;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const model::AttributeValue* value = find(*parsed_, bindings_, parsed_->targets[i], &item);
    if (value != nullptr) columns.push_back({names_[i], *value});
  }
  return model::Map::from_unsorted(std::move(columns));
}

std::vector<std::string_view> Columns::attributes() const {
  std::vector<std::string_view> names;
  names.reserve(parsed_->targets.size());
  for (const Path path : parsed_->targets) names.push_back(root_name(*parsed_, bindings_, path));
  return names;
}

}  // namespace dinette::dynamodb::expr
