#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/function_ref.h"
#include "dinette/objects/object_store.h"

/// Files and folders by descriptors: no symbolic link below the first folder is followed.
namespace dinette::objects {

/// Closes a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

enum class FileKind { missing, file, folder, other };

struct FolderEntry {
  std::string name;
  FileKind kind{};
};

/// Returns the failure of the last call of the operating system, which was to do `what`.
Error last_error(std::string_view what);

FileKind kind_of(const Descriptor& folder, const std::string& name);

/// Returns no descriptor if there is no such folder; errno says why it cannot be opened.
Descriptor open_folder(const Descriptor& folder, const std::string& name);
/// The same for one folder in another in another; with an empty path, the first one again.
Descriptor open_folder(const Descriptor& folder, std::span<const std::string> path);
/// Opens the folder, which is made if need be.
Result<Descriptor> make_folder(const Descriptor& folder, const std::string& name);

/// Returns true if errno says that what was to be opened is not there, or something else is.
bool is_missing();

/// Opens a regular file for reading. Returns no descriptor if there is none of that name; errno says why.
Descriptor open_file(const Descriptor& folder, const std::string& name);

/// Calls `visit` for everything in a folder but "." and "..", until it returns false.
Result<void> visit_entries(const Descriptor& folder, base::FunctionRef<bool(FolderEntry&&)> visit);
/// Returns everything in a folder but "." and "..".
Result<std::vector<FolderEntry>> entries_of(const Descriptor& folder);

Result<void> write_all(const Descriptor& file, std::string_view bytes);
Result<std::size_t> read_at(const Descriptor& file, std::uint64_t position, std::span<char> room);
/// Returns the text of a small file; empty if there is none.
std::string read_text(const Descriptor& folder, const std::string& name);

base::TimePoint time_of(const timespec& time);

/// Returns a reader of a file that has the size of `info`.
std::unique_ptr<ObjectReader> make_file_reader(Descriptor file, ObjectInfo info);

}  // namespace dinette::objects
