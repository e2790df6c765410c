#pragma once

#include <cstddef>

namespace notbad {

// Asks for the memory of `bytes` that will be written next, in one go instead of page by page as
// they are touched, which takes half as long. Changes nothing but time; without Linux 5.14 nothing
// happens.
void prefault(void* begin, std::size_t bytes);

}  // namespace notbad
