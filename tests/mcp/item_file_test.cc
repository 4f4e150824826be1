#include "mcp/item_file.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

#include "support/temporary_folder.h"

namespace dinette::mcp::item_file_test {
namespace {

std::string items(const std::string& text) {
  const auto read = items_in_text(text);
  return read ? Json(*read).dump() : read.error();
}

TEST_CASE("items are read from a list, from lines, and from what scans and exports print") {
  CHECK(items(R"([{"id":1},{"id":{"N":"2"}}])") == R"([{"id":1},{"id":{"N":"2"}}])");
  CHECK(items("{\"id\":1}\n\n{\"Item\":{\"id\":{\"N\":\"2\"}}}\r\n") == R"([{"id":1},{"id":{"N":"2"}}])");
  CHECK(items(R"({"Items":[{"id":{"S":"a"}}],"Count":1})") == R"([{"id":{"S":"a"}}])");
  CHECK(items("{\n  \"id\": 1\n}") == R"([{"id":1}])");
  CHECK(items(R"([{"Item":{"id":1}},{"Item":"x"}])") == R"([{"id":1},{"Item":"x"}])");
  CHECK(items("[]") == "[]");
  CHECK(items("") == "[]");
  CHECK(items(R"([{"id":12345678901234567890123}])") == R"([{"id":{"N":"12345678901234567890123"}}])");
}

TEST_CASE("what is not items is refused, with its place") {
  CHECK(items("{\"id\":1}\n{") == "line 2 is not valid JSON");
  CHECK(items("{\"id\":1}\n5") == "line 2 is not an object");
  CHECK(items("[{},5]") == "element 1 is not an object");
  CHECK(items("5") == "it has no items");
  CHECK(items(std::string(101, '[')) == "line 1 nests deeper than 100 levels");
}

TEST_CASE("a file has up to ten thousand items") {
  std::string lines;
  for (std::size_t i = 0; i < most_file_items; ++i) lines += "{\"id\":1}\n";
  CHECK(items_in_text(lines)->size() == most_file_items);
  const std::string refusal = "there are more than 10000 items; use dinette import";
  CHECK(items(lines + "{\"id\":1}\n") == refusal);
  Json list = Json::array();
  for (std::size_t i = 0; i <= most_file_items; ++i) list.push_back(Json::object());
  CHECK(items(list.dump()) == refusal);
}

struct Folder {
  test::TemporaryFolder temporary;
  std::filesystem::path inside{temporary.path() / "inside"};

  Folder() {
    std::filesystem::create_directories(inside / "below");
    write("outside.json", "secret");
    write("inside/items.json", "text");
    write("inside/below/more.json", "more");
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(temporary.path() / name) << text;
  }

  std::string read(const std::string& path) const {
    const auto text = read_file_in(inside, path);
    return text ? *text : text.error();
  }
};

TEST_CASE("files of a folder are read, by whatever path") {
  const Folder folder;
  CHECK(folder.read("items.json") == "text");
  CHECK(folder.read("below/more.json") == "more");
  CHECK(folder.read("below/../items.json") == "text");
  CHECK(folder.read((folder.inside / "items.json").string()) == "text");
  std::filesystem::create_symlink(folder.inside / "items.json", folder.inside / "link.json");
  CHECK(folder.read("link.json") == "text");
}

TEST_CASE("nothing else is read, and no one learns whether it exists") {
  const Folder folder;
  std::filesystem::create_symlink(folder.temporary.path() / "outside.json", folder.inside / "out.json");
  std::filesystem::create_directory_symlink(folder.temporary.path(), folder.inside / "up");
  std::filesystem::create_directory(folder.temporary.path() / "inside-too");
  folder.write("inside-too/items.json", "secret");
  for (const std::string& path :
       {std::string("../outside.json"), std::string("../missing.json"), std::string("out.json"),
        std::string("up/outside.json"), std::string("../inside-too/items.json"), std::string("missing.json"),
        std::string("below"), std::string("."), std::string(".."), std::string(), std::string("/etc/passwd"),
        std::string("/dev/zero"), std::string("items.json\0x", 12),
        (folder.temporary.path() / "outside.json").string()}) {
    INFO(path);
    CHECK(folder.read(path) == "'" + path + "' is not a file in the folder of --import-from");
  }
  CHECK(read_file_in({}, "items.json").error() ==
        "no file may be read: give 'items', or have dinette mcp started with --import-from FOLDER");
  CHECK_FALSE(read_file_in(folder.temporary.path() / "no-folder", "items.json").ok());
}

TEST_CASE("a file has up to sixteen megabytes") {
  const Folder folder;
  folder.write("inside/large.json", std::string(most_file_bytes, ' '));
  CHECK(read_file_in(folder.inside, "large.json")->size() == most_file_bytes);
  folder.write("inside/large.json", std::string(most_file_bytes + 1, ' '));
  CHECK(folder.read("large.json") == "'large.json' has more than 16777216 bytes; use dinette import");
}

}  // namespace
}  // namespace dinette::mcp::item_file_test
