#include "net/refusal.h"

namespace dinette::net {

void write_refusal(Refusal refusal, const RefusalBodies& bodies, HttpReply& reply) {
  reply.clear();
  reply.close = true;
  reply.content_type = bodies.content_type;
  switch (refusal) {
    case Refusal::malformed:
      reply.status = 400;
      reply.body = bodies.malformed;
      break;
    case Refusal::too_slow:
      reply.status = 408;
      reply.body = bodies.too_slow;
      break;
    case Refusal::body_too_large:
      reply.status = 413;
      reply.body = bodies.body_too_large;
      break;
    case Refusal::header_too_large:
      reply.status = 431;
      reply.body = bodies.header_too_large;
      break;
    case Refusal::too_many_connections:
      reply.status = 503;
      reply.body = bodies.too_many_connections;
      break;
  }
}

}  // namespace dinette::net
