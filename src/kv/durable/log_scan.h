#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// Reads files in the format of RocksDB's logs, which its MANIFEST has as well: where their whole records
/// end, and whether more comes after that. RocksDB does not tell the end of a file that was being written
/// from damage in its middle. The format: blocks of 32 KB of records of which none crosses the end of a
/// block, each with a CRC-32C; https://github.com/facebook/rocksdb/wiki/Write-Ahead-Log-File-Format.
namespace dinette::kv::durable {

/// The number that RocksDB gives each change of a database; a batch takes one for each of its changes.
using Sequence = std::uint64_t;

struct LogScan {
  std::uint64_t whole = 0;             ///< bytes up to the end of the last whole record before anything else
  std::uint64_t size = 0;              ///< bytes of the file
  bool goes_on = false;                ///< after what is not a record there are records again
  std::optional<Sequence> first = {};  ///< of the first batch that changes anything, up to `whole`
  Sequence next = 0;                   ///< the one after the last batch; only if there is a `first`

  bool is_whole() const { return whole == size; }
};

/// `of_batches`: the records are batches of changes, whose sequence numbers have no gaps. A gap ends the scan
/// as damage does.
LogScan scan_log(std::string_view file, bool of_batches);

}  // namespace dinette::kv::durable
