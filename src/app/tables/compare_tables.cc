#include "app/tables/compare_tables.h"

#include "app/tables/normal_form.h"
#include "app/tables/server_tables.h"
#include "app/tables/table_difference.h"
#include "app/tables/table_index.h"
#include "app/transfer/described_tables.h"
#include "app/transfer/table_states.h"

namespace dinette::app {
namespace {

using definitions::TableDefinition;

void note_missing(const TableDefinition& table, const std::string& place, Comparison& to) {
  to.is_same = false;
  to.text += table.name + ": only in " + place + "\n";
}

void compare_tables(const TableDefinition& left, const TableDefinition& right, Comparison& to) {
  const auto found = differences(normal_form(left), normal_form(right));
  to.text += left.name + (found.empty() ? ": the same\n" : ": differs\n");
  if (!found.empty()) to.is_same = false;
  for (const Difference& difference : found)
    to.text += "  " + text_of(difference, to.left_name, to.right_name) + "\n";
}

}  // namespace

void compare_with_tables(const std::vector<TableDefinition>& left, const std::vector<TableDefinition>& right,
                         Comparison& comparison) {
  const TableIndex of_left(left);
  const TableIndex of_right(right);
  for (const TableDefinition& table : left) {
    if (const TableDefinition* const other = of_right.find(table.name)) {
      compare_tables(table, *other, comparison);
    } else {
      note_missing(table, comparison.left_name, comparison);
    }
  }
  for (const TableDefinition& table : right) {
    if (!of_left.has(table.name)) note_missing(table, comparison.right_name, comparison);
  }
}

base::Result<void, std::string> compare_with_server(const Transfer& transfer,
                                                    const std::vector<TableDefinition>& left,
                                                    bool name_others, Comparison& comparison) {
  for (const TableDefinition& table : left) {
    DINETTE_TRY(const auto description, describe_if_there(transfer, table.name));
    if (!description) {
      note_missing(table, comparison.left_name, comparison);
      continue;
    }
    DINETTE_TRY(const auto there, definition_of(transfer, table.name, *description));
    compare_tables(table, there, comparison);
  }
  if (!name_others) return {};
  const TableIndex of_left(left);
  DINETTE_TRY(const auto names, all_tables(transfer));
  for (const std::string& name : names) {
    if (!of_left.has(name))
      comparison.text += name + ": in " + comparison.right_name + ", defined by no file\n";
  }
  return {};
}

}  // namespace dinette::app
