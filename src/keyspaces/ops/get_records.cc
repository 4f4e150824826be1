#include "keyspaces/api/get_records.h"

#include <chrono>
#include <string>
#include <utility>

#include "keyspaces/api/limits.h"
#include "keyspaces/definitions/streams.h"

// docs/service-keyspaces/control-plane.md section 5.
namespace dinette::keyspaces::ops {
namespace {

constexpr std::string_view event_version = "1.0";
constexpr std::int32_t usual_page = 100;

Answer<ShardIterator> read_iterator(const Context& context, std::string_view text) {
  auto iterator = ShardIterator::parse(text);
  if (!iterator) return not_valid("Invalid shard iterator.", "InvalidFormat");
  const base::TimePoint issued{std::chrono::seconds(iterator->issued)};
  if (context.now - issued > std::chrono::minutes(model::limits::iterator_minutes))
    return not_valid("The shard iterator has expired.", "ExpiredIterator");
  return *std::move(iterator);
}

std::optional<api::ImageOfRow> image_of(std::optional<cql::ChangeImage>& image) {
  if (!image) return std::nullopt;
  api::ImageOfRow out;
  out.value_cells.json = std::move(image->value_cells);
  out.static_cells.json = std::move(image->static_cells);
  if (!image->write_time) return out;
  out.row_metadata.emplace().write_time = std::to_string(*image->write_time);
  if (image->expiration_time) out.row_metadata->expiration_time = std::to_string(*image->expiration_time);
  return out;
}

api::ChangeRecord record_of(cql::ChangedRow& row) {
  api::ChangeRecord record;
  record.event_version = event_version;
  record.created_at = aws::Timestamp(row.created);
  record.origin = row.by_time_to_live ? api::RecordOrigin::ttl : api::RecordOrigin::user;
  record.partition_keys.json = std::move(row.partition_keys);
  if (!row.clustering_keys.empty()) record.clustering_keys.emplace().json = std::move(row.clustering_keys);
  record.new_image = image_of(row.after);
  record.old_image = image_of(row.before);
  record.sequence_number = sequence_number(row.position);
  return record;
}

}  // namespace

Answer<api::GetRecordsOutput> get_records(const Context& context, api::GetRecordsInput&& input) {
  DINETTE_TRY(ShardIterator iterator, read_iterator(context, input.shard_iterator));
  DINETTE_TRY(const auto stream, open_stream(context, iterator.stream_arn));
  const cql::ChangePageLimits limits{
      .records = static_cast<std::size_t>(input.max_results.value_or(usual_page)),
      .bytes = model::limits::page_bytes};
  DINETTE_KEYSPACES_DEFINED(auto page, cql::read_changes(context.scope, stream, iterator.position, limits));
  if (!page) return not_found("Stream " + stream.arn + " does not exist", stream.arn);
  api::GetRecordsOutput output;
  output.change_records.emplace();
  for (cql::ChangedRow& row : page->rows) output.change_records->push_back(record_of(row));
  output.iterator_description.emplace().iterator_position =
      page->at_end ? api::IteratorPosition::at_tip : api::IteratorPosition::behind_tip;
  if (page->at_end && !stream.enabled) return output;
  iterator.position = page->next;
  iterator.issued = std::chrono::floor<std::chrono::seconds>(context.now.time_since_epoch()).count();
  output.next_shard_iterator = iterator.text();
  return output;
}

}  // namespace dinette::keyspaces::ops
