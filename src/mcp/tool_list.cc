#include "mcp/tool_list.h"

#include <utility>

namespace dinette::mcp {
namespace {

OrderedJson annotations_of(const Tool& tool, bool allow_writes) {
  const bool writes = tool.only_writes() || (tool.effect == Effect::as_is_allowed && allow_writes);
  OrderedJson hints{{"title", tool.title}, {"readOnlyHint", !writes}};
  // These two mean something only for tools that write.
  if (writes) hints["destructiveHint"] = tool.effect != Effect::adds;
  if (writes) hints["idempotentHint"] = tool.idempotent;
  hints["openWorldHint"] = false;
  return hints;
}

}  // namespace

OrderedJson input_schema(const Tool& tool) {
  return {{"type", "object"},
          {"properties", tool.properties},
          {"required", tool.required},
          {"additionalProperties", false}};
}

OrderedJson listed(const Tool& tool, const Revision& revision, bool allow_writes) {
  OrderedJson entry{{"name", tool.name}};
  if (revision.titles) entry["title"] = tool.title;
  entry["description"] = tool.description;
  entry["inputSchema"] = input_schema(tool);
  if (revision.annotations) entry["annotations"] = annotations_of(tool, allow_writes);
  return entry;
}

}  // namespace dinette::mcp
