#include "mcp/revision.h"

#include <algorithm>
#include <array>

namespace dinette::mcp {
namespace {

constexpr std::array<Revision, 5> all_revisions{{
    {.name = "2026-07-28", .annotations = true, .titles = true, .sessions = false},
    {.name = "2025-11-25", .annotations = true, .titles = true},
    {.name = "2025-06-18", .annotations = true, .titles = true},
    {.name = "2025-03-26", .annotations = true, .batches = true},
    {.name = "2024-11-05"},
}};

}  // namespace

std::span<const Revision> revisions() {
  return all_revisions;
}

const Revision* find_revision(std::string_view name) {
  const auto found = std::ranges::find(all_revisions, name, &Revision::name);
  return found == all_revisions.end() ? nullptr : &*found;
}

const Revision& newest_with_sessions() {
  return *std::ranges::find(all_revisions, true, &Revision::sessions);
}

}  // namespace dinette::mcp
