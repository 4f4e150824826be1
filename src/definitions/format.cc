#include "format.h"

#include <algorithm>
#include <vector>

#include "cloudformation/cloud_assembly.h"
#include "cloudformation/template.h"
#include "code_files.h"
#include "serverless/serverless.h"
#include "table_requests/table_requests.h"
#include "terraform/terraform.h"
#include "workbench/workbench.h"

namespace dinette::definitions {
namespace {

/// In the order in which they are asked; each is declared in the header of its reader.
const std::vector<const Format*>& formats() {
  static const std::vector<const Format*> all = {
      &cloudformation_format, &cloud_assembly_format,  &serverless_format,
      &terraform_json_format, &terraform_state_format, &terraform_json_configuration_format,
      &workbench_format,      &table_requests_format,
  };
  return all;
}

const std::vector<const TextFormat*>& text_formats() {
  static const std::vector<const TextFormat*> all = {
      &terraform_configuration_format,
      &code_files_format,
  };
  return all;
}

void append_name(std::string_view name, std::string& to) {
  if (!to.empty()) to += ", ";
  to += name;
}

}  // namespace

const Format* find_format(const Node& root) {
  const auto found =
      std::ranges::find_if(formats(), [&](const Format* format) { return format->recognises(root); });
  return found == formats().end() ? nullptr : *found;
}

const TextFormat* find_text_format(std::string_view content, const std::filesystem::path& file) {
  const auto found = std::ranges::find_if(
      text_formats(), [&](const TextFormat* format) { return format->recognises(content, file); });
  return found == text_formats().end() ? nullptr : *found;
}

std::string format_names() {
  std::string names;
  for (const Format* const format : formats()) append_name(format->name, names);
  for (const TextFormat* const format : text_formats()) append_name(format->name, names);
  return names;
}

}  // namespace dinette::definitions
