#include "lambda/filters/record_filter.h"

#include <optional>

#include "dinette/base/base64.h"

namespace dinette::lambda {
namespace {

void add_member(JsonTree& object, std::string name, JsonTree value) {
  object.names.push_back(std::move(name));
  object.values.push_back(std::move(value));
}

/// Adds the members of `kinesis` to the record that has it, the data as the JSON object that they contain.
/// Other data cannot be matched.
void add_kinesis_members(JsonTree& record) {
  const JsonTree* const found = record.member("kinesis");
  if (found == nullptr) return;
  const JsonTree kinesis = *found;  // additions move it
  for (std::size_t i = 0; i < kinesis.names.size(); ++i) {
    if (kinesis.names[i] != "data") {
      add_member(record, kinesis.names[i], kinesis.values[i]);
      continue;
    }
    const auto data = base::base64_decode(kinesis.values[i].text);
    std::optional<JsonTree> tree = data ? aws::read_json_tree(*data, most_filter_levels) : std::nullopt;
    if (tree) add_member(record, "data", *std::move(tree));
  }
}

}  // namespace

bool RecordFilter::admits(std::string_view record) const {
  if (criteria_.empty()) return true;
  std::optional<JsonTree> tree = aws::read_json_tree(record, most_filter_levels);
  if (!tree) return false;
  if (kind_ == StreamKind::kinesis) add_kinesis_members(*tree);
  return criteria_.admit(*tree);
}

}  // namespace dinette::lambda
