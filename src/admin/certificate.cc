#include "admin/certificate.h"

namespace dinette::admin {

Answer get_certificate(State& state, const Call&) {
  if (state.options.certificate.empty())
    return not_found(
        "There is no self-signed certificate: the server was not started with --tls-self-signed.");
  return Reply{.body = {}, .text = Text{state.options.certificate, "application/x-pem-file"}};
}

}  // namespace dinette::admin
