#pragma once

/// What Amazon charges for tables of the Standard class in us-east-1, on demand, in US dollars without the
/// free tier: the list prices of https://aws.amazon.com/dynamodb/pricing/on-demand/, valid since November 1,
/// 2024.
namespace dinette::observe::prices {

inline constexpr double read_unit = 0.125 / 1e6;
inline constexpr double write_unit = 0.625 / 1e6;
inline constexpr double storage_byte_month = 0.25 / (1024.0 * 1024 * 1024);

}  // namespace dinette::observe::prices
