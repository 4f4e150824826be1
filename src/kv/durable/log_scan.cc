#include "kv/durable/log_scan.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "dinette/base/crc32.h"

namespace dinette::kv::durable {
namespace {

constexpr std::size_t block_size = 32 * 1024;
constexpr std::size_t header_size = 4 + 2 + 1;  // checksum, length, type

template <class Unsigned>
Unsigned little_endian(const char* bytes) {
  Unsigned value = 0;
  for (std::size_t i = sizeof value; i > 0; --i)
    value = static_cast<Unsigned>(value << 8 | static_cast<unsigned char>(bytes[i - 1]));
  return value;
}

/// Kinds of records. Batches that do not fit into a block are split.
enum class Kind : std::uint8_t { none = 0, full = 1, first = 2, middle = 3, last = 4 };
constexpr auto greatest_kind = std::uint8_t{11};  // those beyond `last` are not written with our options

struct Record {
  Kind kind = Kind::none;
  std::string_view payload;
};

/// RocksDB stores checksums like this, so that a checksum of bytes that hold checksums is still a good one.
std::uint32_t masked(std::uint32_t checksum) {
  constexpr std::uint32_t delta = 0xa282ead8;
  return ((checksum >> 15) | (checksum << 17)) + delta;
}

/// Returns the record at the beginning of `rest`, which ends where its block does.
std::optional<Record> record_at(std::string_view rest) {
  if (rest.size() < header_size) return std::nullopt;
  const auto size = little_endian<std::uint16_t>(rest.data() + 4);
  const auto kind = static_cast<std::uint8_t>(rest[6]);
  if (kind == 0 || kind > greatest_kind || size > rest.size() - header_size) return std::nullopt;
  // The checksum is of the kind and the payload.
  if (masked(base::crc32c(rest.substr(6, size + std::size_t{1}))) !=
      little_endian<std::uint32_t>(rest.data()))
    return std::nullopt;
  return Record{static_cast<Kind>(kind), rest.substr(header_size, size)};
}

std::string_view rest_of_block(std::string_view file, std::size_t at) {
  return file.substr(at, block_size - at % block_size);
}

/// The beginning of a batch: its first sequence number and the number of its changes.
struct Batch {
  static constexpr std::size_t size = sizeof(Sequence) + sizeof(std::uint32_t);

  Sequence first = 0;
  std::uint32_t changes = 0;
};

Batch batch_of(std::string_view beginning) {
  return {little_endian<Sequence>(beginning.data()),
          little_endian<std::uint32_t>(beginning.data() + sizeof(Sequence))};
}

/// Returns true for a record that tells that more was written. RocksDB begins a log with a batch without
/// changes if the log before it was torn.
bool counts(const Record& record, bool of_batches) {
  return !of_batches || record.kind != Kind::full || record.payload.size() < Batch::size ||
         batch_of(record.payload).changes > 0;
}

class Scanner {
 public:
  Scanner(std::string_view file, bool of_batches) : file_(file), of_batches_(of_batches) {
    scan_.size = file.size();
  }

  LogScan run() {
    std::size_t at = 0;
    while (at < file_.size()) {
      const std::string_view rest = rest_of_block(file_, at);
      if (is_trailer(rest)) {
        at += rest.size();
        if (!inside_) scan_.whole = at;
        continue;
      }
      const auto record = record_at(rest);
      if (!record || !take(*record)) break;
      at += header_size + record->payload.size();
      if (!inside_) scan_.whole = at;
    }
    scan_.goes_on = at < file_.size() && finds_record_after(at);
    return scan_;
  }

 private:
  /// Returns true for the end of a block that has no room for a header.
  static bool is_trailer(std::string_view rest) {
    return rest.size() < header_size && std::ranges::all_of(rest, [](char byte) { return byte == '\0'; });
  }

  /// Returns false if the record cannot come here.
  bool take(const Record& record) {
    const bool begins = record.kind != Kind::middle && record.kind != Kind::last;
    if (begins == inside_) return false;
    if (begins) beginning_.clear();
    // Also the first bytes of a batch may be in several records.
    beginning_ += record.payload.substr(0, Batch::size - beginning_.size());
    inside_ = record.kind == Kind::first || record.kind == Kind::middle;
    return inside_ || !of_batches_ || record.kind > Kind::last || finish_batch();
  }

  bool finish_batch() {
    if (beginning_.size() < Batch::size) return false;
    const Batch batch = batch_of(beginning_);
    if (batch.changes == 0) return true;
    if (scan_.first && batch.first != scan_.next) return false;
    if (!scan_.first) scan_.first = batch.first;
    scan_.next = batch.first + batch.changes;
    return true;
  }

  bool finds_record_after(std::size_t at) const {
    for (; at < file_.size(); ++at) {
      const auto record = record_at(rest_of_block(file_, at));
      if (record && counts(*record, of_batches_)) return true;
    }
    return false;
  }

  const std::string_view file_;
  const bool of_batches_;
  LogScan scan_;
  std::string beginning_;  ///< of the batch that is read
  bool inside_ = false;    ///< of a batch that is split
};

}  // namespace

LogScan scan_log(std::string_view file, bool of_batches) {
  return Scanner(file, of_batches).run();
}

}  // namespace dinette::kv::durable
