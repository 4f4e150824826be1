#pragma once

#include <filesystem>
#include <string>

namespace dinette::base {

/// Returns what to do about `error`, the errno of a call that could not open, make or write `path`: sentences
/// that continue an error message for the user, or nothing. If the rights do not suffice, they name the owner
/// and the mode of the file or of the folder that it should be in, and the user of this process. If a file is
/// where a folder should be, they name it.
/// `own_folder`, if there is one, is the program's own: no other folder above `path` is to be given away,
/// which may be /.
std::string file_advice(const std::filesystem::path& path, int error,
                        const std::filesystem::path& own_folder = {});

/// The same for a file that could not be read, by whatever library.
std::string reading_advice(const std::filesystem::path& path);

}  // namespace dinette::base
