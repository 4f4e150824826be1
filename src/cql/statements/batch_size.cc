#include "cql/statements/batch_size.h"

#include <set>
#include <string_view>
#include <utility>

namespace dinette::cql::statements {
namespace {

using data::CellChange;

constexpr std::size_t warned_bytes = std::size_t{5} * 1024;
constexpr std::size_t most_batch_bytes = std::size_t{50} * 1024;
constexpr std::size_t most_partitions_without_warning = 10;

/// What Cassandra counts with each value: the timestamp, the time to live and when it was deleted.
constexpr std::size_t cell_bytes = 16;
constexpr std::size_t deletion_bytes = 12;
constexpr std::size_t list_path_bytes = 16;
constexpr std::size_t counter_bytes = 36;

std::size_t counted_size(const CellChange& change) {
  switch (change.kind) {
    case CellChange::Kind::put:
    case CellChange::Kind::erase:
      return cell_bytes + change.value.size() + (change.key.empty() ? change.path : change.key).size();
    case CellChange::Kind::erase_all:
      return deletion_bytes;
    case CellChange::Kind::put_at:
    case CellChange::Kind::erase_at:
      return cell_bytes + list_path_bytes + change.value.size();
    case CellChange::Kind::add:
      return cell_bytes + counter_bytes;
    case CellChange::Kind::append:
    case CellChange::Kind::prepend:
    case CellChange::Kind::erase_equal:
      break;
  }
  std::size_t size = 0;
  for (const std::string& value : change.values) size += cell_bytes + list_path_bytes + value.size();
  return size;
}

/// Static cells and partition keys do not count.
std::size_t counted_size(const data::RowWrite& write) {
  std::size_t size = 0;
  for (const std::string& value : write.clustering) size += value.size();
  for (const CellChange& change : write.changes) size += counted_size(change);
  return size;
}

/// What a batch writes to.
struct Targets {
  std::set<std::string_view> partitions{};
  std::set<std::pair<std::string_view, std::string_view>> mutations{};  ///< keyspaces, and partitions in them
  std::set<std::string> tables{};

  void add(const schema::Table& table, std::string_view partition) {
    partitions.insert(partition);
    mutations.emplace(table.keyspace, partition);
    tables.insert(table.full_name());
  }
};

/// Returns "[k.a, k.b]".
std::string list_text(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text.append(text.empty() ? "[" : ", ").append(name);
  return text + "]";
}

bool are_of_one_partition(const Writes& writes) {
  const data::RowWrite* const first = writes.rows.empty() ? nullptr : &writes.rows.front();
  if (first == nullptr || !writes.ranges.empty()) return false;
  for (const data::RowWrite& write : writes.rows) {
    if (write.table != first->table || write.prefix != first->prefix) return false;
  }
  return true;
}

}  // namespace

Answer<std::vector<std::string>> check_batch_size(grammar::Batch::Type type, const Writes& writes) {
  std::vector<std::string> warnings;
  if (are_of_one_partition(writes)) return warnings;
  Targets targets;
  std::size_t size = 0;
  for (const data::RowWrite& write : writes.rows) {
    targets.add(*write.table, write.prefix);
    size += counted_size(write);
  }
  for (const data::RangeDeletion& range : writes.ranges) targets.add(*range.table, range.prefix);
  if (targets.mutations.size() <= 1) return warnings;
  if (size > most_batch_bytes) return invalid("Batch too large");
  if (size > warned_bytes) {
    warnings.push_back("Batch for " + list_text(targets.tables) + " is of size " + std::to_string(size) +
                       ", exceeding specified threshold of " + std::to_string(warned_bytes) + " by " +
                       std::to_string(size - warned_bytes) + ".");
  }
  const bool logged = type == grammar::Batch::Type::logged;
  if (!logged && targets.partitions.size() > most_partitions_without_warning) {
    warnings.push_back("Unlogged batch covering " + std::to_string(targets.partitions.size()) +
                       " partitions detected against table" + (targets.tables.size() == 1 ? "" : "s") + " " +
                       list_text(targets.tables) +
                       ". You should use a logged batch for atomicity, or asynchronous writes for "
                       "performance.");
  }
  return warnings;
}

}  // namespace dinette::cql::statements
