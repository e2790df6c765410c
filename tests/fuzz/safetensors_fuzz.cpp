// Weight files: refused with a reason, or every byte that an entry claims is there to be read.

#include <cstdint>

#include "core/model/safetensors_file.h"
#include "core/model/weight_store.h"
#include "tests/fuzz/memory_file.h"

using namespace notbad;
using fuzzing::require;

namespace {

void read_whole(const model::SafetensorsFile& file) {
  std::uint64_t sum = 0;
  for (const auto& [name, entry] : file.entries()) {
    for (const std::byte byte : entry.bytes) sum += static_cast<std::uint64_t>(byte);
    const auto floats = file.floats(name);
    const auto doubles = file.doubles(name);
    const auto integers = file.integers(name);
    require(floats.has_value() + doubles.has_value() + integers.has_value() == 1);
  }
  static volatile std::uint64_t sink;  // keeps the reads
  sink = sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzzing::MemoryFile bytes(data, size);
  if (const auto file = model::SafetensorsFile::open(bytes.path()))
    read_whole(*file);
  else
    require(file.error().code == ErrorCode::kBadModelFile && !file.error().message.empty());
  const auto store = model::WeightStore::open(bytes.path(), {{"weight", Shape{2, 2}}});
  require(store ? store->tensor("weight").shape() == Shape{2, 2}
                : store.error().code == ErrorCode::kBadModelFile);
  return 0;
}
