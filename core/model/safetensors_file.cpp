#include "core/model/safetensors_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/model/strict_json.h"
#include "core/tensor/bf16.h"

// The format, all of which open() checks:
//
//   byte 0         N, the header's length, unsigned 64-bit little-endian, a multiple of 8
//   byte 8         the header, N bytes of JSON: one object, blanks may follow it
//   byte 8 + N     the data, to the end of the file
//
// The header maps a name to {"dtype": ..., "shape": [...], "data_offsets": [begin, end]}, offsets
// counted in bytes from the start of the data; "__metadata__" maps names to strings. The arrays are
// little-endian and row-major and tile the data: no gap, no overlap, nothing after the last, every
// one aligned to its type. Read here: F32, F16, BF16, F64, I64, of one to four dimensions, none of
// them 0. A name must not appear twice.

namespace notbad::model {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

using nlohmann::json;
using Entries = std::map<std::string, SafetensorsFile::Entry>;

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeaderBytes = 4 << 20;
constexpr int kMaxHeaderDepth = 3;

struct TypeName {
  const char* name;
  DataType type;
  std::uint64_t bytes;
};
constexpr std::array<TypeName, 5> kTypes{{{"F32", DataType::kF32, 4},
                                          {"F16", DataType::kF16, 2},
                                          {"BF16", DataType::kBF16, 2},
                                          {"F64", DataType::kF64, 8},
                                          {"I64", DataType::kI64, 8}}};

tl::unexpected<Error> refuse(const std::string& file, const std::string& what) {
  return fail(ErrorCode::kBadModelFile,
              file + ": " + what + "; copy the file again or export the model again");
}

tl::unexpected<Error> refuse_tensor(const std::string& file, const std::string& name,
                                    const std::string& what) {
  return refuse(file, "tensor " + quote_name(name) + " " + what);
}

Result<std::span<const std::byte>> find_header(const std::string& file,
                                               std::span<const std::byte> bytes) {
  if (bytes.size() < kLengthBytes) return refuse(file, "is shorter than its length field");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  const auto rest = bytes.subspan(kLengthBytes);
  if (length == 0 || length > kMaxHeaderBytes || length % kLengthBytes != 0) {
    return refuse(file,
                  "is not a safetensors file: its header length is " + std::to_string(length));
  }
  if (length > rest.size()) return refuse(file, "ends inside its header");
  return rest.first(static_cast<std::size_t>(length));
}

Result<TypeName> read_type(const std::string& file, const std::string& name, const json& value) {
  const auto text = value.is_string() ? value.get<std::string>() : std::string();
  const auto* const found = std::find_if(kTypes.begin(), kTypes.end(),
                                         [&](const TypeName& type) { return text == type.name; });
  if (found == kTypes.end()) {
    return refuse_tensor(file, name, "has a dtype other than F32, F16, BF16, F64 and I64");
  }
  return *found;
}

// The dimensions, with a product that any byte count below 2^63 can hold.
Result<Shape> read_shape(const std::string& file, const std::string& name, const json& value) {
  constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 40;
  if (!value.is_array() || value.empty() || value.size() > Shape::kMaxRank) {
    return refuse_tensor(file, name, "has no shape of one to four dimensions");
  }
  std::array<std::int64_t, Shape::kMaxRank> dims{};
  std::uint64_t elements = 1;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto dim = value[i].is_number_unsigned() ? value[i].get<std::uint64_t>() : 0;
    if (dim == 0 || dim > kMaxElements / elements) {
      return refuse_tensor(file, name, "has an impossible shape");
    }
    elements *= dim;
    dims[i] = static_cast<std::int64_t>(dim);
  }
  switch (value.size()) {
    case 1:
      return Shape{dims[0]};
    case 2:
      return Shape{dims[0], dims[1]};
    case 3:
      return Shape{dims[0], dims[1], dims[2]};
    default:
      return Shape{dims[0], dims[1], dims[2], dims[3]};
  }
}

Result<std::span<const std::byte>> read_bytes(const std::string& file, const std::string& name,
                                              const json& offsets,
                                              std::span<const std::byte> data) {
  if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
      !offsets[1].is_number_unsigned()) {
    return refuse_tensor(file, name, "has no two data_offsets");
  }
  const auto begin = offsets[0].get<std::uint64_t>();
  const auto end = offsets[1].get<std::uint64_t>();
  if (begin > end || end > data.size()) {
    return refuse_tensor(file, name, "lies outside the file, which may have been cut off");
  }
  return data.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

Result<SafetensorsFile::Entry> read_entry(const std::string& file, const std::string& name,
                                          const json& value, std::span<const std::byte> data) {
  if (!value.is_object() || value.size() != 3 || !value.contains("dtype") ||
      !value.contains("shape") || !value.contains("data_offsets")) {
    return refuse_tensor(file, name, "needs dtype, shape and data_offsets and nothing else");
  }
  const auto type = read_type(file, name, value["dtype"]);
  if (!type) return tl::unexpected(type.error());
  const auto shape = read_shape(file, name, value["shape"]);
  if (!shape) return tl::unexpected(shape.error());
  const auto bytes = read_bytes(file, name, value["data_offsets"], data);
  if (!bytes) return tl::unexpected(bytes.error());
  if (static_cast<std::uint64_t>(shape->num_elements()) * type->bytes != bytes->size()) {
    return refuse_tensor(file, name, "has data_offsets that do not fit its dtype and shape");
  }
  if (static_cast<std::uint64_t>(bytes->data() - data.data()) % type->bytes != 0) {
    return refuse_tensor(file, name, "is not aligned to its dtype");
  }
  return SafetensorsFile::Entry{type->type, *shape, *bytes};
}

