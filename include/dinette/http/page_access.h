#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/http/cors.h"
#include "dinette/http/message.h"

namespace dinette::http {

/// Which of the pages that CorsOptions admit may call.
enum class Pages {
  admitted,                ///< all of them
  of_this_machine,         ///< only those of this machine
  of_this_machine_or_own,  ///< these, and those that were loaded from the host that they call
};

struct PageAccessOptions {
  CorsOptions cors = {};
  Pages pages = Pages::admitted;
};

/// Decides what web pages may do, the same for all that a server answers: DynamoDB, S3, the administration.
/// What differs between them is in the options. Callers that are no pages are not its concern (local_host.h
/// has what is known of them). Thread-safe.
///
///     if (!pages.admits(request)) return refuse(response);
///     if (pages.may_be_rebound(request)) return refuse(response);  // if a GET tells anything
///     if (request.method == "OPTIONS") pages.answer_preflight(request, response);
///     pages.add_headers(request.header("Origin"), response);
class PageAccess {
 public:
  explicit PageAccess(PageAccessOptions options);

  /// Returns true if the request is of no page, or of one that may call. `origin` and `host` are the values
  /// of these headers; no origin: no page, but see may_be_rebound().
  bool admits(std::optional<std::string_view> origin, std::string_view host) const {
    return !origin || admits_page(*origin, host);
  }
  bool admits(const Request& request) const;

  /// Returns true if the request may be a read (GET, HEAD) of a page that was loaded from a host that its
  /// owner has pointed to this machine since. Browsers send no Origin then.
  bool may_be_rebound(const Request& request) const;
  /// Returns why such a request is refused, for its sender.
  static std::string why_rebound(const Request& request);

  /// Returns true if a page of `origin` may show a response that it cannot read, such as an image.
  bool may_show(std::string_view origin) const { return answered().allows(origin); }

  /// See Cors::answer_preflight().
  void answer_preflight(const Request& request, Response& response) const;

  /// Completes the response to a page; does nothing without `origin`. Pages at the host that they were loaded
  /// from need no headers. See Cors::add_headers().
  void add_headers(std::optional<std::string_view> origin, Response& response) const {
    if (origin) answered().add_headers(*origin, response);
  }

 private:
  bool admits_page(std::string_view origin, std::string_view host) const;
  const Cors& answered() const { return pages_ == Pages::admitted ? admitted_ : local_; }

  const Pages pages_;
  const Cors admitted_;
  const Cors local_{{.origins = "local"}};
};

}  // namespace dinette::http
