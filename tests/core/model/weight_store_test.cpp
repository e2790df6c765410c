#include "core/model/weight_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/golden_files.h"
#include "tests/support/safetensors_writer.h"
#include "tests/support/temporary_folder.h"

namespace notbad::model {
namespace {

using ::testing::AllOf;
using testing::bytes_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::SafetensorsWriter;

class WeightStoreTest : public ::testing::Test {
 protected:
  Result<WeightStore> open(const SafetensorsWriter& writer) const {
    return WeightStore::open(folder_.write("some.safetensors", writer.bytes()), specs_);
  }

  std::string refusal(const SafetensorsWriter& writer) const {
    const auto store = open(writer);
    if (store.has_value()) return "no refusal";
    EXPECT_EQ(store.error().code, ErrorCode::kBadModelFile);
    EXPECT_THAT(store.error().message,
                AllOf(HasSubstr("some.safetensors"), HasSubstr("export again")));
    return store.error().message;
  }

  static void add(SafetensorsWriter& writer, const std::string& name, const Shape& shape,
                  const std::vector<float>& values) {
    writer.add(name, "F32", shape, bytes_of(values));
  }

  testing::TemporaryFolder folder_;
  std::vector<WeightSpec> specs_{{"a.weight", {1, 2}}, {"a.bias", {1}}};
};

TEST_F(WeightStoreTest, GivesDeclaredWeights) {
  SafetensorsWriter writer;
  add(writer, "a.bias", {1}, {3.0F});
  add(writer, "a.weight", {1, 2}, {1.0F, 2.0F});

  const auto store = open(writer);

  ASSERT_TRUE(store.has_value()) << store.error().message;
  EXPECT_THAT(store->tensor("a.weight").values(), ElementsAre(1.0F, 2.0F));
  EXPECT_THAT(store->linear("a").bias.values(), ElementsAre(3.0F));
}

TEST_F(WeightStoreTest, GivesMatricesAsTheyStandOrInAsFewBytesAsLoseNothing) {
  constexpr std::array<std::uint16_t, 2> kOneAndTwo = {0x3F80, 0x4000};
  for (const bool is_stored_as_bf16 : {true, false}) {
    SafetensorsWriter writer;
    add(writer, "a.bias", {1}, {0.1F});
    if (is_stored_as_bf16) {
      writer.add("a.weight", "BF16", {1, 2}, bytes_of(kOneAndTwo));
    } else {
      add(writer, "a.weight", {1, 2}, {1.0F, 2.0F});
    }

    const auto store = open(writer);

    ASSERT_TRUE(store.has_value()) << store.error().message;
    const WeightMatrix weight = store->linear("a").weight;
    ASSERT_TRUE(weight.is_bf16());
    EXPECT_EQ(weight.shape(), (Shape{1, 2}));
    EXPECT_THAT(weight.bf16(), ElementsAre(0x3F80, 0x4000));
    EXPECT_FALSE(store->matrix("a.bias").is_bf16());
  }
}

TEST_F(WeightStoreTest, RefusesAMissingWeight) {
  SafetensorsWriter writer;
  add(writer, "a.weight", {1, 2}, {1.0F, 2.0F});

  EXPECT_THAT(refusal(writer), HasSubstr("\"a.bias\" is missing"));
}

TEST_F(WeightStoreTest, RefusesAnUnknownWeight) {
  SafetensorsWriter writer;
  add(writer, "a.weight", {1, 2}, {1.0F, 2.0F});
  add(writer, "a.bias", {1}, {3.0F});
  add(writer, "b.bias", {1}, {4.0F});

  EXPECT_THAT(refusal(writer), HasSubstr("\"b.bias\" is unknown"));
}

TEST_F(WeightStoreTest, RefusesAnotherShapeNamingBoth) {
  SafetensorsWriter writer;
  add(writer, "a.weight", {2, 1}, {1.0F, 2.0F});
  add(writer, "a.bias", {1}, {3.0F});

  EXPECT_THAT(refusal(writer), HasSubstr("should be [1, 2] and is [2, 1]"));
}

TEST_F(WeightStoreTest, RefusesIntegers) {
  constexpr std::array<std::int64_t, 1> kValue{3};
  SafetensorsWriter writer;
  writer.add("a.bias", "I64", {1}, bytes_of(kValue));
  add(writer, "a.weight", {1, 2}, {1.0F, 2.0F});

  EXPECT_THAT(refusal(writer), HasSubstr("\"a.bias\" is neither"));
}

TEST_F(WeightStoreTest, RefusesNanAndInfinity) {
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    SafetensorsWriter writer;
    add(writer, "a.weight", {1, 2}, {1.0F, value});
    add(writer, "a.bias", {1}, {3.0F});

    EXPECT_THAT(refusal(writer), HasSubstr("\"a.weight\" holds NaN or infinity"));
  }
}

TEST_F(WeightStoreTest, ThrowsForANameThatNobodyDeclared) {
  SafetensorsWriter writer;
  add(writer, "a.weight", {1, 2}, {1.0F, 2.0F});
  add(writer, "a.bias", {1}, {3.0F});
  const auto store = open(writer);
  ASSERT_TRUE(store.has_value()) << store.error().message;

  EXPECT_THROW(store->tensor("b.bias"), std::logic_error);
}

// The weights that the PyTorch twin wrote, to be damaged one byte or one section at a time.
class DamagedWeightsTest : public ::testing::Test {
 protected:
  // Either the file is refused in words that name it and the remedy, or nothing was lost.
  void expect_refused_or_intact(const std::string& bytes, const std::string& how) const {
    const auto store = WeightStore::open(folder_.write("damaged.safetensors", bytes), specs_);
    if (!store.has_value()) {
      ASSERT_EQ(store.error().code, ErrorCode::kBadModelFile) << how;
      ASSERT_THAT(store.error().message,
                  AllOf(HasSubstr("damaged.safetensors: "), HasSubstr("export")))
          << how;
      return;
    }
    for (const WeightSpec& spec : specs_) {
      const Tensor found = store->tensor(spec.name);
      const Tensor expected = whole_store_.tensor(spec.name);
      ASSERT_EQ(found.shape(), spec.shape) << how;
      ASSERT_TRUE(std::ranges::equal(found.values(), expected.values()))
          << how << ": " << spec.name;
    }
  }

