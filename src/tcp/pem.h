#pragma once

#include <memory>
#include <string>

#include <openssl/bio.h>

namespace dinette::tcp {

/// Returns what `write` writes to the BIO that it gets; empty if it does not return 1.
template <class Write>
std::string pem_of(Write write) {
  const std::unique_ptr<BIO, int (*)(BIO*)> bytes(BIO_new(BIO_s_mem()), &BIO_free);
  if (!bytes || write(bytes.get()) != 1) return {};
  char* text = nullptr;
  const long size = BIO_get_mem_data(bytes.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

}  // namespace dinette::tcp
