#include "cql/statements/write_plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "dinette/base/waiting.h"

#include "cql/data/row_values.h"
#include "cql/frames/body_reader.h"
#include "cql/statements/batch_size.h"
#include "cql/statements/capacity.h"
#include "cql/statements/touched_rows.h"

namespace dinette::cql::statements {
namespace {

using BatchType = grammar::Batch::Type;

// docs/service-keyspaces/dml.md section 7.
constexpr std::size_t most_unlogged = 30;
constexpr std::size_t most_logged = 100;
constexpr std::size_t most_logged_with_statics = 50;
constexpr std::size_t most_logged_bytes = 4 * 1024 * 1024;
constexpr std::size_t most_lenient = 65'535;

std::vector<const Term*> key_terms(const Where& where) {
  std::vector<const Term*> terms;
  for (const Restriction& restriction : where.partition) {
    terms.push_back(restriction.equal ? &*restriction.equal : nullptr);
  }
  return terms;
}

/// Returns true if a statement demands something of its row, not of static columns alone.
bool tests_row(const Modification& statement) {
  if (statement.existence != grammar::Conditions::Existence::any) return true;
  return std::ranges::any_of(statement.conditions, [](const ConditionCheck& one) {
    return one.column->kind != schema::ColumnKind::static_;
  });
}

frames::Cell cell_of(std::optional<std::string_view> value) {
  if (!value) return std::nullopt;
  return std::string(*value);
}

frames::ColumnSpec spec_of(const schema::Table& table, std::size_t column) {
  return {table.keyspace, table.name, table.columns[column].name, table.columns[column].type};
}

/// Writes with conditions, and the answer to them.
class ConditionalWrite {
 public:
  ConditionalWrite(std::span<const BatchPart> parts, const Writes& writes, bool in_batch)
      : parts_(parts), writes_(writes), in_batch_(in_batch) {}

  Answer<void> bind(const CallContext& call) {
    for (const BatchPart& part : parts_) {
      DINETTE_TRY(conditions_.emplace_back(), bind_conditions(*part.modification, {part.values, call}));
    }
    return {};
  }

  Answer<bool> test(std::span<const data::SeenRow> seen) {
    bool all = true;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const std::size_t part = writes_.statements[i];
      DINETTE_TRY(const bool one,
                  holds(*parts_[part].modification, conditions_[part], writes_.rows[i], seen[i]));
      all = all && one;
    }
    if (!all) keep(seen);
    return all;
  }

  /// The answer if the conditions do not hold.
  RowSet refusal() const {
    RowSet out;
    std::vector<frames::ColumnSpec> columns = {
        {table().keyspace, table().name, "[applied]", {.kind = Kind::boolean}}};
    out.rows = rows_;
    if (rows_.empty()) {
      out.rows.push_back({frames::Cell(std::string(1, '\0'))});
    } else {
      for (const std::size_t column : columns_) columns.push_back(spec_of(table(), column));
    }
    out.metadata = frames::Metadata::of(std::move(columns));
    return out;
  }

 private:
  /// Keeps what the answer shows: the bytes that were read are gone afterwards.
  void keep(std::span<const data::SeenRow> seen) {
    choose_columns();
    rows_.clear();
    std::map<std::string, std::vector<std::size_t>> partitions;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const data::RowWrite& write = writes_.rows[i];
      if (write.tests && write.table == &table()) partitions[write.prefix].push_back(i);
    }
    for (const auto& [prefix, numbers] : partitions) keep_partition(numbers, seen);
  }

  const schema::Table& table() const { return parts_.front().modification->table(); }

  void choose_columns() {
    columns_.clear();
    if (in_batch_) {
      for (std::size_t i = 0; i < table().partition_key_size() + table().clustering_size(); ++i)
        columns_.push_back(i);
    }
    for (const BatchPart& part : parts_) {
      for (const std::size_t column : columns_of_refusal(*part.modification)) {
        if (std::ranges::find(columns_, column) == columns_.end()) columns_.push_back(column);
      }
    }
    // Of a statement that demands that rows exist, or not, all columns in the order of the table.
    const auto all = [](const BatchPart& part) {
      return part.modification->existence != grammar::Conditions::Existence::any;
    };
    if (std::ranges::any_of(parts_, all)) std::ranges::sort(columns_);
  }