bool is_metadata(const json& value) {
  return value.is_object() &&
         std::all_of(value.begin(), value.end(), [](const json& text) { return text.is_string(); });
}

// In order of their bytes the arrays must follow each other from the first byte to the last.
Result<void> check_tiling(const std::string& file, const Entries& entries,
                          std::span<const std::byte> data) {
  std::vector<const Entries::value_type*> by_position;
  for (const auto& entry : entries) by_position.push_back(&entry);
  std::sort(by_position.begin(), by_position.end(), [](const auto* a, const auto* b) {
    return a->second.bytes.data() < b->second.bytes.data();
  });
  const std::byte* expected = data.data();
  for (const auto* entry : by_position) {
    const auto bytes = entry->second.bytes;
    if (bytes.data() != expected) {
      return refuse_tensor(file, entry->first, "overlaps another one or leaves a gap before it");
    }
    expected += bytes.size();
  }
  if (expected != data.data() + data.size()) return refuse(file, "has bytes after its last tensor");
  return {};
}

float widen_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16U;
  const std::uint32_t exponent = (half >> 10U) & 0x1FU;
  const std::uint32_t mantissa = half & 0x3FFU;
  if (exponent == 0) {  // zero or subnormal: mantissa · 2^-24
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide_exponent = exponent == 0x1F ? 0xFFU : exponent + (127 - 15);
  return std::bit_cast<float>(sign | wide_exponent << 23U | mantissa << 13U);
}

// Copies through memcpy: the mapping promises an alignment, not that floats live there.
template <class Stored, class Widen>
auto widened(std::span<const std::byte> bytes, const Widen& widen) {
  std::vector<decltype(widen(Stored{}))> values(bytes.size() / sizeof(Stored));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    values[i] = widen(stored);
  }
  return values;
}

// IEEE 754: the exponent bits of NaN and infinity, and only theirs, are all ones.
template <class Stored>
bool has_only_finite(std::span<const std::byte> bytes, Stored exponent_bits) {
  Stored found = 0;  // no early end, so that the loop is vectorised
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(Stored)) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i, sizeof(Stored));
    found |= static_cast<Stored>((stored & exponent_bits) == exponent_bits);
  }
  return found == 0;
}

}  // namespace

Result<SafetensorsFile> SafetensorsFile::open(const std::filesystem::path& path) {
  const std::string file = path.string();
  auto mapped = MappedFile::open(path);
  if (!mapped) return tl::unexpected(mapped.error());
  const auto header_bytes = find_header(file, mapped->bytes());
  if (!header_bytes) return tl::unexpected(header_bytes.error());
  const std::string_view text(reinterpret_cast<const char*>(header_bytes->data()),
                              header_bytes->size());
  const auto header = parse_strict_json(text, file, kMaxHeaderDepth);
  if (!header) return tl::unexpected(header.error());
  if (!header->is_object()) return refuse(file, "has a header that is not a JSON object");

  const auto data = mapped->bytes().subspan(kLengthBytes + header_bytes->size());
  Entries entries;
  for (const auto& [name, value] : header->items()) {
    if (name == "__metadata__") {
      if (!is_metadata(value)) return refuse(file, "has metadata that are not strings");
      continue;
    }
    auto entry = read_entry(file, name, value, data);
    if (!entry) return tl::unexpected(entry.error());
    entries.emplace(name, *entry);
  }
  if (const auto tiling = check_tiling(file, entries, data); !tiling) {
    return tl::unexpected(tiling.error());
  }
  return SafetensorsFile(std::move(*mapped), std::move(entries));
}

std::optional<Tensor> SafetensorsFile::floats(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return std::nullopt;
  const auto& [type, shape, bytes] = found->second;
  switch (type) {
    case DataType::kF32:
      return Tensor(shape, widened<float>(bytes, [](float value) { return value; }));
    case DataType::kF16:
      return Tensor(shape, widened<std::uint16_t>(bytes, widen_half));
    case DataType::kBF16:
      return Tensor(shape, widened<std::uint16_t>(bytes, float_of_bf16));
    case DataType::kF64:
    case DataType::kI64:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<bool> SafetensorsFile::is_finite(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return std::nullopt;
  const auto bytes = found->second.bytes;
  switch (found->second.type) {
    case DataType::kF32:
      return has_only_finite<std::uint32_t>(bytes, 0x7F80'0000U);
    case DataType::kF16:
      return has_only_finite<std::uint16_t>(bytes, 0x7C00U);
    case DataType::kBF16:
      return has_only_finite<std::uint16_t>(bytes, 0x7F80U);
    case DataType::kF64:
    case DataType::kI64:
      return std::nullopt;
  }
  return std::nullopt;
}

template <class Value>
std::optional<std::vector<Value>> SafetensorsFile::exact(const std::string& name,
                                                         DataType type) const {
  const auto found = entries_.find(name);
  if (found == entries_.end() || found->second.type != type) return std::nullopt;
  const auto bytes = found->second.bytes;
  std::vector<Value> values(bytes.size() / sizeof(Value));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::optional<std::span<const std::uint16_t>> SafetensorsFile::bf16(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end() || found->second.type != DataType::kBF16) return std::nullopt;
  const auto bytes = found->second.bytes;
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint16_t) != 0) {
    return std::nullopt;
  }
  return std::span(reinterpret_cast<const std::uint16_t*>(bytes.data()),
                   bytes.size() / sizeof(std::uint16_t));
}

std::optional<std::vector<double>> SafetensorsFile::doubles(const std::string& name) const {
  return exact<double>(name, DataType::kF64);
}

std::optional<std::vector<std::int64_t>> SafetensorsFile::integers(const std::string& name) const {
  return exact<std::int64_t>(name, DataType::kI64);
}

}  // namespace notbad::model
