#include "dinette/dynamodb/item_files/file_format.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dynamodb/item_files/json_pieces.h"

namespace dinette::dynamodb::item_files {
namespace {

using base::Failure;
using std::string_view;
using namespace std::string_view_literals;

/// Enough for all that is told from the first bytes.
constexpr std::size_t beginning_bytes = 512;
constexpr std::size_t tar_mark_at = 257;
constexpr string_view tar_mark = "ustar";
constexpr string_view gzip_mark = "\x1f\x8b"sv;
constexpr string_view sqlite_mark = "SQLite format 3\0"sv;
constexpr string_view spaces_between = " \t\r\n";
constexpr string_view utf8_mark = "\xef\xbb\xbf";

/// A file that has to be unpacked first, and how.
struct PackedKind {
  string_view mark;
  string_view what;
  string_view command;
};

constexpr std::array<PackedKind, 6> packed_kinds{
    {{"PK\x03\x04"sv, "a zip archive", "unzip FILE -d DIR"},
     {"BZh"sv, "packed with bzip2", "tar -xjf FILE, or bunzip2 FILE"},
     {"\x28\xb5\x2f\xfd"sv, "packed with Zstandard", "zstd -d FILE"},
     {"\xfd"
      "7zXZ"sv,
      "packed with xz", "xz -d FILE"},
     {"\xff\xfe"sv, "text in UTF-16", "iconv -f UTF-16 -t UTF-8 FILE"},
     {"\xfe\xff"sv, "text in UTF-16", "iconv -f UTF-16 -t UTF-8 FILE"}}};

bool is_any_of(string_view text, std::initializer_list<string_view> names) {
  return std::ranges::find(names, text) != names.end();
}

/// A member of the first object of a file.
struct FirstMember {
  std::string name;
  char begin = '\0';        ///< of its value
  std::string entry;        ///< the first member's name of the first object in it, if it is a list
  bool empty_list = false;  ///< it is []
};

using FirstMembers = std::vector<FirstMember>;

/// Reads the members of the first object until one of them is wrong, or they are longer than an item may be.
class FirstObject {
 public:
  explicit FirstObject(JsonPieces& pieces) : pieces_(pieces) {}

  /// Returns false if the file is no JSON from its first bytes on.
  bool read() {
    const auto begun = pieces_.take('[');
    in_list_ = begun && *begun;
    const auto object = pieces_.take('{');
    if (!object || !*object) {
      const auto end = pieces_.take(']');
      return in_list_ && end && *end;
    }
    const auto first = pieces_.peek();
    if (!first || (*first != '"' && *first != '}')) return false;
    while (read_member()) {
    }
    return true;
  }

  bool in_list() const { return in_list_; }
  const FirstMembers& members() const { return members_; }

  bool has(string_view name, string_view begins = {}) const {
    const auto member = std::ranges::find(members_, name, &FirstMember::name);
    return member != members_.end() && (begins.empty() || begins.find(member->begin) != string_view::npos);
  }

  bool has_only(std::initializer_list<string_view> names) const {
    return std::ranges::all_of(members_, [&](const FirstMember& one) { return is_any_of(one.name, names); });
  }

 private:
  bool read_member() {
    if (pieces_.bytes_read() > ItemSource::longest_object) return false;
    const auto member = next_member();
    return member && *member;
  }

  ReadResult<bool> next_member() {
    DINETTE_TRY(const bool end, pieces_.take('}'));
    if (end) return false;
    if (!members_.empty()) {
      DINETTE_TRY(const bool comma, pieces_.take(','));
      if (!comma) return false;
    }
    DINETTE_TRY(std::string name, pieces_.name());
    DINETTE_TRY(const char begin, pieces_.peek());
    members_.push_back({std::move(name), begin, {}, false});
    if (begin == '[') DINETTE_CHECK(look_into_list(members_.back()));
    if (begin != '[') DINETTE_CHECK(pieces_.skip_value());
    return true;
  }

  ReadResult<void> look_into_list(FirstMember& member) {
    DINETTE_CHECK(pieces_.take('['));
    DINETTE_TRY(member.empty_list, pieces_.take(']'));
    if (member.empty_list) return {};
    DINETTE_TRY(const bool object, pieces_.take('{'));
    DINETTE_TRY(const char inner, pieces_.peek());
    if (object && inner == '"') {
      DINETTE_TRY(member.entry, pieces_.name());
    }
    return pieces_.skip_open(object ? 2 : 1);
  }

