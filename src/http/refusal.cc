#include "http/refusal.h"

namespace dinette::http {
namespace {

struct Form {
  int status;
  std::string_view body;
};

Form form_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::malformed:
      return {400, "Bad request\n"};
    case Refusal::plain_to_tls:  // in the service's words (docs/service/wire.md, last section)
      return {400, "The plain HTTP request was sent to HTTPS port\n"};
    case Refusal::tls_to_plain:
      return {400, "TLS was sent to an HTTP port\n"};
    case Refusal::http2:
      return {505, "HTTP/2 was sent to a server of HTTP/1.1\n"};
    case Refusal::too_slow:
      return {408, "Request timed out\n"};
    case Refusal::body_too_large:
      return {413, "Request too large\n"};
    case Refusal::header_too_large:
      return {431, "Headers too large\n"};
    case Refusal::too_many_connections:
    case Refusal::out_of_memory:
      return {503, "Server is busy\n"};
  }
  return {500, ""};
}

}  // namespace

void write_refusal(Refusal refusal, const Request& request, const ServerOptions& options,
                   Response& response) {
  const Form form = form_of(refusal);
  response.clear();
  response.status = form.status;
  response.content_type = "text/plain";
  response.body = form.body;
  response.close = true;
  if (options.on_refusal) options.on_refusal(request, response);
}

}  // namespace dinette::http
