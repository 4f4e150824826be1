#include "kv/postgres/reads.h"

#include <utility>

#include "kv/postgres/keys.h"

namespace dinette::kv::postgres {
namespace {

using EndOfRange = std::optional<std::string_view>;

/// Collects a page, parent by parent.
class PageReader {
 public:
  PageReader(const ReadSource& source, std::int64_t world, Direction direction, std::size_t limit)
      : source_(source), world_(world), direction_(direction), limit_(limit) {}

  /// Reads the keys below `parent`, which begin with `path`, from `begin` to `end` of what follows it.
  Result<void> read(std::string_view parent, std::string_view path, std::string_view begin, EndOfRange end);

  Page take() && {
    const bool complete = !is_full();
    return {std::move(entries_), complete};
  }

 private:
  /// The rows of one part.
  struct Group {
    std::string_view part;
    FoundEntry found;
  };

  bool is_full() const { return entries_.size() >= limit_; }
  Result<Rows> rows_of(std::string_view parent, std::string_view from, const std::optional<std::string>& to,
                       std::size_t rows) const;
  /// Returns the parts of which all rows are there.
  static std::vector<Group> groups_in(const Rows& rows, bool cut_short);
  Result<void> take_group(std::string_view parent, std::string_view path, std::string_view begin,
                          EndOfRange end, Group&& group);

  const ReadSource& source_;
  const std::int64_t world_;
  const Direction direction_;
  const std::size_t limit_;
  std::vector<Entry> entries_;
};

Result<void> PageReader::read(std::string_view parent, std::string_view path, std::string_view begin,
                              EndOfRange end) {
  std::string from(begin.substr(0, part_size));
  std::optional<std::string> to;
  if (end) {
    to = std::string(end->substr(0, part_size));
    if (end->size() >= part_size) *to += '\0';  // the branch itself belongs to the range
  }
  std::size_t limit = limit_ - entries_.size() + 1;  // the last part may be there in part
  while (true) {
    DINETTE_TRY(const Rows rows, rows_of(parent, from, to, limit));
    const bool cut_short = static_cast<std::size_t>(rows.size()) == limit;
    std::vector<Group> groups = groups_in(rows, cut_short);
    for (Group& group : groups) {
      DINETTE_CHECK(take_group(parent, path, begin, end, std::move(group)));
      if (is_full()) return {};
    }
    if (!cut_short) return {};
    if (groups.empty()) {
      limit *= 4;
    } else if (direction_ == Direction::up) {
      from = std::string(groups.back().part) + '\0';
    } else {
      to = groups.back().part;
    }
  }
}

Result<Rows> PageReader::rows_of(std::string_view parent, std::string_view from,
                                 const std::optional<std::string>& to, std::size_t rows) const {
  Parameters parameters;
  parameters.number(world_).bytes(parent).bytes(from).number(static_cast<std::int64_t>(rows));
  if (to) parameters.bytes(*to);
  if (direction_ == Direction::up)
    return source_.read(to ? Statement::page_up : Statement::page_up_to_end, parameters);
  return source_.read(to ? Statement::page_down : Statement::page_down_from_end, parameters);
}

std::vector<PageReader::Group> PageReader::groups_in(const Rows& rows, bool cut_short) {
  std::vector<Group> groups;
  for (int row = 0; row < rows.size(); ++row) {
    const std::string_view part = rows.bytes(row, 0);
    if (groups.empty() || groups.back().part != part) groups.push_back({part, {}});
    const bool has_value = !rows.is_null(row, 3);
    groups.back().found.add_row(rows.int4(row, 1), rows.is_null(row, 2) ? 0 : rows.int8(row, 2), has_value,
                                has_value ? rows.bytes(row, 3) : std::string_view());
  }
  if (cut_short && !groups.empty()) groups.pop_back();
  return groups;
}

Result<void> PageReader::take_group(std::string_view parent, std::string_view path, std::string_view begin,
                                    EndOfRange end, Group&& group) {
  std::string key(path);
  key += group.part;
  if (!is_branch(group.part)) {
    entries_.push_back({std::move(key), std::move(group.found).value()});
    return {};
  }
  const auto goes_on_in = [&](std::string_view bound) { return bound.starts_with(group.part); };
  const std::string_view from = goes_on_in(begin) ? begin.substr(part_size) : std::string_view();
  const EndOfRange to = end && goes_on_in(*end) ? EndOfRange(end->substr(part_size)) : std::nullopt;
  if (to && to->empty()) return {};
  return read(parent_below(parent, group.part), key, from, to);
}

}  // namespace

Result<FoundEntry> read_entry(const ReadSource& source, std::int64_t world, std::string_view key) {
  const Place place = place_of(key);
  Parameters parameters;
  parameters.number(world).bytes(place.parent).bytes(place.part);
  DINETTE_TRY(const Rows rows, source.read(Statement::get, parameters));
  FoundEntry found;
  for (int row = 0; row < rows.size(); ++row) found.add_row(rows, row, 0);
  return found;
}

Parameters many_parameters(std::int64_t world, std::span<const std::string_view> keys) {
  std::vector<Place> places;
  std::vector<std::string_view> parents;
  std::vector<std::string_view> parts;
  places.reserve(keys.size());
  for (const std::string_view key : keys) {
    const Place& place = places.emplace_back(place_of(key));
    parents.push_back(place.parent);
    parts.push_back(place.part);
  }
  Parameters parameters;
  parameters.number(world).byte_strings(parents).byte_strings(parts);
  return parameters;
}

std::vector<FoundEntry> found_among(const Rows& rows, std::size_t count) {
  std::vector<FoundEntry> found(count);
  for (int row = 0; row < rows.size(); ++row)
    found[static_cast<std::size_t>(rows.int8(row, 0) - 1)].add_row(rows, row, 1);
  return found;
}

Result<std::vector<FoundEntry>> read_entries(const ReadSource& source, std::int64_t world,
                                             std::span<const std::string_view> keys) {
  if (keys.empty()) return std::vector<FoundEntry>();
  DINETTE_TRY(const Rows rows, source.read(Statement::get_many, many_parameters(world, keys)));
  return found_among(rows, keys.size());
}

std::optional<Value> value_in(FoundEntry&& entry) {
  if (!entry.present()) return std::nullopt;
  return std::move(entry).value();
}

Values values_in(std::vector<FoundEntry>&& entries) {
  Values values;
  values.reserve(entries.size());
  for (FoundEntry& entry : entries) values.push_back(value_in(std::move(entry)));
  return values;
}

Result<Page> read_page(const ReadSource& source, std::int64_t world, Direction direction,
                       std::string_view begin, std::optional<std::string_view> end, std::size_t limit) {
  if (end && *end <= begin) return Page{.complete = true};
  PageReader reader(source, world, direction, limit);
  DINETTE_CHECK(reader.read({}, {}, begin, end));
  return std::move(reader).take();
}

}  // namespace dinette::kv::postgres
