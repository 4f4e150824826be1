#include "cql/data/change_record.h"

#include <string>
#include <utility>

#include "dinette/base/record_bytes.h"

namespace dinette::cql::data {
namespace {

// Kept on disk: never renumber.
constexpr std::uint8_t change_format = 3;
constexpr std::uint8_t of_statics_bit = 0x01;
constexpr std::uint8_t before_bit = 0x02;
constexpr std::uint8_t after_bit = 0x04;

void add_values(base::RecordWriter& out, std::span<const std::string_view> values) {
  out.add_list(values, [&](std::string_view value) { out.add(value); });
}

std::vector<std::string_view> read_values(base::RecordReader& in) {
  std::vector<std::string_view> values;
  in.read_list([&] { values.push_back(in.text()); });
  return values;
}

bool is_same(const Row* before, const Row* after) {
  if (before == nullptr || after == nullptr) return before == after;
  return encode(*before).view() == encode(*after).view();
}

base::Failure<kv::Error> corrupt_change() {
  return base::Failure{kv::Error{kv::ErrorKind::corrupt, "corrupt record of a change"}};
}

}  // namespace

std::optional<store::StreamAppend> change_of(const schema::Table& table, ChangeRecord record,
                                             const Row* before, const Row* after) {
  const schema::ChangeStream* const stream = table.options.cdc.open();
  if (stream == nullptr || is_same(before, after)) return std::nullopt;
  const bool both = stream->view_type == "NEW_AND_OLD_IMAGES";
  const Row* const old_image = both || stream->view_type == "OLD_IMAGE" ? before : nullptr;
  const Row* const new_image = both || stream->view_type == "NEW_IMAGE" ? after : nullptr;
  base::RecordWriter out;
  out.add(change_format);
  out.add(static_cast<std::uint8_t>(record.origin));
  out.add(static_cast<std::uint8_t>((record.of_statics ? of_statics_bit : 0) |
                                    (old_image != nullptr ? before_bit : 0) |
                                    (new_image != nullptr ? after_bit : 0)));
  out.add(static_cast<std::int64_t>(record.created.time_since_epoch().count()));
  add_values(out, record.partition);
  add_values(out, record.clustering);
  for (const Row* const image : {old_image, new_image}) {
    if (image != nullptr) out.add(encode(*image).view());
  }
  return store::StreamAppend{store::StreamId{stream->id}, kv::Value(std::move(out).take())};
}

kv::Result<ChangeRecord> decode_change(std::string_view bytes) {
  base::RecordReader in(bytes);
  if (in.number<std::uint8_t>() != change_format) return corrupt_change();
  ChangeRecord record;
  record.origin = ChangeOrigin{in.number<std::uint8_t>()};
  const auto bits = in.number<std::uint8_t>();
  record.of_statics = (bits & of_statics_bit) != 0;
  record.created = base::TimePoint(base::TimePoint::duration(in.int64()));
  record.partition = read_values(in);
  record.clustering = read_values(in);
  if ((bits & before_bit) != 0) {
    DINETTE_TRY(record.before, decode_row(in.text()));
  }
  if ((bits & after_bit) != 0) {
    DINETTE_TRY(record.after, decode_row(in.text()));
  }
  if (!in.complete()) return corrupt_change();
  return record;
}

}  // namespace dinette::cql::data
