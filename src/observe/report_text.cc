#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "dinette/base/time_text.h"
#include "dinette/base/utf8.h"
#include "dinette/observe/metrics_writer.h"
#include "dinette/observe/report.h"

namespace dinette::observe {
namespace {

using Row = std::vector<std::string>;

std::string percent(double share) {
  std::array<char, 16> text;
  std::snprintf(text.data(), text.size(), "%.0f%%", share * 100);
  return text.data();
}

std::string dollars(double amount) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "$%.6f", amount);
  return text.data();
}

/// Writes rows in columns; the first two are of words, the others of numbers.
std::string in_columns(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string room(widths[i] - row[i].size(), ' ');
      line += i < 2 ? row[i] + room : room + row[i];
      if (i + 1 < row.size()) line += "  ";
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

/// Returns "table: key". Keys are what clients send.
std::string text_of(const Report::Key& key) {
  return base::printable(key.table) + ": " + base::printable(key.key);
}

Row row_of(const ReportLine& line) {
  std::uint64_t errors = 0;
  for (const auto& error : line.errors) errors += error.second;
  const bool reads_lists = line.scanned > 0;
  return {line.table.empty() ? "-" : base::printable(line.table),
          line.operation.empty() ? "-" : line.operation,
          std::to_string(line.requests),
          std::to_string(errors),
          number_text(line.read_units),
          number_text(line.write_units),
          reads_lists ? std::to_string(line.scanned) : "",
          reads_lists ? std::to_string(line.returned) : "",
          reads_lists ? percent(line.filtered_share()) : ""};
}

std::string lines_text(const std::vector<ReportLine>& lines) {
  if (lines.empty()) return "no requests\n";
  std::vector<Row> rows = {{"table", "operation", "requests", "errors", "read units", "write units",
                            "scanned", "returned", "filtered out"}};
  for (const ReportLine& line : lines) rows.push_back(row_of(line));
  return in_columns(rows);
}

std::string errors_text(const std::vector<ReportLine>& lines) {
  std::string text;
  for (const ReportLine& line : lines) {
    for (const auto& [error, count] : line.errors)
      text += "  " + std::to_string(count) + " " + base::printable(error) + ": " + line.operation + " " +
              base::printable(line.table) + "\n";
  }
  return text.empty() ? text : "\nerrors\n" + text;
}

std::string scans_text(const std::vector<ReportLine>& lines) {
  std::uint64_t scans = 0;
  for (const ReportLine& line : lines) scans += line.scans;
  return scans == 0 ? "" : "\nreads without a key: " + std::to_string(scans) + "\n";
}

std::string keys_text(const Report& report) {
  std::string text;
  if (!report.hot_partitions.empty()) text += "\nhottest partition keys\n";
  for (const auto& hot : report.hot_partitions) {
    text += "  " + std::to_string(hot.requests) + " " + text_of(hot.key);
    text += hot.at_most_over > 0 ? " (or up to " + std::to_string(hot.at_most_over) + " fewer)\n" : "\n";
  }
  if (!report.biggest_items.empty()) text += "\nbiggest items, in bytes\n";
  for (const auto& big : report.biggest_items)
    text += "  " + std::to_string(big.bytes) + " " + text_of(big.key) + "\n";
  return text;
}

}  // namespace

std::string text_of(const Report& report) {
  return "world " + base::printable(report.world) + ", " + base::format_time(report.since) + " to " +
         base::format_time(report.until) + "\n\n" + lines_text(report.lines) + errors_text(report.lines) +
         scans_text(report.lines) + keys_text(report) +
         "\non demand in us-east-1: " + dollars(report.read_dollars() + report.write_dollars()) + ", " +
         dollars(report.read_dollars()) + " for reads and " + dollars(report.write_dollars()) +
         " for writes\n";
}

}  // namespace dinette::observe
