#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include "core/model/multi_head_attention.h"
#include "tests/support/random_values.h"

// A program of its own: it counts what every part of it takes from the heap, oneDNN included.

namespace {

struct Heap {
  std::int64_t blocks = 0;
  std::int64_t bytes = 0;
};
Heap taken;  // by this program's one thread

void* take(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t)) {
  ++taken.blocks;
  taken.bytes += static_cast<std::int64_t>(bytes);
  const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
  if (void* const block = std::aligned_alloc(alignment, whole)) return block;
  throw std::bad_alloc();
}

// Not inlined: GCC would see free() where it expects the counterpart of an aligned new.
[[gnu::noinline]] void give_back(void* block) { std::free(block); }

}  // namespace

// The other forms end in these.
void* operator new(std::size_t bytes) { return take(bytes); }
void* operator new[](std::size_t bytes) { return take(bytes); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return take(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { give_back(block); }
void operator delete[](void* block) noexcept { give_back(block); }
void operator delete(void* block, std::size_t /*bytes*/) noexcept { give_back(block); }
void operator delete[](void* block, std::size_t /*bytes*/) noexcept { give_back(block); }
void operator delete(void* block, std::align_val_t /*alignment*/) noexcept { give_back(block); }
void operator delete(void* block, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  give_back(block);
}

namespace notbad::model {
namespace {

using testing::random_bf16_tensor;
using testing::random_tensor;

constexpr std::int64_t kWidth = 64;
constexpr std::int64_t kHeads = 4;
constexpr std::int64_t kLength = 32;

template <class Call>
Heap heap_of(const Call& call) {
  const Heap before = taken;
  call();
  return {taken.blocks - before.blocks, taken.bytes - before.bytes};
}

class AttentionAllocationsTest : public ::testing::Test {
 protected:
  AttentionAllocationsTest() : workspace_(config(), kLength) {
    const auto weights = [](std::uint64_t seed) {
      return LinearWeights{random_bf16_tensor(seed, {kWidth, kWidth}), Tensor({kWidth})};
    };
    attention_.emplace(
        MultiHeadAttention::self_attention(
            {.query = weights(1), .key = weights(2), .value = weights(3), .output = weights(4)},
            kHeads)
            .value());
    attention_->prepare_rows(kLength, workspace_);
    request_.queries = request_.keys = {0, kLength};
    forward();  // warm
  }

  static ModelConfig config() {
    ModelConfig config;
    config.d_model = kWidth;
    config.num_heads = kHeads;
    config.d_ff = 1;
    config.max_positions = kLength;
    return config;
  }

  void forward() { attention_->forward(x_.matrix(), {&request_, 1}, workspace_); }

  Workspace workspace_;
  std::optional<MultiHeadAttention> attention_;
  AttentionRequest request_;
  Tensor x_ = random_tensor(5, {kLength, kWidth});
};

TEST_F(AttentionAllocationsTest, TakesNothingOnceWarm) {
  const Heap pass = heap_of([&] { forward(); });

  EXPECT_EQ(pass.blocks, 0);
}

TEST_F(AttentionAllocationsTest, TakesForMapsWhatTheirBytesCost) {
  const Heap plain = heap_of([&] { forward(); });
  constexpr std::int64_t kMapBytes = kLength * kLength * std::int64_t{sizeof(float)};
  constexpr std::int64_t kBookkeeping = 512;  // shapes, and a vector of one tensor
  std::vector<std::int64_t> heads;
  for (std::int64_t head = 0; head < kHeads; ++head) {
    heads.push_back(head);
    request_.captured_heads = heads;

    const Heap captured = heap_of([&] { forward(); });

    const std::int64_t bytes = captured.bytes - plain.bytes;
    EXPECT_GE(bytes, (head + 1) * kMapBytes);
    EXPECT_LE(bytes, (head + 1) * kMapBytes + kBookkeeping);
  }
}

}  // namespace
}  // namespace notbad::model
