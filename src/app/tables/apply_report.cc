#include "app/tables/apply_report.h"

#include <algorithm>
#include <array>
#include <set>

#include "dinette/base/ascii.h"

#include "app/transfer/transfer.h"

namespace dinette::app {
namespace {

using Outcome = AppliedTable::Outcome;

constexpr std::size_t name_column = 11;

constexpr std::array all_outcomes{Outcome::created,  Outcome::unchanged, Outcome::differs, Outcome::updated,
                                  Outcome::replaced, Outcome::skipped,   Outcome::deleted, Outcome::failed};

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

std::string report_of(const AppliedTable& table) {
  std::string text(name_of(table.outcome));
  text.resize(name_column, ' ');
  text += table.name;
  if (table.id != table.name) text += " (" + table.id + ")";
  if (!table.parts.empty()) text += ": " + comma_list(table.parts);
  text += "\n";
  for (const std::string& error : table.errors) text += "  " + error + "\n";
  for (const Difference& difference : table.differences)
    text += "  " + text_of(difference, "the table", "the file") + "\n";
  for (const std::string& remark : table.remarks) text += "  " + remark + "\n";
  return text;
}

std::string summary_of(const std::vector<AppliedTable>& tables) {
  std::vector<std::string> parts;
  for (const Outcome outcome : all_outcomes) {
    const auto count = std::ranges::count(tables, outcome, &AppliedTable::outcome);
    if (count > 0)
      parts.push_back(with_commas(static_cast<std::uint64_t>(count)) + " " + std::string(name_of(outcome)));
  }
  return with_commas(tables.size()) + (tables.size() == 1 ? " table: " : " tables: ") + comma_list(parts);
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

std::vector<std::string> lines_of_unserved(const definitions::Definitions& definitions) {
  std::vector<std::string> lines;
  for (const definitions::Trigger& trigger : definitions.triggers)
    lines.push_back("the trigger " + trigger.id + " of the table " + trigger.table +
                    " is left out: functions are not called");
  return lines;
}

std::string text_of(const definitions::Note& note) {
  const std::string place = note.place.text();
  return place.empty() ? note.text : place + ": " + note.text;
}

}  // namespace dinette::app