  /// Keeps those of the rows that were tested and that exist, in their order. If there are none, the static
  /// columns, if they were read and one of them has a value (docs/service-keyspaces/dml.md section 6).
  void keep_partition(const std::vector<std::size_t>& numbers, std::span<const data::SeenRow> seen) {
    const bool any_row = std::ranges::any_of(
        numbers, [&](std::size_t i) { return tests_row(statement_of(i)) && writes_.rows[i].has_row; });
    std::map<std::string, std::size_t> rows;
    for (const std::size_t i : numbers) {
      const bool tested = !any_row || tests_row(statement_of(i));
      if (tested && writes_.rows[i].has_row && seen[i].exists) rows.emplace(writes_.rows[i].key_part, i);
    }
    for (const auto& [key, i] : rows) rows_.push_back(row_of(writes_.rows[i], seen[i], true));
    const std::size_t first = numbers.front();
    if (rows.empty() && shows_statics(seen[first]))
      rows_.push_back(row_of(writes_.rows[first], seen[first], false));
  }

  const Modification& statement_of(std::size_t write) const {
    return *parts_[writes_.statements[write]].modification;
  }

  /// Cassandra reads all static columns for statements that change one, otherwise those of conditions.
  bool shows_statics(const data::SeenRow& seen) const {
    const auto changes = [](const BatchPart& part) { return !part.modification->static_operations.empty(); };
    // What INSERT JSON changes its text alone tells.
    const auto writes = [](const data::RowWrite& write) { return !write.static_changes.empty(); };
    if (std::ranges::any_of(parts_, changes) || std::ranges::any_of(writes_.rows, writes))
      return !seen.statics.empty();
    const auto has_value = [&](const ConditionCheck& check) {
      return check.column->kind == schema::ColumnKind::static_ &&
             std::ranges::find(seen.statics, check.column->id, &data::Cell::column) != seen.statics.end();
    };
    return std::ranges::any_of(parts_, [&](const BatchPart& part) {
      return std::ranges::any_of(part.modification->conditions, has_value);
    });
  }

  /// `with_row`: otherwise the key of the partition and its static columns.
  std::vector<frames::Cell> row_of(const data::RowWrite& write, const data::SeenRow& seen,
                                   bool with_row) const {
    data::RowValues values(table());
    const std::vector<std::string_view> partition(write.partition.begin(), write.partition.end());
    values.set_partition(partition);
    if (with_row) values.set_row(seen.row);
    values.set_cells(seen.statics);
    std::vector<frames::Cell> row = {frames::Cell(std::string(1, '\0'))};
    for (const std::size_t column : columns_) row.push_back(cell_of(values.value(column)));
    return row;
  }

  std::span<const BatchPart> parts_;
  const Writes& writes_;
  const bool in_batch_;
  std::vector<std::vector<BoundCondition>> conditions_;
  // By the last test:
  std::vector<std::size_t> columns_;
  std::vector<std::vector<frames::Cell>> rows_;
};

bool is_conditional(std::span<const BatchPart> parts) {
  return std::ranges::any_of(parts,
                             [](const BatchPart& part) { return part.modification->is_conditional(); });
}

/// What the consistency level of a statement is for.
frames::LevelUse level_use(const Modification& modification) {
  const schema::Table& table = modification.table();
  return {.is_write = true,
          .is_conditional = modification.is_conditional(),
          .changes_counters = table.has_counters(),
          .table = table.name};
}

