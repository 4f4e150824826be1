#include "dynamodb/reads/item_selection.h"

#include <algorithm>

#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/expr/legacy_reads.h"
#include "dynamodb/request/attribute_names.h"

namespace dinette::dynamodb {

ItemSelection::ItemSelection(expr::Projection projection)
    : selection_(std::move(projection)), attributes_(std::get<expr::Projection>(selection_).attributes()) {}

ItemSelection::ItemSelection(std::span<const std::string> attributes_to_get)
    : selection_(AttributesToGet{}), attributes_(attributes_to_get.begin(), attributes_to_get.end()) {
  std::ranges::sort(attributes_);
}

ItemSelection::ItemSelection(expr::Columns columns)
    : selection_(std::move(columns)),
      attributes_(in_order(std::get<expr::Columns>(selection_).attributes())) {}

std::span<const std::string_view> ItemSelection::reached_into() const {
  if (const auto* columns = std::get_if<expr::Columns>(&selection_)) return columns->reached_into();
  const auto* projection = std::get_if<expr::Projection>(&selection_);
  return projection ? projection->reached_into() : std::span<const std::string_view>();
}

model::Item ItemSelection::select(model::Item item) const {
  if (const auto* projection = std::get_if<expr::Projection>(&selection_)) return projection->project(item);
  if (const auto* columns = std::get_if<expr::Columns>(&selection_)) return columns->project(item);
  return item;
}

kv::Result<std::size_t> ItemSelection::append_selected(std::string& json, std::string_view record,
                                                       model::Work& work) const {
  if (everything()) {
    const codec::RecordParts parts = codec::parts_of(record);
    json += parts.text;
    work.add(work_of_copying(parts.text.size()));
    return parts.size;
  }
  DINETTE_TRY(model::Item read, codec::read_attributes(record, attributes_, work));
  const model::Item selected = select(std::move(read));
  const std::size_t end = json.size();
  codec::append_item(json, selected);
  work.add(work_of_copying(json.size() - end));
  return model::size_in_bytes(selected);
}

Answer<ItemSelection> item_selection(RequestExpressions& expressions,
                                     const std::optional<std::string>& projection_expression,
                                     const std::optional<std::vector<std::string>>& attributes_to_get) {
  if (attributes_to_get) {
    const auto names = expr::legacy::check_attributes_to_get(*attributes_to_get);
    if (!names) return expressions.refused(names.error());
    return ItemSelection(*attributes_to_get);
  }
  return expressions.projection<ItemSelection>(projection_expression);
}

}  // namespace dinette::dynamodb
