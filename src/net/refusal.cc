#include "net/refusal.h"

namespace dinette::net {
namespace {

struct Form {
  int status;
  std::string_view body;
};

Form form_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::malformed:
      return {400, "Bad request\n"};
    case Refusal::plain_to_tls:  // As the service's own front says it (facts: wire.md, last section).
      return {400, "The plain HTTP request was sent to HTTPS port\n"};
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

void write_refusal(Refusal refusal, std::string_view remote, const ServerOptions& options, HttpReply& reply) {
  const Form form = form_of(refusal);
  reply.clear();
  reply.status = form.status;
  reply.content_type = "text/plain";
  reply.body = form.body;
  reply.close = true;
  if (options.on_refusal) options.on_refusal(remote, reply);
}

}  // namespace dinette::net