/// As timeouts name it (docs/service-keyspaces/capacity.md section 5).
std::string_view type_of_write(std::span<const BatchPart> parts, bool in_batch, bool logged) {
  if (is_conditional(parts)) return "CAS";
  if (parts.front().modification->table().has_counters()) return "COUNTER";
  if (!in_batch) return "SIMPLE";
  return logged ? "BATCH" : "UNLOGGED_BATCH";
}

/// A condition on existence that does not hold also costs what reading the row does, where rows may expire
/// and the order of arrival decides (docs/service-keyspaces/capacity.md section 1).
void charge_failed_existence(const Place& place, std::span<const BatchPart> parts,
                             std::span<const data::WrittenRecord> records) {
  const auto tests_existence = [](const BatchPart& part) {
    const schema::TableOptions& options = part.modification->table().options;
    return part.modification->existence != grammar::Conditions::Existence::any && options.time_to_live &&
           !options.client_side_timestamps;
  };
  if (std::ranges::none_of(parts, tests_existence)) return;
  std::uint64_t units = 0;
  for (const data::WrittenRecord& record : records)
    units += std::max<std::uint64_t>(read_units(record.metered), 1);
  charge_read(place, *parts.front().modification->open.stored, units, frames::Consistency::local_quorum);
}

/// Writes everything. Nothing if a table has changed.
Answer<std::optional<Outcome>> carry_out(const Place& place, std::span<const BatchPart> parts,
                                         const Writes& writes, bool in_batch, bool logged = false) {
  const bool conditional = is_conditional(parts);
  ConditionalWrite write(parts, writes, in_batch);
  if (conditional) DINETTE_CHECK(write.bind(call_context(place)));
  const auto test = [&](std::span<const data::SeenRow> seen) { return write.test(seen); };
  // What conditions allow is not refused afterwards, and not tested again when a part of it is done.
  if (conditional && !writes.ranges.empty()) {
    if (!base::may_wait()) return must_wait();
    for (const data::RangeDeletion& range : writes.ranges)
      DINETTE_CHECK(data::check_row_count(place.store, range));
  }
  const std::string_view type = type_of_write(parts, in_batch, logged);
  for (const BatchPart& part : parts)
    DINETTE_CHECK(check_write_capacity(place, *part.modification->open.stored, type));
  // What batches write to several tables is charged to the first one.
  const store::Table& charged = *parts.front().modification->open.stored;
  std::vector<data::WrittenRecord> records;
  if (!writes.rows.empty()) {
    DINETTE_TRY(const data::Written written, data::write_rows(place.store, writes.rows, test, records));
    if (written == data::Written::table_changed) return std::optional<Outcome>();
    charge_write(place, charged, units_of(records, logged));
    note_rows(place, writes.rows, records);
    if (written == data::Written::refused) {
      charge_failed_existence(place, parts, records);
      return std::optional(Outcome(write.refusal()));
    }
  }
  records.clear();
  for (const data::RangeDeletion& range : writes.ranges) {
    DINETTE_TRY(const data::Written written, data::delete_rows(place.store, range, records));
    if (written == data::Written::table_changed) return std::optional<Outcome>();
  }
  if (!writes.ranges.empty())
    charge_write(place, charged, std::max<std::uint64_t>(units_of(records, false), 1));
  if (conditional) return std::optional(Outcome(applied_answer(parts.front().modification->table())));
  return std::optional(Outcome(Void{}));
}

Answer<void> check_counters(BatchType type, std::span<const BatchPart> parts) {
  std::size_t counters = 0;
  for (const BatchPart& part : parts) counters += part.modification->table().has_counters() ? 1 : 0;
  if (type == BatchType::logged && counters > 0) {
    return invalid("Cannot include a counter statement in a logged batch");
  }
  if (type == BatchType::counter && counters < parts.size()) {
    return invalid("Cannot include non-counter statement in a counter batch");
  }
  if (counters > 0 && counters < parts.size()) {
    return invalid("Counter and non-counter mutations cannot exist in the same batch");
  }
  return {};
}

