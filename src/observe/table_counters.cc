#include "dinette/observe/table_counters.h"

#include <functional>

namespace dinette::observe {

std::size_t TableCounters::position_of(std::string_view table) {
  for (std::size_t place = std::hash<std::string_view>()(table);; ++place) {
    const Table* const found = index_[place % places].load(std::memory_order_acquire);
    if (found == nullptr) return is_full_.load(std::memory_order_relaxed) ? most_tables : add_table(table);
    if (found->name == table) return found->position;
  }
}

std::size_t TableCounters::add_table(std::string_view table) {
  const std::lock_guard guard(mutex_);
  std::size_t place = std::hash<std::string_view>()(table);
  for (;; ++place) {
    const Table* const found = index_[place % places].load(std::memory_order_relaxed);
    if (found == nullptr) break;
    if (found->name == table) return found->position;  // another thread was first
  }
  if (is_full_) return most_tables;
  tables_.push_back(std::make_unique<const Table>(Table{std::string(table), tables_.size()}));
  index_[place % places].store(tables_.back().get(), std::memory_order_release);
  is_full_ = tables_.size() == most_tables;
  return tables_.back()->position;
}

void TableCounters::write(MetricsWriter& text, std::string_view prefix) const {
  const std::string names(prefix);
  write(text, names + "_consumed_read_capacity_units", "Read capacity units consumed, by table", 0);
  write(text, names + "_consumed_write_capacity_units", "Write capacity units consumed, by table", 1);
}

void TableCounters::write(MetricsWriter& text, std::string_view name, std::string_view help,
                          std::size_t kind) const {
  text.family(name, MetricsWriter::Type::counter, help, "units");
  const auto sample = [&](std::string_view table, std::size_t position) {
    const double units = static_cast<double>(halves_.value(2 * position + kind)) / 2;
    text.sample("_total", {{"table", table}}, units);
  };
  const std::lock_guard guard(mutex_);
  for (const auto& table : tables_) sample(table->name, table->position);
  if (is_full_) sample("", most_tables);
}

}  // namespace dinette::observe
