#include "tablestore/search/scan_session.h"

#include <limits>
#include <utility>

#include "dinette/base/record_bytes.h"

#include "tablestore/request/sealed_text.h"

namespace dinette::tablestore::search {
namespace {

constexpr std::int64_t longest_lifetime = std::numeric_limits<std::int32_t>::max();

}  // namespace

/// Clients decode it as a text.
std::string ScanSession::encode() const {
  base::RecordWriter out;
  out.add(static_cast<std::int64_t>(used.time_since_epoch().count()));
  out.add(static_cast<std::int64_t>(lifetime.count()));
  out.add(std::string_view(last_row));
  return sealed(std::move(out).take());
}

std::optional<ScanSession> ScanSession::decode(std::string_view text) {
  const auto content = unsealed(text);
  if (!content) return std::nullopt;
  base::RecordReader in(*content);
  ScanSession session;
  session.used = base::TimePoint(base::TimePoint::duration(in.int64()));
  session.lifetime = std::chrono::seconds(in.int64());
  session.last_row = in.text();
  const bool valid = session.lifetime.count() >= 0 && session.lifetime.count() <= longest_lifetime;
  if (!in.complete() || !valid) return std::nullopt;
  return session;
}

}  // namespace dinette::tablestore::search
