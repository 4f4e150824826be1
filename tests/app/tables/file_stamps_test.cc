#include "app/tables/file_stamps.h"

#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "support/temporary_folder.h"

namespace dinette::app::file_stamps_test {
namespace {

TEST_CASE("a file that is written, replaced, removed or new has changed") {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "tables.yaml";
  const auto write = [](const std::filesystem::path& path, const char* text) { std::ofstream(path) << text; };
  write(file, "one");
  FileStamps stamps;
  stamps.add(file);
  stamps.add(folder.path() / "new.yaml");
  CHECK(stamps.now() == stamps.before());

  SECTION("written") {
    write(file, "longer");
    CHECK(stamps.now() != stamps.before());
  }
  SECTION("written with as many bytes") {
    write(file, "two");
    std::filesystem::last_write_time(file,
                                     std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
    CHECK(stamps.now() != stamps.before());
  }
  SECTION("replaced by one of the same size and time") {
    const auto other = folder.path() / "other";
    write(other, "two");
    std::filesystem::last_write_time(other, std::filesystem::last_write_time(file));
    std::filesystem::rename(other, file);
    CHECK(stamps.now() != stamps.before());
  }
  SECTION("removed, and the same again when it is there again") {
    std::filesystem::rename(file, folder.path() / "away");
    CHECK(stamps.now() != stamps.before());
    std::filesystem::rename(folder.path() / "away", file);
    CHECK(stamps.now() == stamps.before());
  }
  SECTION("new") {
    write(folder.path() / "new.yaml", "x");
    CHECK(stamps.now() != stamps.before());
  }
}

}  // namespace
}  // namespace dinette::app::file_stamps_test
