#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/admin/api.h"
#include "dinette/base/sha256.h"
#include "dinette/http/message.h"
#include "dinette/http/page_access.h"

#include "admin/answer.h"

namespace dinette::admin {

/// Decides which callers may administrate. Thread-safe.
///
/// Of the web pages that --cors admits, those of this machine may call, and if there is a token, those of the
/// address by which they call (http::PageAccess). Without a token the caller must be on this machine, and
/// must have called it by a name that cannot have been rebound; with one it must present it, from wherever.
class Access {
 public:
  explicit Access(const ApiOptions& options);

  /// Returns why the page that sent the request may not call, if it may not.
  std::optional<Error> refuse_page(const http::Request& request) const;
  /// Returns why the caller may not administrate, if it may not.
  std::optional<Error> refuse_caller(const http::Request& request) const;

  const http::PageAccess& pages() const { return pages_; }

 private:
  std::optional<Error> refuse_without_token(const http::Request& request) const;

  std::optional<base::Sha256Digest> token_;
  const bool for_all_callers_;
  const http::PageAccess pages_;
};

}  // namespace dinette::admin
