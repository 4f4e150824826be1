#include "dinette/observe/request_rings.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>

namespace dinette::observe {
namespace {

// Longer texts, which no valid request has, are cut, so that any record fits into the smallest ring.
constexpr std::size_t most_tables = 100;
constexpr std::size_t longest_name = 255;

/// The beginning of a record; the texts follow, in the order of their sizes, and then the tables.
struct RecordHead {
  std::string_view operation;
  std::string_view error;
  std::chrono::steady_clock::time_point end;
  std::chrono::steady_clock::duration duration;
  std::uint64_t request_bytes;
  std::uint64_t response_bytes;
  ReadCounts counts;
  int status;
  bool has_counts;
  bool scans;
  bool injected;
  std::uint8_t tables;
  std::uint16_t id;
  std::uint16_t world;
  std::uint16_t remote;
  std::uint16_t agent;
  std::uint16_t trace;
  std::uint16_t request;
  std::uint16_t response;
};

/// The beginning of a table in a record; its name follows.
struct TableHead {
  double read_units;
  double write_units;
  std::uint16_t name;
};

static_assert(std::is_trivially_copyable_v<RecordHead> && std::is_trivially_copyable_v<TableHead>);
static_assert(RequestRings::most_body_bytes < 1U << 16U);

/// The size of a record without its bodies and tables, at most.
constexpr std::size_t most_head_bytes =
    sizeof(RecordHead) + 4 * longest_name + RecentRequest::most_agent_bytes;
constexpr std::size_t most_table_bytes = sizeof(TableHead) + longest_name;
static_assert(most_head_bytes + 2 * RequestRings::most_body_bytes + most_tables * most_table_bytes <
              RequestRings::least_bytes);

std::uint16_t size_of(std::string_view text, std::size_t most) {
  return static_cast<std::uint16_t>(std::min(text.size(), most));
}

/// Hides what the compiler knows of a size. Copies of limited size it would make in place, by slow
/// instructions.
std::size_t opaque(std::size_t size) {
  asm("" : "+r"(size));
  return size;
}

/// Writes a record. There must be room for it.
class RecordWriter {
 public:
  explicit RecordWriter(char* begin) : at_(begin) {}

  void put(std::string_view text, std::uint16_t size) {
    if (size == 0) return;
    std::memcpy(at_, text.data(), opaque(size));
    at_ += size;
  }
  template <class Head>
  void put(const Head& head) {
    std::memcpy(at_, &head, sizeof head);
    at_ += sizeof head;
  }
  char* end() const { return at_; }

 private:
  char* at_;
};

class RecordReader {
 public:
  explicit RecordReader(const char* begin) : at_(begin) {}

  std::string text(std::uint16_t size) { return {std::exchange(at_, at_ + size), size}; }
  template <class Head>
  Head head() {
    Head head;
    std::memcpy(&head, at_, sizeof head);
    at_ += sizeof head;
    return head;
  }

 private:
  const char* at_;
};

RecordHead head_of(const AnsweredRequest& answered) {
  const RequestDetails& details = answered.details;
  return {.operation = answered.operation,
          .error = answered.error,
          .end = answered.end,
          .duration = answered.duration,
          .request_bytes = answered.request.size(),
          .response_bytes = answered.response.size(),
          .counts = details.counts.value_or(ReadCounts{}),
          .status = answered.status,
          .has_counts = details.counts.has_value(),
          .scans = details.scans,
          .injected = details.injected,
          .tables = static_cast<std::uint8_t>(std::min(details.tables.size(), most_tables)),
          .id = size_of(answered.id, longest_name),
          .world = size_of(details.world, longest_name),
          .remote = size_of(answered.remote, longest_name),
          .agent = size_of(answered.agent, RecentRequest::most_agent_bytes),
          .trace = size_of(answered.trace, longest_name),
          .request = size_of(answered.request, RequestRings::most_body_bytes),
          .response = size_of(answered.response, RequestRings::most_body_bytes)};
}

/// Writes the request, and returns the end.
char* write_record(char* begin, const AnsweredRequest& answered) {
  RecordWriter record(begin);
  const RecordHead head = head_of(answered);
  record.put(head);
  record.put(answered.id, head.id);
  record.put(answered.details.world, head.world);
  record.put(answered.remote, head.remote);
  record.put(answered.agent, head.agent);
  record.put(answered.trace, head.trace);
  record.put(answered.request, head.request);
  record.put(answered.response, head.response);
  for (std::size_t i = 0; i < head.tables; ++i) {
    const TableUse& table = answered.details.tables[i];
    const std::uint16_t size = size_of(table.name, longest_name);
    record.put(TableHead{table.read_units, table.write_units, size});
    record.put(table.name, size);
  }
  return record.end();
}

RequestRings::Kept read_record(const char* begin) {
  RecordReader record(begin);
  const auto head = record.head<RecordHead>();
  RecentRequest read{.status = head.status,
                     .duration = std::chrono::duration_cast<std::chrono::microseconds>(head.duration)};
  read.id = record.text(head.id);
  read.operation = head.operation;
  read.error = head.error;
  read.details.world = record.text(head.world);
  read.remote = record.text(head.remote);
  read.agent = record.text(head.agent);
  read.trace = record.text(head.trace);
  read.request = {record.text(head.request), head.request_bytes};
  read.response = {record.text(head.response), head.response_bytes};
  for (std::size_t i = 0; i < head.tables; ++i) {
    const auto table = record.head<TableHead>();
    read.details.tables.push_back({record.text(table.name), table.read_units, table.write_units});
  }
  if (head.has_counts) read.details.counts = head.counts;
  read.details.scans = head.scans;
  read.details.injected = head.injected;
  return {head.end, std::move(read)};
}

}  // namespace

/// The requests of one thread, or of several. A record lies in one piece: one that does not fit at the end of
/// the memory begins at the front.
class alignas(64) RequestRings::Ring {
 public:
  /// Comes before all other calls.
  void set_capacity(std::size_t requests) {
    capacity_ = requests;
    bytes_ = std::bit_ceil(std::max(requests * bytes_per_request / rings, least_bytes));
  }

