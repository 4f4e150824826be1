#include "dinette/http/page_access.h"

#include <utility>

namespace dinette::http {

PageAccess::PageAccess(PageAccessOptions options)
    : pages_(options.pages), admitted_(std::move(options.cors)) {}

bool PageAccess::admits(const Request& request) const {
  return admits(request.header("Origin"), request.header("Host").value_or(""));
}

bool PageAccess::admits_page(std::string_view origin, std::string_view host) const {
  const bool is_own = pages_ == Pages::of_this_machine_or_own && is_own_origin(origin, host);
  return (pages_ == Pages::admitted || is_own || local_.allows(origin)) && admitted_.allows(origin, host);
}

bool PageAccess::may_be_rebound(const Request& request) const {
  const bool is_read = request.method == "GET" || request.method == "HEAD";
  return is_read && !request.header("Origin") && !admitted_.admits_host(request);
}

std::string PageAccess::why_rebound(const Request& request) {
  return "Dinette does not know the host '" + std::string(request.header("host").value_or("")) +
         "', which a web page may have been rebound to. Start it with --cors and this name to admit it.";
}

void PageAccess::answer_preflight(const Request& request, Response& response) const {
  answered().answer_preflight(request, response);
}

}  // namespace dinette::http