std::size_t size_of(const Writes& writes) {
  std::size_t size = 0;
  const auto add = [&](const std::vector<data::CellChange>& changes) {
    for (const data::CellChange& change : changes) {
      size += change.key.size() + change.value.size();
      for (const std::string& value : change.values) size += value.size();
    }
  };
  for (const data::RowWrite& write : writes.rows) {
    for (const std::string& value : write.partition) size += value.size();
    for (const std::string& value : write.clustering) size += value.size();
    add(write.changes);
    add(write.static_changes);
  }
  return size;
}

Answer<void> check_logged_count(std::size_t statements, bool has_statics) {
  const std::size_t most = has_statics ? most_logged_with_statics : most_logged;
  if (statements <= most) return {};
  return invalid("Batches with more than " + std::to_string(most) + " statements are not supported.");
}

/// What the service refuses.
Answer<void> check_strict(BatchType type, std::span<const BatchPart> parts) {
  if (type == BatchType::counter) return invalid("Only LOGGED and UNLOGGED Batches are supported.");
  if (type == BatchType::unlogged) {
    if (parts.size() > most_unlogged) {
      return invalid("Batches with more than 30 statements are not supported.");
    }
    // Over several tables the service has a defect, which is not imitated
    // (docs/service-keyspaces/errors.md section 5).
    if (is_conditional(parts)) {
      return invalid("Conditional statements are not supported in UNLOGGED batches.");
    }
    return {};
  }
  const bool statics = std::ranges::any_of(
      parts, [](const BatchPart& part) { return !part.modification->static_operations.empty(); });
  DINETTE_CHECK(check_logged_count(parts.size(), statics));
  const bool counters = std::ranges::any_of(
      parts, [](const BatchPart& part) { return part.modification->table().has_counters(); });
  if (counters) return invalid("Logged batches do not support counters.");
  return {};
}

Answer<void> check_strict_rows(std::size_t statements, const Writes& writes) {
  // Which columns INSERT JSON sets its text alone tells.
  const bool statics = std::ranges::any_of(
      writes.rows, [](const data::RowWrite& write) { return !write.static_changes.empty(); });
  DINETTE_CHECK(check_logged_count(statements, statics));
  if (!writes.ranges.empty()) return invalid("Logged batches do not support range deletes.");
  std::set<std::pair<const schema::Table*, std::pair<std::string, std::vector<std::string>>>> rows;
  for (const data::RowWrite& write : writes.rows) {
    if (!rows.insert({write.table, {write.prefix, write.clustering}}).second) {
      return invalid("Logged batches do not support several operations on the same row.");
    }
  }
  if (size_of(writes) > most_logged_bytes) return invalid("Batch too large");
  return {};
}

/// Fails if statements demand of one row that it exists, and that it does not.
Answer<void> check_existence(std::span<const BatchPart> parts, const Writes& writes) {
  using Existence = grammar::Conditions::Existence;
  std::map<std::vector<std::string>, const Modification*> first;
  for (std::size_t i = 0; i < writes.rows.size(); ++i) {
    const Modification& statement = *parts[writes.statements[i]].modification;
    if (!statement.is_conditional()) continue;
    const auto [place, added] = first.try_emplace(writes.rows[i].clustering, &statement);
    if (added) continue;
    const Modification& other = *place->second;
    const auto one_is = [&](Existence existence) {
      return statement.existence == existence || other.existence == existence;
    };
    if (statement.existence == other.existence || !one_is(Existence::not_exists)) continue;
    return invalid(one_is(Existence::exists)
                       ? "Cannot mix IF EXISTS and IF NOT EXISTS conditions for the same row"
                       : "Cannot mix IF conditions and IF NOT EXISTS for the same row");
  }
  return {};
}

