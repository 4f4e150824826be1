#include "dinette/base/file_advice.h"

#include <array>
#include <cerrno>
#include <cstdio>

#include <sys/stat.h>
#include <unistd.h>

namespace dinette::base {
namespace {

/// The nearest file or folder on the way to `path` that exists.
struct Nearest {
  std::filesystem::path path;
  struct stat found {};
};

Nearest nearest_to(const std::filesystem::path& path) {
  Nearest nearest{std::filesystem::absolute(path).lexically_normal()};
  while (::stat(nearest.path.c_str(), &nearest.found) != 0 && nearest.path.has_relative_path())
    nearest.path = nearest.path.parent_path();
  return nearest;
}

std::string ids(unsigned user, unsigned group) {
  return std::to_string(user) + ":" + std::to_string(group);
}

std::string rights_advice(const std::filesystem::path& path) {
  const Nearest nearest = nearest_to(path);
  const std::string owner = ids(nearest.found.st_uid, nearest.found.st_gid);
  const std::string self = ids(::geteuid(), ::getegid());
  std::array<char, 8> mode{};
  std::snprintf(mode.data(), mode.size(), "%04o", nearest.found.st_mode & 07777U);
  return ". " + nearest.path.string() + " belongs to the user " + owner + " and has the mode " + mode.data() +
         "; this process runs as the user " + self + ". Give it to that user (chown -R " + self + " " +
         nearest.path.string() + "), or run the program as its owner (with Docker: --user " + owner + ")";
}

}  // namespace

std::string file_advice(const std::filesystem::path& path, int error) {
  switch (error) {
    case EACCES:
    case EPERM:
      return rights_advice(path);
    case EROFS:
      return ". Its file system is mounted to be read only: mount it to be written (with Docker: a volume "
             "without :ro)";
    default:
      return "";
  }
}

std::string reading_advice(const std::filesystem::path& path) {
  return ::access(path.c_str(), R_OK) == 0 ? "" : file_advice(path, errno);
}

}  // namespace dinette::base
