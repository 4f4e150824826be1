#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dinette::kv::postgres {

/// The parameters of one statement in PostgreSQL's binary format, in their order. Not thread-safe.
class Parameters {
 public:
  Parameters& number(std::int64_t number);        ///< int8
  Parameters& small_number(std::int32_t number);  ///< int4
  Parameters& bytes(std::string_view bytes);
  Parameters& text(std::string_view text);
  Parameters& numbers(std::span<const std::int64_t> numbers);           ///< int8[]
  Parameters& small_numbers(std::span<const std::int32_t> numbers);     ///< int4[]
  Parameters& flags(const std::vector<bool>& flags);                    ///< bool[]
  Parameters& byte_strings(std::span<const std::string_view> strings);  ///< bytea[]

  std::size_t size() const { return encoded_.size(); }
  bool operator==(const Parameters&) const = default;
  std::string_view operator[](std::size_t index) const { return encoded_[index]; }

 private:
  std::string& add_array(std::uint32_t element_type, std::size_t count, std::size_t bytes);

  std::vector<std::string> encoded_;
};

}  // namespace dinette::kv::postgres
