#include "s3/conditions.h"

#include <chrono>

#include "dinette/http/tokens.h"

#include "s3/dates.h"
#include "s3/etag.h"

namespace dinette::s3 {
namespace {

using std::string_view;

/// Returns true if a list of ETags has this one, or is "*".
bool lists(string_view etags, string_view etag) {
  while (!etags.empty()) {
    const string_view one = http::trimmed(http::take_until(etags, ','));
    if (one == "*" || without_quotes(one) == etag) return true;
  }
  return false;
}

/// Returns true if there is such a header, a date, and the object was changed after it.
bool modified_since(const Call& call, string_view name, const objects::ObjectInfo& info, bool otherwise) {
  const auto date = read_http_date(call.header(name));
  return date ? std::chrono::floor<std::chrono::seconds>(info.modified) > *date : otherwise;
}

}  // namespace

Done check_read(const Call& call, const objects::ObjectInfo& info) {
  if (const auto match = call.request.header("if-match")) {
    if (!lists(*match, info.etag)) return fail(Code::precondition_failed);
  } else if (modified_since(call, "if-unmodified-since", info, false)) {
    return fail(Code::precondition_failed);
  }
  if (const auto none = call.request.header("if-none-match")) {
    if (lists(*none, info.etag)) return fail(Code::not_modified);
  } else if (!modified_since(call, "if-modified-since", info, true)) {
    return fail(Code::not_modified);
  }
  return {};
}

bool is_conditional_write(const Call& call) {
  return call.request.header("if-match") || call.request.header("if-none-match");
}

Done check_write(const Call& call) {
  const auto none = call.request.header("if-none-match");
  if (none && *none != "*") return fail(Code::not_implemented);
  const auto object = call.state.store.open(call.address.bucket, call.address.key);
  if (none && object) return fail(Code::precondition_failed);
  if (const auto match = call.request.header("if-match")) {
    if (!object) return base::Failure{error_of(object.error())};
    if (!lists(*match, (*object)->info().etag)) return fail(Code::precondition_failed);
  }
  return {};
}

}  // namespace dinette::s3