  std::string refusal(const std::string& bytes) const {
    const auto store = WeightStore::open(folder_.write("damaged.safetensors", bytes), specs_);
    return store.has_value() ? "no refusal" : store.error().message;
  }

  static std::size_t header_size(const std::string& bytes) {
    std::uint64_t size = 0;
    std::memcpy(&size, bytes.data(), sizeof(size));
    return sizeof(size) + static_cast<std::size_t>(size);
  }

  testing::TemporaryFolder folder_;
  std::vector<WeightSpec> specs_ =
      weight_specs(ModelConfig::read(testing::golden_path("tiny_config.json")).value());
  std::string whole_ = testing::read_bytes(testing::golden_path("tiny_model.safetensors"));
  std::size_t data_begin_ = header_size(whole_);
  WeightStore whole_store_ =
      WeightStore::open(testing::golden_path("tiny_model.safetensors"), specs_).value();
};

// A test of its own for each of the eight bits: ctest can run them side by side.
class FlippedBitTest : public DamagedWeightsTest, public ::testing::WithParamInterface<int> {};

TEST_P(FlippedBitTest, IsRefusedOrHarmlessInEveryByteOfTheHeader) {
  for (std::size_t place = 0; place < data_begin_; ++place) {
    std::string damaged = whole_;
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << GetParam()));
    ASSERT_NO_FATAL_FAILURE(
        expect_refused_or_intact(damaged, "header byte " + std::to_string(place)));
  }
}

INSTANTIATE_TEST_SUITE_P(Bits, FlippedBitTest, ::testing::Range(0, 8));

TEST_F(DamagedWeightsTest, AreRefusedWhenCutOffAroundTheEndOfEverySection) {
  std::vector<std::size_t> ends{0, sizeof(std::uint64_t), data_begin_};
  const auto file = SafetensorsFile::open(testing::golden_path("tiny_model.safetensors"));
  ASSERT_TRUE(file.has_value()) << file.error().message;
  std::size_t end = data_begin_;
  for (std::size_t i = 0; i < file->entries().size(); ++i) {
    // The twin writes the tensors in the order of the specs.
    end += file->entries().at(specs_[i].name).bytes.size();
    ends.push_back(end);
  }
  ASSERT_EQ(end, whole_.size());

  for (const std::size_t boundary : ends) {
    for (const std::size_t size : {boundary - 1, boundary, boundary + 1}) {
      if (size >= whole_.size()) continue;  // also the -1 of the first
      EXPECT_THAT(refusal(whole_.substr(0, size)),
                  AllOf(HasSubstr("damaged.safetensors: "), HasSubstr("export")))
          << size << " bytes";
    }
  }
  EXPECT_EQ(refusal(whole_), "no refusal");
  EXPECT_THAT(refusal(whole_ + '\0'), HasSubstr("after its last tensor"));
}

TEST_F(DamagedWeightsTest, AreRefusedWithNotANumberAtEitherEnd) {
  for (const std::size_t place : {data_begin_, whole_.size() - sizeof(float)}) {
    std::string damaged = whole_;
    damaged.replace(place, sizeof(float), sizeof(float), '\xFF');
    EXPECT_THAT(refusal(damaged), HasSubstr("holds NaN or infinity")) << place;
  }
}

TEST_F(DamagedWeightsTest, AreRefusedUnderAConfigOfAnotherVocabulary) {
  ModelConfig config = ModelConfig::read(testing::golden_path("tiny_config.json")).value();
  config.vocab_size += 1;
  specs_ = weight_specs(config);

  EXPECT_THAT(refusal(whole_),
              HasSubstr("\"embeddings.token.weight\" should be [41, 16] and is [40, 16]"));
}

}  // namespace
}  // namespace notbad::model
