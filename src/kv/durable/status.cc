#include "kv/durable/status.h"

namespace dinette::kv::durable {
namespace {

ErrorKind kind_of(const rocksdb::Status& status) {
  // A read that was allowed to look in memory only, or a write that was not allowed to be slowed down.
  if (status.IsIncomplete()) return ErrorKind::would_block;
  if (status.IsCorruption()) return ErrorKind::corrupt;
  return ErrorKind::io;
}

}  // namespace

Error error_of(const rocksdb::Status& status) {
  return {kind_of(status), status.ToString()};
}

}  // namespace dinette::kv::durable