  JsonPieces& pieces_;
  bool in_list_ = false;
  FirstMembers members_;
};

bool is_batch_write(const FirstObject& object) {
  if (object.has("RequestItems", "{")) return true;
  const auto has_entries = [](const FirstMember& one) {
    return is_any_of(one.entry, {"PutRequest", "DeleteRequest"});
  };
  return std::ranges::any_of(object.members(), has_entries) &&
         std::ranges::all_of(object.members(),
                             [&](const FirstMember& one) { return one.empty_list || has_entries(one); });
}

bool is_batch_get(const FirstObject& object) {
  return object.has("Responses", "{") && object.has_only({"Responses", "UnprocessedKeys", "ConsumedCapacity",
                                                          "ResponseMetadata", "$metadata"});
}

bool is_scan_page(const FirstObject& object) {
  return object.has("Items", "[") &&
         object.has_only({"Items", "Count", "ScannedCount", "LastEvaluatedKey", "NextToken",
                          "ConsumedCapacity", "ResponseMetadata", "$metadata"});
}

bool is_export_line(const FirstObject& object) {
  const bool item = object.has("Item", "{") && object.has_only({"Item", condition_members[0],
                                                                condition_members[1], condition_members[2]});
  const bool change = object.has("Keys", "{") && object.has("Metadata", "{") &&
                      object.has_only({"Metadata", "Keys", "NewImage", "OldImage"});
  return item || change;
}

bool defines_tables(const FirstObject& object) {
  return (object.has("TableName") && object.has("KeySchema", "[")) ||
         (object.has("Table", "{") && object.has_only({"Table", "ResponseMetadata"})) ||
         (object.has("Resources", "{") &&
          (object.has("AWSTemplateFormatVersion") || object.has("Transform"))) ||
         (object.has("DataModel", "[") && object.has("ModelName"));
}

Outcome<std::optional<RecognisedFile>> recognise_json(objects::ObjectReader& file, bool gzip) {
  if (const auto begun = file.seek(0); !begun) return Failure{"cannot be read: " + begun.error().message};
  const auto pieces =
      std::make_unique<JsonPieces>(file, gzip ? Packing::gzip : Packing::none, std::stop_token());
  FirstObject object(*pieces);
  if (!object.read()) return std::optional(RecognisedFile{FileFormat::csv, gzip});
  if (defines_tables(object))
    return Failure{
        std::string("defines tables, and has no items: create the tables first, then import their items")};
  if (!object.in_list() && is_export_line(object))
    return std::optional(RecognisedFile{FileFormat::export_lines, gzip});
  if (is_scan_page(object)) return std::optional(RecognisedFile{FileFormat::scan_pages, gzip});
  if (is_batch_get(object)) return std::optional(RecognisedFile{FileFormat::batch_get, gzip});
  if (is_batch_write(object)) return std::optional(RecognisedFile{FileFormat::batch_write, gzip});
  return std::optional(RecognisedFile{FileFormat::plain_json, gzip});
}

/// Returns the first bytes, unpacked; fewer if there are no more.
Outcome<std::string> beginning_of(objects::ObjectReader& file, Packing packing) {
  if (const auto begun = file.seek(0); !begun) return Failure{"cannot be read: " + begun.error().message};
  const auto bytes = std::make_unique<UnpackedBytes>(file, packing, std::stop_token());
  const auto rest = bytes->rest(beginning_bytes);
  if (!rest) return Failure{rest.error().message};
  return std::string(rest->substr(0, beginning_bytes));
}

Outcome<void> check_unpacked(string_view beginning, bool gzip) {
  for (const PackedKind& kind : packed_kinds) {
    if (beginning.starts_with(kind.mark))
      return Failure{"is " + std::string(kind.what) + ": first run " + std::string(kind.command)};
  }
  const bool tar = beginning.substr(std::min(beginning.size(), tar_mark_at)).starts_with(tar_mark);
  if (tar)
    return Failure{
        std::string("is a tar archive: unpack it first with tar -xf FILE, then import its folder")};
  if (gzip && beginning.starts_with(sqlite_mark))
    return Failure{std::string("is a packed database: first run gunzip FILE")};
  return {};
}

bool begins_ion(string_view text) {
  return text.starts_with("$ion_1_0") || text.starts_with("{Item");
}

}  // namespace

Outcome<std::optional<RecognisedFile>> recognise(objects::ObjectReader& file) {
  DINETTE_TRY(std::string beginning, beginning_of(file, Packing::none));
  const bool gzip = beginning.starts_with(gzip_mark);
  if (gzip) {
    DINETTE_TRY(beginning, beginning_of(file, Packing::gzip));
  }
  DINETTE_CHECK(check_unpacked(beginning, gzip));
  if (beginning.starts_with(sqlite_mark)) return std::optional(RecognisedFile{FileFormat::database, false});
  if (beginning.find('\0') != std::string::npos) return std::optional<RecognisedFile>();
  string_view text = beginning;
  if (text.starts_with(utf8_mark)) text.remove_prefix(utf8_mark.size());
  text.remove_prefix(std::min(text.find_first_not_of(spaces_between), text.size()));
  if (text.empty()) return std::optional<RecognisedFile>();
  if (begins_ion(text)) return std::optional(RecognisedFile{FileFormat::ion, gzip});
  if (text.front() == '{' || text.front() == '[') return recognise_json(file, gzip);
  return std::optional(RecognisedFile{FileFormat::csv, gzip});
}

}  // namespace dinette::dynamodb::item_files
