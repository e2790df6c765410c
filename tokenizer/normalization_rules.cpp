// Two formats are read here.
//
// The model file is a protocol buffer: fields, each a varint key (number * 8 + wire type) and a
// value. Field 3 of the file is the normaliser's message, whose field 2 are the compiled rules.
//
// Compiled rules are a little-endian uint32 with the size of the trie in bytes, the trie, and the
// targets, each ended by NUL. The trie is a Darts-clone double array of uint32 units:
//   bit 31       the unit is a leaf; the other bits are its value, an offset into the targets
//   bits 10..30  offset to the children, in units, or in 256 units where bit 9 is set
//   bit 8        one of the children, at label 0, is a leaf
//   bits 0..7    label, the byte that leads here
// A child stands at parent ^ offset ^ byte, and it is one only if its label is that byte.
#include "tokenizer/normalization_rules.h"

#include <cstddef>

#include "tokenizer/utf8.h"

namespace notbad::tokenizer {
namespace {

constexpr std::uint64_t kNormalizerField = 3;
constexpr std::uint64_t kCompiledRulesField = 2;
constexpr std::size_t kUnitBytes = 4;

enum WireType : std::uint64_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

// Takes a varint off the front of `message`; none where it does not end within 64 bits.
std::optional<std::uint64_t> take_varint(std::string_view& message) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !message.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(message.front());
    message.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

// Takes one value of `wire_type` off the front of `message`: the content of a bytes field, nothing
// of the other types. None where the message ends too early or the type is unknown.
std::optional<std::string_view> take_value(std::uint64_t wire_type, std::string_view& message) {
  std::uint64_t size = 0;
  if (wire_type == kVarint) {
    if (!take_varint(message)) return std::nullopt;
    return std::string_view{};
  }
  if (wire_type == kFixed64) {
    size = 8;
  } else if (wire_type == kFixed32) {
    size = 4;
  } else if (wire_type == kBytes) {
    const auto length = take_varint(message);
    if (!length) return std::nullopt;
    size = *length;
  } else {
    return std::nullopt;
  }
  if (size > message.size()) return std::nullopt;
  const std::string_view value = message.substr(0, size);
  message.remove_prefix(size);
  return value;
}

// The bytes field `number` of `message`, the last one as protocol buffers have it, empty where
// there is no such field. None where `message` is malformed.
std::optional<std::string_view> bytes_field(std::string_view message, std::uint64_t number) {
  std::string_view found;
  while (!message.empty()) {
    const auto key = take_varint(message);
    if (!key) return std::nullopt;
    const std::uint64_t wire_type = *key % 8;
    const auto value = take_value(wire_type, message);
    if (!value) return std::nullopt;
    if (*key / 8 == number && wire_type == kBytes) found = *value;
  }
  return found;
}

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < kUnitBytes; ++i) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return value;
}

bool is_leaf(std::uint32_t unit) { return (unit >> 31) != 0; }
bool has_leaf(std::uint32_t unit) { return ((unit >> 8) & 1) != 0; }
std::uint32_t leaf_value(std::uint32_t unit) { return unit & 0x7FFFFFFF; }
std::uint32_t child_offset(std::uint32_t unit) {
  const bool in_blocks = ((unit >> 9) & 1) != 0;
  return ((unit >> 10) & 0x1FFFFF) << (in_blocks ? 8 : 0);
}

}  // namespace

std::optional<NormalizationRules> NormalizationRules::parse(std::string_view model) {
  const auto normalizer = bytes_field(model, kNormalizerField);
  if (!normalizer) return std::nullopt;
  const auto compiled = bytes_field(*normalizer, kCompiledRulesField);
  if (!compiled) return std::nullopt;

  NormalizationRules rules;
  if (compiled->empty()) return rules;
  if (compiled->size() < kUnitBytes) return std::nullopt;
  const std::size_t trie_bytes = little_endian(*compiled);
  const std::string_view body = compiled->substr(kUnitBytes);
  if (trie_bytes > body.size() || trie_bytes % kUnitBytes != 0) return std::nullopt;
  for (std::size_t at = 0; at < trie_bytes; at += kUnitBytes) {
    rules.trie_.push_back(little_endian(body.substr(at)));
  }
  rules.targets_ = body.substr(trie_bytes);
  return rules;
}

RuleMatch NormalizationRules::match(std::string_view text) const {
  const std::int64_t one = code_point_bytes(text);
  RuleMatch longest{one, text.substr(0, static_cast<std::size_t>(one))};
  if (trie_.empty()) return longest;

  std::size_t node = child_offset(trie_[0]);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    node ^= byte;
    if (node >= trie_.size()) break;
    const std::uint32_t unit = trie_[node];
    if (is_leaf(unit) || (unit & 0xFF) != byte) break;
    node ^= child_offset(unit);
    if (has_leaf(unit) && node < trie_.size() && leaf_value(trie_[node]) < targets_.size()) {
      const std::string_view rest = std::string_view(targets_).substr(leaf_value(trie_[node]));
      longest = {static_cast<std::int64_t>(i + 1), rest.substr(0, rest.find('\0'))};
    }
  }
  return longest;
}

}  // namespace notbad::tokenizer
