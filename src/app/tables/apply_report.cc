#include "app/tables/apply_report.h"

#include <algorithm>
#include <array>
#include <set>

#include "dinette/base/ascii.h"

#include "app/transfer/transfer.h"

namespace dinette::app {
namespace {

using Kind = AppliedResource::Kind;
using Outcome = AppliedResource::Outcome;

constexpr std::size_t name_column = 11;

constexpr std::array all_outcomes{Outcome::created,  Outcome::unchanged, Outcome::differs, Outcome::updated,
                                  Outcome::replaced, Outcome::skipped,   Outcome::deleted, Outcome::failed};

constexpr std::array all_kinds{Kind::table, Kind::keyspace, Kind::type, Kind::keyspaces_table, Kind::trigger};

/// What messages call resources of a kind.
struct Nouns {
  std::string_view one;          ///< where its name is there, too
  std::string_view counted_one;  ///< where only their number is
  std::string_view counted_several;
};

Nouns nouns_of(Kind kind) {
  switch (kind) {
    case Kind::table:
      return {"table", "table", "tables"};
    case Kind::keyspace:
      return {"keyspace", "keyspace", "keyspaces"};
    case Kind::type:
      return {"type", "type of Amazon Keyspaces", "types of Amazon Keyspaces"};
    case Kind::keyspaces_table:
      return {"table", "table of Amazon Keyspaces", "tables of Amazon Keyspaces"};
    case Kind::trigger:
      return {"trigger", "trigger", "triggers"};
  }
  return {};
}

std::string comma_list(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// Returns "PlantsTable" as PLANTS_TABLE, "dev-plants" as DEV_PLANTS.
std::string variable_name(std::string_view id) {
  std::string name;
  bool after_small = false;
  for (const char c : id) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (is_capital && after_small) name += '_';
    after_small = base::is_digit(c) || (base::is_letter(c) && !is_capital);
    name += base::is_letter(c) || base::is_digit(c) ? base::to_upper(c) : '_';
  }
  if (!name.empty() && base::is_digit(name.front())) name.insert(0, 1, '_');
  return name.ends_with("TABLE") ? name : name + "_TABLE";
}

}  // namespace

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::created:
      return "created";
    case Outcome::unchanged:
      return "unchanged";
    case Outcome::differs:
      return "differs";
    case Outcome::updated:
      return "updated";
    case Outcome::replaced:
      return "replaced";
    case Outcome::skipped:
      return "skipped";
    case Outcome::deleted:
      return "deleted";
    case Outcome::failed:
      return "failed";
  }
  return "";
}

std::string_view noun_of(Kind kind) {
  return nouns_of(kind).one;
}

std::string text_of_difference(const AppliedResource& resource, const Difference& difference) {
  return text_of(difference, "the " + std::string(noun_of(resource.kind)), "the file");
}

std::string report_of(const AppliedResource& resource) {
  std::string text(name_of(resource.outcome));
  text.resize(name_column, ' ');
  if (resource.kind != Kind::table && resource.kind != Kind::keyspaces_table)
    text.append(noun_of(resource.kind)) += ' ';
  text += resource.name;
  if (resource.id != resource.name) text += " (" + resource.id + ")";
  if (!resource.parts.empty()) text += ": " + comma_list(resource.parts);
  text += "\n";
  for (const std::string& error : resource.errors) text += "  " + error + "\n";
  for (const Difference& difference : resource.differences)
    text += "  " + text_of_difference(resource, difference) + "\n";
  for (const std::string& remark : resource.remarks) text += "  " + remark + "\n";
  return text;
}

std::string summary_of(const std::vector<AppliedResource>& resources) {
  std::string summary;
  for (const Kind kind : all_kinds) {
    const auto number = std::ranges::count(resources, kind, &AppliedResource::kind);
    if (number == 0) continue;
    std::vector<std::string> parts;
    for (const Outcome outcome : all_outcomes) {
      const auto count = std::ranges::count_if(resources, [&](const AppliedResource& resource) {
        return resource.kind == kind && resource.outcome == outcome;
      });
      if (count > 0)
        parts.push_back(with_commas(static_cast<std::uint64_t>(count)) + " " + std::string(name_of(outcome)));
    }
    const Nouns nouns = nouns_of(kind);
    if (!summary.empty()) summary += "; ";
    summary += count_text(static_cast<std::uint64_t>(number), nouns.counted_one, nouns.counted_several) +
               ": " + comma_list(parts);
  }
  return summary;
}

std::string environment_lines(const std::vector<definitions::TableDefinition>& tables) {
  std::set<std::string> taken;
  std::string lines;
  for (const definitions::TableDefinition& table : tables) {
    const std::string wanted = variable_name(table.id);
    std::string name = wanted;
    for (int number = 2; !taken.insert(name).second; ++number) name = wanted + "_" + std::to_string(number);
    lines.append(name).append("=").append(table.name).append("\n");
  }
  return lines;
}

std::string text_of(const definitions::Note& note) {
  const std::string place = note.place.text();
  return place.empty() ? note.text : place + ": " + note.text;
}

}  // namespace dinette::app
