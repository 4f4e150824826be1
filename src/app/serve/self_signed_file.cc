#include "app/serve/self_signed_file.h"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "app/read_file.h"

namespace dinette::app {
namespace {

namespace fs = std::filesystem;
using base::Failure;
using base::Result;

constexpr mode_t all_may_read = 0644;
constexpr mode_t owner_may_read = 0600;
// It is renewed as long before its end, for servers that then run on.
constexpr std::time_t least_validity = 7 * 24 * 60 * 60;

Result<void, std::string> failed(const std::string& path, int why) {
  return Failure{"cannot write the certificate's file " + path + ": " + std::generic_category().message(why)};
}

/// Writes a file that appears as a whole, in place of one that is there.
Result<void, std::string> write(const std::string& path, std::string_view text, mode_t mode) {
  const std::string fresh = path + ".new";
  ::unlink(fresh.c_str());
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file < 0) return failed(path, errno);
  const ssize_t written = ::write(file, text.data(), text.size());
  const int why = written < 0 ? errno : ENOSPC;
  ::close(file);
  if (written != static_cast<ssize_t>(text.size())) {
    ::unlink(fresh.c_str());
    return failed(path, why);
  }
  return ::rename(fresh.c_str(), path.c_str()) == 0 ? Result<void, std::string>() : failed(path, errno);
}

Result<tcp::SelfSigned, std::string> create_files(const std::string& file, const std::string& key_file,
                                                  std::time_t now) {
  DINETTE_TRY(auto made, create_self_signed(now));
  DINETTE_CHECK(write(key_file, made.key, owner_may_read));
  DINETTE_CHECK(write(file, made.certificate, all_may_read));
  return made;
}

}  // namespace

Result<tcp::SelfSigned, std::string> create_self_signed(std::time_t now) {
  auto made = tcp::make_self_signed(now);
  if (!made)
    return Failure{std::string("cannot make a self-signed certificate: use --tls-cert and --tls-key")};
  return *std::move(made);
}

Result<tcp::SelfSigned, std::string> keep_self_signed(const std::string& file, std::time_t now) {
  const std::string key_file = file + ".key";
  std::error_code ignored;
  const bool has_file = fs::exists(file, ignored);
  const bool has_key = fs::exists(key_file, ignored);
  if (!has_file && !has_key) return create_files(file, key_file, now);
  if (!has_file || !has_key) {
    return Failure{"--tls-self-signed " + file + ": there is " + (has_file ? file : key_file) + ", but not " +
                   (has_file ? key_file : file) + ". Remove it, or name another file."};
  }
  DINETTE_TRY(auto certificate, read_file(file, "certificate"));
  const auto expiry = tcp::expiry_of(certificate);
  if (!expiry) return Failure{"--tls-self-signed " + file + ": it holds no certificate. Name another file."};
  if (*expiry < now + least_validity) return create_files(file, key_file, now);
  DINETTE_TRY(auto key, read_file(key_file, "certificate's key"));
  return tcp::SelfSigned{std::move(certificate), std::move(key)};
}

}  // namespace dinette::app
