#include "app/tables/show/hcl_block.h"

#include <algorithm>

#include "dinette/definitions/node.h"

namespace dinette::app {
namespace {

/// Returns lines in which the equals signs are below each other.
std::string aligned(const std::vector<std::pair<std::string, std::string>>& attributes, std::size_t column) {
  std::size_t width = 0;
  for (const auto& [name, expression] : attributes) width = std::max(width, name.size());
  std::string text;
  for (const auto& [name, expression] : attributes) {
    text.append(column, ' ').append(name).append(width - name.size(), ' ');
    text.append(" = ").append(expression).append("\n");
  }
  return text;
}

}  // namespace

void HclBlock::set_map(std::string name, std::vector<std::pair<std::string, std::string>> values) {
  for (auto& [key, value] : values) {
    key = hcl_text(key);
    value = hcl_text(value);
  }
  maps_.emplace_back(std::move(name), std::move(values));
}

std::string HclBlock::text(std::size_t column) const {
  constexpr std::size_t hcl_indent = 2;
  const std::string margin(column, ' ');
  const std::size_t inner = column + hcl_indent;
  std::string body = aligned(attributes_, inner);
  const auto add_part = [&body](const std::string& part) { body += (body.empty() ? "" : "\n") + part; };
  for (const HclBlock& block : blocks_) add_part(block.text(inner));
  for (const auto& [name, values] : maps_)
    add_part(std::string(inner, ' ') + name + " = {\n" + aligned(values, inner + hcl_indent) +
             std::string(inner, ' ') + "}\n");
  return margin + head_ + " {\n" + body + margin + "}\n";
}

std::string hcl_text(std::string_view text) {
  const std::string quoted = definitions::to_json(definitions::Node::text(std::string(text)));
  std::string escaped;
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    escaped += quoted[i];
    const bool begins_template = (quoted[i] == '$' || quoted[i] == '%') && quoted[i + 1] == '{';
    if (begins_template) escaped += quoted[i];  // written twice, it begins nothing
  }
  return escaped;
}

}  // namespace dinette::app
