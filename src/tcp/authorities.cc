#include "tcp/authorities.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include <openssl/x509.h>

namespace dinette::tcp {
namespace {

// Debian, Ubuntu, Alpine and Arch; Fedora and Amazon Linux; openSUSE; others. OpenSSL knows the file of the
// distribution that it was compiled for, and programs of a release run on all.
constexpr std::array files_of_distributions{"/etc/ssl/certs/ca-certificates.crt",
                                            "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
                                            "/etc/ssl/cert.pem"};

bool exists(const char* path) {
  std::error_code unreadable;
  return std::filesystem::exists(path, unreadable);
}

}  // namespace

std::string other_authorities(const char* default_file, const char* default_folder,
                              std::span<const char* const> files) {
  const bool chosen = std::getenv(X509_get_default_cert_file_env()) != nullptr ||
                      std::getenv(X509_get_default_cert_dir_env()) != nullptr;
  if (chosen || exists(default_file) || exists(default_folder)) return {};
  const auto found = std::find_if(files.begin(), files.end(), exists);
  return found == files.end() ? std::string() : *found;
}

void trust_authorities(boost::asio::ssl::context& context, boost::system::error_code& ec) {
  const std::string file =
      other_authorities(X509_get_default_cert_file(), X509_get_default_cert_dir(), files_of_distributions);
  if (file.empty()) {
    context.set_default_verify_paths(ec);
  } else {
    context.load_verify_file(file, ec);
  }
}

}  // namespace dinette::tcp
