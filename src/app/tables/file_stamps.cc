#include "app/tables/file_stamps.h"

#include <sys/stat.h>

namespace dinette::app {
namespace {

/// Editors either write a file, which changes its time or size, or put another one in its place.
std::string stamp_of(const std::string& file) {
  struct stat found {};
  if (stat(file.c_str(), &found) != 0) return "missing";
  return std::to_string(found.st_ino) + " " + std::to_string(found.st_size) + " " +
         std::to_string(found.st_mtim.tv_sec) + "." + std::to_string(found.st_mtim.tv_nsec);
}

void append_stamp(std::string& to, const std::string& file, const std::string& stamp) {
  to.append(file).append(" ").append(stamp).append("\n");
}

}  // namespace

void FileStamps::add(const std::filesystem::path& file) {
  stamps_.try_emplace(file.string(), stamp_of(file.string()));
}

std::string FileStamps::now() const {
  std::string text;
  for (const auto& [file, stamp] : stamps_) append_stamp(text, file, stamp_of(file));
  return text;
}

std::string FileStamps::before() const {
  std::string text;
  for (const auto& [file, stamp] : stamps_) append_stamp(text, file, stamp);
  return text;
}

}  // namespace dinette::app