  void add(const AnsweredRequest& answered) noexcept {
    const Lock lock(busy_);
    if (!memory_ && !reserve()) [[unlikely]]
      return;
    std::uint64_t begin = end_;
    if (bytes_ - (begin & (bytes_ - 1)) < room_for(answered)) begin = (begin | (bytes_ - 1)) + 1;
    char* const place = memory_.get() + (begin & (bytes_ - 1));
    end_ = begin + static_cast<std::uint64_t>(write_record(place, answered) - place);
    begins_[next_] = begin;
    next_ = next_ + 1 == capacity_ ? 0 : next_ + 1;
    ++added_;
  }

  void take(Taken& taken) {
    const Lock lock(busy_);
    const std::uint64_t kept = std::min<std::uint64_t>(added_, capacity_);
    const std::size_t before = taken.requests.size();
    for (std::uint64_t back = kept; back > 0; --back) {
      const std::uint64_t begin = begins_[(next_ + capacity_ - back) % capacity_];
      if (end_ - begin <= bytes_)
        taken.requests.push_back(read_record(memory_.get() + (begin & (bytes_ - 1))));
    }
    taken.lost += added_ - (taken.requests.size() - before);
    added_ = 0;
  }

 private:
  /// Short, and only readers and threads beyond the number of rings are in each other's way.
  class Lock {
   public:
    explicit Lock(std::atomic_flag& busy) noexcept : busy_(busy) {
      while (busy_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    }
    ~Lock() { busy_.clear(std::memory_order_release); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    std::atomic_flag& busy_;
  };

  /// Returns the size of a record, or somewhat more.
  static std::size_t room_for(const AnsweredRequest& answered) {
    return most_head_bytes + std::min(answered.request.size(), most_body_bytes) +
           std::min(answered.response.size(), most_body_bytes) +
           std::min(answered.details.tables.size(), most_tables) * most_table_bytes;
  }

  bool reserve() noexcept {
    memory_.reset(new (std::nothrow) char[bytes_]);
    begins_.reset(new (std::nothrow) std::uint64_t[capacity_]);
    if (!begins_) memory_.reset();
    return memory_ != nullptr;
  }

  std::atomic_flag busy_;                    ///< guards all members
  std::size_t capacity_ = 0;                 ///< of begins_
  std::size_t bytes_ = 0;                    ///< of memory_, a power of two
  std::unique_ptr<char[]> memory_;           ///< null before the first request
  std::unique_ptr<std::uint64_t[]> begins_;  ///< of the records, which count all bytes that were written
  std::size_t next_ = 0;                     ///< among begins_
  std::uint64_t end_ = 0;                    ///< of the last record
  std::uint64_t added_ = 0;                  ///< since the last take()
};

RequestRings::RequestRings(std::size_t requests) : requests_(requests) {
  if (requests == 0) return;
  rings_ = std::make_unique<std::array<Ring, rings>>();
  for (Ring& ring : *rings_) ring.set_capacity(requests);
}

RequestRings::~RequestRings() = default;

RequestRings::Ring& RequestRings::own_ring() const noexcept {
  static std::atomic<std::size_t> threads = 0;
  thread_local const std::size_t place = threads.fetch_add(1, std::memory_order_relaxed) % rings;
  return (*rings_)[place];
}

void RequestRings::add(const AnsweredRequest& answered) noexcept {
  if (rings_) own_ring().add(answered);
}

RequestRings::Taken RequestRings::take() {
  Taken taken;
  if (!rings_) return taken;
  for (Ring& ring : *rings_) ring.take(taken);
  std::ranges::stable_sort(taken.requests, {}, &Kept::end);
  return taken;
}

}  // namespace dinette::observe
