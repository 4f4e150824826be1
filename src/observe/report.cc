#include "dinette/observe/report.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace dinette::observe {
namespace {

constexpr std::string_view others = "(others)";
constexpr char separator = '\0';  // between table and key: names of tables do not have it

Report::Key key_of(std::string_view name) {
  const std::size_t end = name.find(separator);
  return {std::string(name.substr(0, end)), std::string(name.substr(end + 1))};
}

bool same(const Report::Key& a, const Touch& b) {
  return a.table == b.table && a.key == b.item;
}

template <class Member>
double sum_of(const std::vector<ReportLine>& lines, Member member) {
  double sum = 0;
  for (const ReportLine& line : lines) sum += line.*member;
  return sum;
}

}  // namespace

double ReportLine::filtered_share() const {
  if (scanned <= returned) return 0;
  return static_cast<double>(scanned - returned) / static_cast<double>(scanned);
}

double Report::read_units() const {
  return sum_of(lines, &ReportLine::read_units);
}

double Report::write_units() const {
  return sum_of(lines, &ReportLine::write_units);
}

void Reports::add(std::string_view operation, std::string_view error, const RequestDetails& details) {
  const std::lock_guard guard(mutex_);
  World& to = world(details.world);
  const auto add_line = [&](const TableUse& table, bool first) {
    ReportLine& line = to.line(table.name, operation);
    ++line.requests;
    if (!error.empty()) ++line.errors[std::string(error)];
    line.read_units += table.read_units;
    line.write_units += table.write_units;
    if (!first) return;
    if (details.counts) {
      line.scanned += details.counts->scanned;
      line.returned += details.counts->returned;
    }
    if (details.scans) ++line.scans;
  };
  if (details.tables.empty()) add_line({}, true);
  for (const TableUse& table : details.tables) add_line(table, &table == details.tables.data());
  for (const Touch& touch : details.touched) to.note(touch);
}

Report Reports::of(std::string_view world) const {
  const std::lock_guard guard(mutex_);
  Report report{.world = std::string(world), .since = began_, .until = clock_.now()};
  const auto found = worlds_.find(world);
  if (found == worlds_.end()) return report;
  const World& from = found->second;
  report.since = from.since;
  for (const auto& entry : from.lines) report.lines.push_back(entry.second);
  for (const auto& hot : from.partitions.top(keys_listed))
    report.hot_partitions.push_back({key_of(hot.name), hot.count, hot.at_most_over});
  report.biggest_items = from.biggest;
  return report;
}

std::vector<std::string> Reports::worlds() const {
  const std::lock_guard guard(mutex_);
  std::vector<std::string> names;
  for (const auto& entry : worlds_) names.push_back(entry.first);
  return names;
}

void Reports::clear(std::string_view world) {
  const std::lock_guard guard(mutex_);
  const std::string name(world);
  worlds_.erase(name);
  worlds_.try_emplace(name, clock_.now());
}

Reports::World& Reports::world(const std::string& name) {
  const auto found = worlds_.find(name);
  if (found != worlds_.end()) return found->second;
  const std::string kept = worlds_.size() < most_worlds ? name : std::string(others);
  return worlds_.try_emplace(kept, clock_.now()).first->second;
}

ReportLine& Reports::World::line(std::string_view table, std::string_view operation) {
  std::pair key{std::string(table), std::string(operation)};
  if (lines.size() >= most_lines && !lines.contains(key)) key.first = others;
  ReportLine& line = lines[key];
  std::tie(line.table, line.operation) = key;
  return line;
}

void Reports::World::note(const Touch& touch) {
  partitions.add(touch.table + separator + touch.partition);
  if (touch.bytes > 0 && !touch.item.empty()) note_size(touch);
}

/// Lists an item with the greatest size that it had.
void Reports::World::note_size(const Touch& touch) {
  const auto known = std::ranges::find_if(biggest, [&](const auto& one) { return same(one.key, touch); });
  if (known != biggest.end()) {
    known->bytes = std::max(known->bytes, touch.bytes);
  } else {
    if (biggest.size() == keys_listed && biggest.back().bytes >= touch.bytes) return;
    if (biggest.size() == keys_listed) biggest.pop_back();
    biggest.push_back({{touch.table, touch.item}, touch.bytes});
  }
  std::ranges::stable_sort(biggest, std::greater<>(), &Report::BigItem::bytes);
}

}  // namespace dinette::observe
