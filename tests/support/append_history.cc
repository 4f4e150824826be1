#include "support/append_history.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace test {
namespace {

using Transactions = std::span<const AppendTransaction>;
using Read = AppendTransaction::Read;

class History {
 public:
  explicit History(Transactions transactions) : transactions_(transactions), later_(transactions.size()) {}

  std::optional<std::string> find_anomaly() {
    note_writers();
    for (const AppendTransaction& transaction : transactions_) {
      for (const Read& read : transaction.reads) note_order(read);
    }
    for (std::size_t i = 0; i < transactions_.size(); ++i) {
      for (const Read& read : transactions_[i].reads) relate(i, read);
    }
    for (const auto& [list, order] : orders_) relate_writers(list, order);
    relate_in_time();
    if (!anomaly_) find_cycle();
    return anomaly_;
  }

 private:
  void report(std::string anomaly) {
    if (!anomaly_) anomaly_ = std::move(anomaly);
  }

  void note_writers() {
    for (std::size_t i = 0; i < transactions_.size(); ++i) {
      for (const auto& append : transactions_[i].appends) writers_[{append.list, append.number}] = i;
    }
  }

  /// All reads of a list must be beginnings of its longest one.
  void note_order(const Read& read) {
    std::vector<int>& longest = orders_[read.list];
    const auto common = std::min(longest.size(), read.numbers.size());
    if (!std::equal(longest.begin(), longest.begin() + static_cast<std::ptrdiff_t>(common),
                    read.numbers.begin()))
      report("two reads of list " + std::to_string(read.list) + " disagree about its order");
    if (read.numbers.size() > longest.size()) longest = read.numbers;
  }

  /// The transaction that appended the number at `position`; nothing beyond what was ever read.
  std::optional<std::size_t> writer_of(int list, std::size_t position) {
    const std::vector<int>& order = orders_[list];
    if (position >= order.size()) return std::nullopt;
    const auto writer = writers_.find({list, order[position]});
    if (writer != writers_.end() && transactions_[writer->second].committed) return writer->second;
    report("list " + std::to_string(list) + " has the number " + std::to_string(order[position]) +
           ", which no committed transaction wrote");
    return std::nullopt;
  }

  /// A reader comes after who wrote what it saw last, and before who wrote next.
  void relate(std::size_t reader, const Read& read) {
    if (!read.numbers.empty()) relate(writer_of(read.list, read.numbers.size() - 1), reader);
    relate(reader, writer_of(read.list, read.numbers.size()));
  }

  void relate_writers(int list, const std::vector<int>& order) {
    for (std::size_t i = 0; i + 1 < order.size(); ++i) relate(writer_of(list, i), writer_of(list, i + 1));
  }

  void relate(std::optional<std::size_t> earlier, std::optional<std::size_t> later) {
    if (earlier && later && *earlier != *later) later_[*earlier].push_back(*later);
  }

  /// Who ends before another one begins comes before it. Only the latest of these are needed: what ended
  /// before one of them began follows.
  void relate_in_time() {
    std::vector<std::size_t> by_begin(transactions_.size());
    std::iota(by_begin.begin(), by_begin.end(), std::size_t{0});
    std::ranges::sort(by_begin, {}, [&](std::size_t i) { return transactions_[i].begin; });
    for (std::size_t i = 0; i < by_begin.size(); ++i) {
      std::int64_t first_end = INT64_MAX;  // of those that begin after the end of i
      for (std::size_t j = i + 1; j < by_begin.size(); ++j) {
        const AppendTransaction& next = transactions_[by_begin[j]];
        if (next.begin > first_end) break;
        if (next.begin <= transactions_[by_begin[i]].end) continue;
        relate(by_begin[i], by_begin[j]);
        first_end = std::min(first_end, next.end);
      }
    }
  }

  /// Repeatedly removes nodes without predecessors: what remains is in cycles or after them.
  void find_cycle() {
    std::vector<int> earlier(later_.size());
    for (const auto& all : later_) {
      for (const std::size_t later : all) ++earlier[later];
    }
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < earlier.size(); ++i) {
      if (earlier[i] == 0) free.push_back(i);
    }
    std::size_t taken = 0;
    while (!free.empty()) {
      const std::size_t next = free.back();
      free.pop_back();
      ++taken;
      for (const std::size_t later : later_[next]) {
        if (--earlier[later] == 0) free.push_back(later);
      }
    }
    if (taken < later_.size())
      report(std::to_string(later_.size() - taken) + " transactions are in a cycle, or after one");
  }

  Transactions transactions_;
  std::map<std::pair<int, int>, std::size_t> writers_;  ///< by list and number
  std::map<int, std::vector<int>> orders_;              ///< the longest read of each list
  std::vector<std::vector<std::size_t>> later_;         ///< of each transaction, those that come after it
  std::optional<std::string> anomaly_;
};

}  // namespace

std::optional<std::string> find_anomaly(std::span<const AppendTransaction> history) {
  return History(history).find_anomaly();
}

}  // namespace test
