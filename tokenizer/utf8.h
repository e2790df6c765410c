#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace notbad::tokenizer {

// Byte position of the first sequence in `text` that is not UTF-8 (cut short, overlong, a
// surrogate, beyond U+10FFFF); none where the whole text is.
std::optional<std::int64_t> first_invalid_utf8(std::string_view text);

// Bytes of the code point that starts `text`, which is valid UTF-8 and not empty.
std::int64_t code_point_bytes(std::string_view text);

// UTF-16 code units of `text`, which is valid UTF-8.
std::int64_t utf16_units(std::string_view text);

}  // namespace notbad::tokenizer
