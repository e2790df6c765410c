#include "core/model/weight_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
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

// A bit flipped anywhere in the header: an answer that holds, never a crash.
TEST_F(WeightStoreTest, SurvivesADamagedHeader) {
  const auto config = ModelConfig::read(testing::golden_path("tiny_config.json"));
  ASSERT_TRUE(config.has_value()) << config.error().message;
  const auto specs = weight_specs(*config);
  const std::string whole = testing::read_bytes(testing::golden_path("tiny_model.safetensors"));
  const std::size_t header_size = whole.find("}}") + 2;
  int num_refused = 0;
  for (std::size_t place = 0; place < header_size; place += 5) {
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << (place % 8)));
    const auto store = WeightStore::open(folder_.write("damaged.safetensors", damaged), specs);
    if (!store.has_value()) ++num_refused;
    if (store.has_value()) {
      EXPECT_EQ(store->tensor(specs[0].name).shape(), specs[0].shape);
    }
  }

  EXPECT_GT(num_refused, 500);
}

}  // namespace
}  // namespace notbad::model
