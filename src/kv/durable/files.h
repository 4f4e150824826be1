#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "dinette/kv/error.h"

namespace dinette::kv::durable {

/// Returns the error that `path` cannot be made, written, ... and what to do about it.
Error io_error(const std::filesystem::path& path, const char* what, const std::error_code& error);

/// A file that is open in this process. Closed by the destructor.
class OpenFile {
 public:
  explicit OpenFile(int descriptor = -1) : descriptor_(descriptor) {}
  OpenFile(OpenFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile();

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

/// What is in a file, without a copy of it. Valid while nothing makes the file shorter.
class MappedFile {
 public:
  /// Returns nothing if the file cannot be read.
  static std::optional<MappedFile> open(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  std::string_view bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes_;
};

/// Opens `path` for writing; makes it if it does not exist. `flags` are more flags of open(2).
Result<OpenFile> open_file(const std::filesystem::path& path, int flags = 0);

/// Acquires the file for this process, until it is closed. Fails if another process has it.
Result<OpenFile> lock_file(const std::filesystem::path& path);

/// Acquires the file, if it exists, together with other processes that only read. Fails if a process has it
/// that writes. The file does not change.
Result<OpenFile> share_file(const std::filesystem::path& path);

/// Returns true if the open file is the one at `path`.
bool is_same_file(const OpenFile& file, const std::filesystem::path& path);

/// Returns what is in the file; nothing if it cannot be read.
std::string read_whole(const std::filesystem::path& path);

/// Replaces the contents of the file, without waiting for the disk.
Result<void> write_file(const std::filesystem::path& path, std::string_view contents);

/// Replaces the contents of the file. When this returns, the disk has them; on failure the old ones are
/// there.
Result<void> replace_file(const std::filesystem::path& path, std::string_view contents);

/// Makes the file `size` bytes long, and waits until the disk has that. Makes it if it does not exist.
Result<void> cut_file(const std::filesystem::path& path, std::uint64_t size);

/// Writes to an open file, from its beginning. `path` is for the error.
Result<void> write_at_begin(const OpenFile& file, std::string_view contents,
                            const std::filesystem::path& path);

/// Waits until the disk has what was written to the file.
Result<void> sync_file(const OpenFile& file, const std::filesystem::path& path);

/// Waits until the disk has the list of the files in `folder`.
Result<void> sync_folder(const std::filesystem::path& folder);

}  // namespace dinette::kv::durable
