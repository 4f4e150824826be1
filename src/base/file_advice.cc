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

std::filesystem::path whole(const std::filesystem::path& path) {
  return std::filesystem::absolute(path).lexically_normal();
}

Nearest nearest_to(const std::filesystem::path& path) {
  Nearest nearest{whole(path)};
  while (::stat(nearest.path.c_str(), &nearest.found) != 0 && nearest.path.has_relative_path())
    nearest.path = nearest.path.parent_path();
  return nearest;
}

std::string ids(unsigned user, unsigned group) {
  return std::to_string(user) + ":" + std::to_string(group);
}

std::string rights_advice(const std::filesystem::path& path, const std::filesystem::path& own_folder) {
  const Nearest nearest = nearest_to(path);
  const std::string owner = ids(nearest.found.st_uid, nearest.found.st_gid);
  const std::string self = ids(::geteuid(), ::getegid());
  std::array<char, 8> mode{};
  std::snprintf(mode.data(), mode.size(), "%04o", nearest.found.st_mode & 07777U);
  const bool may_be_given =
      nearest.path == whole(path) || (!own_folder.empty() && nearest.path == whole(own_folder));
  const std::string remedy =
      may_be_given
          ? "Give it to that user (chown -R " + self + " " + nearest.path.string() + ")"
          : "Name a place that this user may use, or make " + path.string() + " and give it to that user";
  return ". " + nearest.path.string() + " belongs to the user " + owner + " and has the mode " + mode.data() +
         "; this process runs as the user " + self + ". " + remedy +
         ", or run the program as its owner (with Docker: --user " + owner + ")";
}

}  // namespace

std::string file_advice(const std::filesystem::path& path, int error,
                        const std::filesystem::path& own_folder) {
  switch (error) {
    case EACCES:
    case EPERM:
      return rights_advice(path, own_folder);
    case ENOTDIR:
      return ". " + nearest_to(path).path.string() + " is a file, not a folder";
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
