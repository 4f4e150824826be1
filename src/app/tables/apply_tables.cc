#include "app/tables/apply_tables.h"

#include <algorithm>
#include <utility>

#include "app/tables/application.h"
#include "app/tables/members.h"
#include "app/tables/normal_form.h"
#include "app/tables/server_tables.h"
#include "app/tables/table_index.h"
#include "app/tables/update_plan.h"
#include "app/transfer/batch_writer.h"
#include "app/transfer/described_tables.h"
#include "app/transfer/import_tables.h"
#include "app/transfer/table_states.h"

namespace dinette::app {
namespace {

using definitions::Definitions;
using definitions::FollowUp;
using definitions::Node;
using definitions::SeedFile;
using definitions::TableDefinition;
using Outcome = AppliedResource::Outcome;

/// Returns what a table has besides its keys, for the user.
std::vector<std::string> parts_of(const TableDefinition& table) {
  const Node whole = whole_table(table);
  std::vector<std::string> parts;
  const std::size_t indexes = elements_of(whole.find("GlobalSecondaryIndexes")).size() +
                              elements_of(whole.find("LocalSecondaryIndexes")).size() +
                              elements_of(whole.find("VectorIndexes")).size();
  if (indexes > 0) parts.push_back(count_text(indexes, "index", "indexes"));
  const Node normal = normal_form(table);
  if (normal.has("StreamSpecification")) parts.emplace_back("stream");
  if (normal.has("TimeToLiveSpecification")) parts.emplace_back("TTL");
  if (normal.has("PointInTimeRecoverySpecification")) parts.emplace_back("point-in-time recovery");
  if (normal.has("Tags")) parts.push_back(count_text(normal.find("Tags")->elements().size(), "tag", "tags"));
  if (!table.items.empty()) parts.push_back(items_text(table.items.size()));
  return parts;
}

/// Returns true for what a new table has anyway, and some of which the service refuses to say of one.
bool says_nothing_new(const FollowUp& follow_up) {
  return is_false(follow_up.input.find("TimeToLiveSpecification", "Enabled")) ||
         is_false(follow_up.input.find("PointInTimeRecoverySpecification", "PointInTimeRecoveryEnabled"));
}

class TableApplication final : public Application {
 public:
  TableApplication(const Transfer& transfer, const TableDefinition& table, const std::vector<SeedFile>& seeds,
                   OnDifference existing)
      : Application(transfer, existing), table_(table), seeds_(seeds) {
    applied_.id = table.id;
    applied_.name = table.name;
  }

 private:
  Presence look() override {
    auto description = describe_if_there(transfer_, table_.name);
    if (!succeeded(description)) return Presence::unknown;
    if (!*description) return Presence::absent;
    description_ = **std::move(description);
    return Presence::present;
  }

  bool compare() override {
    const auto there = definition_of(transfer_, table_.name, description_);
    if (!succeeded(there)) return false;
    is_ = normal_form(*there);
    wanted_ = normal_form(table_);
    applied_.differences = differences(is_, wanted_);
    return true;
  }

  bool update() override {
    return std::ranges::all_of(plan_update(is_, wanted_, arn_in(description_)),
                               [this](const PlannedCall& call) {
                                 return carry_out(call.operation, call.input) && becomes_active();
                               });
  }

  bool is_replaceable() const override { return true; }

  bool remove() override {
    return carry_out("DeleteTable", Node::map({{"TableName", Node::text(table_.name)}})) &&
           succeeded(wait_until_gone(transfer_, table_.name));
  }

  bool create() override {
    if (!carry_out("CreateTable", table_.create) || !becomes_active()) return false;
    applied_.parts = parts_of(table_);
    write_items();
    import_seeds();
    for (const FollowUp& follow_up : table_.follow_ups) {
      if (!says_nothing_new(follow_up)) follow(follow_up);
    }
    return applied_.errors.empty();
  }

  bool becomes_active() { return succeeded(wait_until_active(transfer_, table_.name)); }

  void write_items() {
    if (table_.items.empty()) return;
    transfer_.progress.begin("writing", table_.name, table_.items.size());
    BatchWriter writer(transfer_, table_.name);
    base::Result<void, std::string> written;
    for (const Node& item : table_.items) {
      if (written) written = writer.add({definitions::to_json(item), item.place().text(), false});
    }
    if (written) written = writer.flush();
    transfer_.progress.end();
    if (!written) fail(written.error());
  }

  /// Imports the files that the definitions name as this table's.
  void import_seeds() {
    std::uint64_t items = 0;
    for (const SeedFile& seed : seeds_) {
      if (seed.table != table_.name) continue;
      const auto imported = import_tables(transfer_, {seed.file, table_.name, {}, {}, {}});
      if (!imported) return fail(imported.error());
      for (const MovedTable& moved : *imported) items += moved.items;
    }
    if (items > 0) applied_.parts.push_back(items_text(items) + " of other files");
  }

  void follow(const FollowUp& follow_up) {
    Node input = follow_up.input;
    input.set("TableName", Node::text(table_.name));
    const auto output = transfer_.call(follow_up.operation, definitions::to_json(input));
    if (output) return;
    if (output.error().type == unknown_operation) {
      applied_.remarks.push_back(follow_up.operation + " was left out: the server does not serve it");
    } else {
      fail(output.error().message);
    }
  }

  bool carry_out(const std::string& operation, const Node& input) {
    return succeeded(transfer_.call(operation, definitions::to_json(input)));
  }

  const TableDefinition& table_;
  const std::vector<SeedFile>& seeds_;
  std::string description_;  ///< the output of DescribeTable
  Node is_;                  ///< in its normal form, and what is wanted
  Node wanted_;
};

AppliedResource deleted(const Transfer& transfer, const std::string& name) {
  AppliedResource table;
  table.name = table.id = name;
  const auto output = transfer.call("DeleteTable", naming(name));
  if (output) {
    table.outcome = Outcome::deleted;
  } else {
    table.errors.push_back(output.error().message);
  }
  return table;
}

/// Deletes the tables that nothing defines.
void prune(const Transfer& transfer, const Definitions& definitions, std::vector<AppliedResource>& applied) {
  const auto names = all_tables(transfer);
  if (!names) {
    AppliedResource all;
    all.name = all.id = "other tables";
    all.errors.push_back(names.error());
    applied.push_back(std::move(all));
    return;
  }
  const TableIndex defined(definitions.tables);
  for (const std::string& name : *names) {
    if (!defined.has(name)) applied.push_back(deleted(transfer, name));
  }
}

}  // namespace

std::vector<AppliedResource> apply_tables(const Transfer& transfer, const Definitions& definitions,
                                          const ApplySettings& settings) {
  std::vector<AppliedResource> applied;
  for (const TableDefinition& table : definitions.tables)
    applied.push_back(TableApplication(transfer, table, definitions.seeds, settings.existing).run());
  // A table whose definition could not be read must not be deleted.
  if (settings.prune && definitions.errors.empty()) prune(transfer, definitions, applied);
  return applied;
}

}  // namespace dinette::app
