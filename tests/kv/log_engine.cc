#include "kv/log_engine.h"

#include <fstream>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "dinette/base/bytes.h"
#include "dinette/base/crc32.h"
#include "dinette/kv/memory.h"

#include "kv/limits.h"
#include "support/temporary_folder.h"

namespace dinette::test {
namespace {

using namespace kv;

// A record of the log is the size of its body and the CRC-32 of its body, four bytes each, then the body: the
// changes of one batch, each as its kind in one byte, then key, end and value, each after its size.

constexpr std::size_t record_header_size = 8;

void append_sized(std::string& out, std::string_view bytes) {
  base::append_big_endian(out, static_cast<std::uint32_t>(bytes.size()));
  out.append(bytes);
}

std::uint32_t take_u32(std::string_view& bytes) {
  const auto number = base::load_big_endian<std::uint32_t>(bytes.data());
  bytes.remove_prefix(sizeof number);
  return number;
}

std::string_view take_sized(std::string_view& bytes) {
  const std::uint32_t size = take_u32(bytes);
  const std::string_view taken = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return taken;
}

std::string record_of(const WriteBatch& batch) {
  std::string body;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const WriteBatch::Change change = batch[i];
    body += static_cast<char>(change.kind);
    append_sized(body, change.key);
    append_sized(body, change.end);
    append_sized(body, change.value->view());
  }
  std::string record;
  base::append_big_endian(record, static_cast<std::uint32_t>(body.size()));
  base::append_big_endian(record, base::crc32(body));
  return record + body;
}

WriteBatch batch_of(std::string_view body) {
  WriteBatch batch;
  while (!body.empty()) {
    const auto kind = static_cast<WriteBatch::Kind>(body.front());
    body.remove_prefix(1);
    const std::string_view key = take_sized(body);
    const std::string_view end = take_sized(body);
    const Value value(take_sized(body));
    batch.append({kind, key, end, &value});
  }
  return batch;
}

/// Removes the body of the next record from the front of `log`. Returns nullopt at the end, where the rest
/// may be torn.
std::optional<std::string_view> take_record(std::string_view& log) {
  if (log.size() < record_header_size) return std::nullopt;
  std::string_view rest = log;
  const std::uint32_t size = take_u32(rest);
  const std::uint32_t crc = take_u32(rest);
  if (rest.size() < size || base::crc32(rest.substr(0, size)) != crc) return std::nullopt;
  log = rest.substr(size);
  return rest.substr(0, size);
}

std::string read_file(const std::filesystem::path& file) {
  std::ostringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  return bytes.str();
}

class LogEngine final : public Engine {
 public:
  explicit LogEngine(const std::filesystem::path& file) {
    const std::string log = read_file(file);
    std::string_view rest = log;
    while (const auto body = take_record(rest)) {
      if (!memory_->write(batch_of(*body))) throw std::runtime_error("a batch in a log cannot be written");
    }
    if (!rest.empty()) std::filesystem::resize_file(file, log.size() - rest.size());
    log_.open(file, std::ios::binary | std::ios::app);
  }

  Capabilities capabilities() const override { return {.may_block = true, .durable = true}; }

  Result<std::optional<Value>> get(std::string_view key) const override { return memory_->get(key); }
  Result<Values> get_many(std::span<const std::string_view> keys) const override {
    return memory_->get_many(keys);
  }
  Result<std::shared_ptr<const Snapshot>> snapshot() const override { return memory_->snapshot(); }

  Result<CommitNumber> write(const WriteBatch& batch) override {
    const std::lock_guard order(order_);
    DINETTE_CHECK(append(batch));
    return memory_->write(batch);
  }

  Result<CommitNumber> transact(const TransactionPlan& plan, Deadline deadline, Body body) override {
    std::unique_lock order(order_, std::defer_lock);  // held until the commit is visible
    return memory_->transact(plan, deadline, [&](Transaction& transaction) -> Result<Decision> {
      DINETTE_TRY(const Decision decision, body(transaction));
      if (decision == Decision::abandon) return decision;
      DINETTE_CHECK(transaction.batch().settle(transaction));
      order.lock();
      DINETTE_CHECK(append(transaction.batch()));
      return decision;
    });
  }

 private:
  /// Commits have the order of their records, so they get the same numbers when the log is read again.
  Result<void> append(const WriteBatch& batch) {
    DINETTE_CHECK(check_limits(batch));
    if (batch.empty()) return {};
    const std::string record = record_of(batch);
    log_.write(record.data(), static_cast<std::streamsize>(record.size())).flush();
    if (!log_) return base::Failure{Error{ErrorKind::io, "the log cannot be written"}};
    return {};
  }

  std::unique_ptr<Engine> memory_ = make_memory_engine();
  std::mutex order_;
  std::ofstream log_;  ///< guarded by order_; a failure is permanent
};

}  // namespace

std::filesystem::path log_engine_file(const std::filesystem::path& folder) {
  return folder / "log";
}

std::unique_ptr<Engine> open_log_engine(const std::filesystem::path& folder) {
  return std::make_unique<LogEngine>(log_engine_file(folder));
}

std::unique_ptr<Engine> make_log_engine() {
  const ::test::TemporaryFolder folder;  // its file exists as long as it is open
  return open_log_engine(folder.path());
}

}  // namespace dinette::test