/// What Cassandra demands of conditions in a batch.
Answer<void> check_conditional_batch(std::span<const BatchPart> parts, const Writes& writes) {
  for (const BatchPart& part : parts) {
    if (part.modification->open.stored != parts.front().modification->open.stored) {
      return invalid("Batch with conditions cannot span multiple tables");
    }
    if (part.modification->attributes.timestamp) {
      return invalid("Cannot provide custom timestamp for conditional BATCH");
    }
  }
  for (const data::RowWrite& write : writes.rows) {
    if (write.prefix != writes.rows.front().prefix) {
      return invalid("Batch with conditions cannot span multiple partitions");
    }
  }
  return check_existence(parts, writes);
}

}  // namespace

Answer<std::shared_ptr<const DataPlan>> ModificationPlan::make(const Place& place, std::string_view keyspace,
                                                               grammar::Statement statement) {
  std::shared_ptr<ModificationPlan> plan(new ModificationPlan(std::move(statement), keyspace));
  const grammar::Modification modification = std::visit(
      [](const auto& one) -> grammar::Modification {
        if constexpr (std::is_constructible_v<grammar::Modification, decltype(one)>) return one;
        return grammar::Insert{};
      },
      plan->statement_.value);
  DINETTE_TRY(system::OpenTable open, open_table(place, keyspace, table_of(modification)));
  DINETTE_CHECK(system::check_modifiable(open.table().keyspace));
  const schema::Table& table = open.table();
  Checker checker(place, table, plan->statement_.markers, plan->description_.binds);
  DINETTE_TRY(plan->modification_, check_modification(checker, std::move(open), modification));
  plan->description_.key_binds = key_binds(key_terms(plan->modification_.where));
  return std::shared_ptr<const DataPlan>(std::move(plan));
}

Answer<void> ModificationPlan::check_levels(const Place& place, const Options& options) const {
  return check_consistency(place, level_use(modification_), options);
}

Answer<std::optional<Outcome>> ModificationPlan::run(const Place& place,
                                                     std::span<const frames::Value> values,
                                                     const Options& options) const {
  const BatchPart part{&modification_, values};
  Writes writes;
  DINETTE_CHECK(add_writes(place, modification_, {values, call_context(place)}, options, {}, 0, writes));
  return carry_out(place, std::span(&part, 1), writes, false);
}

Answer<std::optional<Outcome>> run_batch(const Place& place, BatchType type, std::span<const BatchPart> parts,
                                         const BoundAttributes& attributes, const Options& options) {
  if (parts.empty()) return std::optional(Outcome(Void{}));
  if (place.strict()) DINETTE_CHECK(check_strict(type, parts));
  if (parts.size() > most_lenient) {
    return invalid("Batch statement cannot contain more than " + std::to_string(most_lenient) +
                   " statements.");
  }
  DINETTE_CHECK(check_counters(type, parts));
  // Statements of a batch have one timestamp.
  BoundAttributes common = attributes;
  Options once = options;
  common.server = server_timestamp(place);
  if (is_conditional(parts)) once.timestamp.reset();
  Writes writes;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Bindings bindings{parts[i].values, call_context(place)};
    DINETTE_CHECK(add_writes(place, *parts[i].modification, bindings, once, common, i, writes));
  }
  if (place.strict() && type == BatchType::logged) DINETTE_CHECK(check_strict_rows(parts.size(), writes));
  if (is_conditional(parts) && !place.strict()) DINETTE_CHECK(check_conditional_batch(parts, writes));
  std::vector<std::string> warnings;
  if (!is_conditional(parts) && !place.strict()) {
    DINETTE_TRY(warnings, check_batch_size(type, writes));
  }
  DINETTE_TRY(auto outcome, carry_out(place, parts, writes, true, type == BatchType::logged));
  if (auto* const done = outcome ? std::get_if<Void>(&*outcome) : nullptr)
    done->warnings = std::move(warnings);
  return outcome;
}

