#include "dynamodb/streams/row_mark.h"

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "dinette/base/bytes.h"

#include "dynamodb/codec/record_layout.h"

namespace dinette::dynamodb {
namespace {

// Kept on disk (FORMAT.md).
constexpr char mark_format = 1;
constexpr char change_format = 1;

/// Takes numbers and texts from the beginning of bytes, as long as these are long enough.
class Taker {
 public:
  explicit Taker(std::string_view bytes) : rest_(bytes) {}

  char byte() { return take(1).empty() ? '\0' : last_.front(); }
  base::TimePoint moment() {
    const std::string_view bytes = take(sizeof(std::uint64_t));
    if (bytes.empty()) return {};
    const auto number = base::load_big_endian<std::uint64_t>(bytes.data());
    return base::TimePoint(std::chrono::microseconds(static_cast<std::int64_t>(number)));
  }
  std::string_view text() {
    const std::string_view size = take(sizeof(std::uint32_t));
    return size.empty() ? size : take(base::load_big_endian<std::uint32_t>(size.data()));
  }
  std::string_view rest() { return take(rest_.size()); }
  /// Returns false if something was missing.
  bool whole() const { return whole_; }

 private:
  std::string_view take(std::size_t size) {
    whole_ = whole_ && size <= rest_.size();
    last_ = whole_ ? rest_.substr(0, size) : std::string_view();
    rest_.remove_prefix(last_.size());
    return last_;
  }

  std::string_view rest_;
  std::string_view last_;
  bool whole_ = true;
};

void append_moment(std::string& out, base::TimePoint moment) {
  base::append_big_endian(out, static_cast<std::uint64_t>(moment.time_since_epoch().count()));
}

void append_text(std::string& out, std::string_view text) {
  base::append_big_endian(out, static_cast<std::uint32_t>(text.size()));
  out.append(text);
}

base::Failure<kv::Error> corrupt(const char* what) {
  return base::Failure{kv::Error{kv::ErrorKind::corrupt, what}};
}

}  // namespace

kv::Value encode_mark(const ItemVersion& version) {
  std::string bytes(1, mark_format);
  append_moment(bytes, version.moment);
  return kv::Value(bytes.append(version.region));
}

kv::Result<ItemVersion> read_mark(std::string_view mark) {
  Taker taker(mark);
  const char format = taker.byte();
  ItemVersion version;
  version.moment = taker.moment();
  version.region = taker.rest();
  if (!taker.whole() || format != mark_format) return corrupt("the mark of a row cannot be read");
  return version;
}

kv::Value encode_change(const ReplicatedChange& change) {
  std::string head(1, change_format);
  append_moment(head, change.version.moment);
  append_moment(head, change.written);
  append_text(head, change.version.region);
  append_text(head, change.row_key);
  return kv::Value::join({head, change.record});
}

kv::Result<ReplicatedChange> read_replicated(std::string_view bytes) {
  Taker taker(bytes);
  const char format = taker.byte();
  ReplicatedChange change;
  change.version.moment = taker.moment();
  change.written = taker.moment();
  change.version.region = taker.text();
  change.row_key = taker.text();
  change.record = taker.rest();
  const bool sound = taker.whole() && format == change_format && !change.row_key.empty() &&
                     (change.record.empty() || codec::is_record(change.record));
  if (!sound) return corrupt("a change of a global table cannot be read");
  return change;
}

}  // namespace dinette::dynamodb