namespace {

/// Returns the positions of the partition key among the binds of a batch over one table: of each column the
/// last one (docs/service-keyspaces/protocol.md section 6).
std::vector<std::uint16_t> key_binds_of_batch(std::span<const Modification> modifications) {
  if (modifications.empty()) return {};
  const system::OpenTable& open = modifications.front().open;
  std::vector<std::optional<std::uint16_t>> places(open.table().partition_key_size());
  for (const Modification& modification : modifications) {
    if (modification.open.stored != open.stored) return {};
    const auto terms = key_terms(modification.where);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (terms[i] == nullptr || !terms[i]->is_marker()) continue;
      const auto marker = static_cast<std::uint16_t>(terms[i]->marker_index());
      places[i] = std::max(places[i].value_or(0), marker);
    }
  }
  std::vector<std::uint16_t> out;
  for (const auto& place : places) {
    if (!place) return {};
    out.push_back(*place);
  }
  return out;
}

/// What the attributes of a batch belong to, as the descriptions of their binds have it.
schema::Table table_of_batches() {
  schema::Table table;
  table.keyspace = "[batch]";
  table.name = "[batch]";
  return table;
}

}  // namespace

Answer<std::shared_ptr<const DataPlan>> BatchPlan::make(const Place& place, std::string_view keyspace,
                                                        grammar::Statement statement) {
  std::shared_ptr<BatchPlan> plan(new BatchPlan(std::move(statement), keyspace));
  const auto& batch = std::get<grammar::Batch>(plan->statement_.value);
  plan->type_ = batch.type;
  if (batch.using_.time_to_live) return invalid("Global TTL on the BATCH statement is not supported.");
  for (const grammar::Modification& one : batch.statements) {
    DINETTE_TRY(system::OpenTable open, open_table(place, keyspace, table_of(one)));
    DINETTE_CHECK(system::check_modifiable(open.table().keyspace));
    const schema::Table& table = open.table();
    Checker checker(place, table, plan->statement_.markers, plan->description_.binds);
    DINETTE_TRY(plan->modifications_.emplace_back(), check_modification(checker, std::move(open), one));
    const Modification& modification = plan->modifications_.back();
    if (batch.using_.timestamp && modification.attributes.timestamp) {
      return invalid("Timestamp must be set either on BATCH or individual statements");
    }
    if (batch.using_.timestamp && modification.is_conditional()) {
      return invalid("Cannot provide custom timestamp for conditional BATCH");
    }
    if (batch.using_.timestamp && table.has_counters()) {
      return invalid(batch.type == BatchType::counter
                         ? "Cannot provide custom timestamp for counter BATCH"
                         : "Cannot provide custom timestamp for a BATCH containing counters");
    }
    if (batch.using_.timestamp && place.strict() && !table.options.client_side_timestamps) {
      return invalid("Client-side timestamps are not enabled for table " + table.full_name() + ".");
    }
  }
  static const schema::Table of_batches = table_of_batches();
  Checker checker(place, of_batches, plan->statement_.markers, plan->description_.binds);
  DINETTE_TRY(plan->attributes_, check_attributes(checker, batch.using_));
  plan->description_.key_binds = key_binds_of_batch(plan->modifications_);
  return std::shared_ptr<const DataPlan>(std::move(plan));
}

Answer<bool> BatchPlan::is_current(const Place& place) const {
  for (const Modification& modification : modifications_) {
    DINETTE_TRY(const bool current, statements::is_current(place, modification.open));
    if (!current) return false;
  }
  return true;
}

Answer<void> BatchPlan::check_levels(const Place& place, const Options& options) const {
  for (const Modification& modification : modifications_)
    DINETTE_CHECK(check_consistency(place, level_use(modification), options));
  return {};
}

Answer<std::optional<Outcome>> BatchPlan::run(const Place& place, std::span<const frames::Value> values,
                                              const Options& options) const {
  std::vector<BatchPart> parts;
  for (const Modification& modification : modifications_) parts.push_back({&modification, values});
  DINETTE_TRY(const BoundAttributes attributes, bind_attributes(attributes_, {values, call_context(place)}));
  return run_batch(place, type_, parts, attributes, options);
}

}  // namespace dinette::cql::statements
