#include "server/service/dtype_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace notbad::service {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(DtypeChoiceTest, TakesWhatTheProcessorHasAndTellsWhatToTakeInstead) {
  for (const ops::Dtype dtype : ops::kDtypes) {
    const std::string name(ops::name_of(dtype));
    const auto chosen = choose_dtype(name);
    if (ops::is_supported(dtype)) {
      EXPECT_EQ(chosen, dtype);
    } else {
      ASSERT_FALSE(chosen) << name;
      EXPECT_THAT(chosen.error().message,
                  AllOf(HasSubstr("--dtype " + name), HasSubstr("take f32, or auto")));
    }
  }
}

TEST(DtypeChoiceTest, TakesTheFastestWhereItIsLeftToIt) {
  EXPECT_EQ(choose_dtype("auto"), ops::fastest_dtype());
}

TEST(DtypeChoiceTest, NamesTheWordsWhereItKnowsNone) {
  const auto chosen = choose_dtype("f16");
  ASSERT_FALSE(chosen);
  EXPECT_THAT(chosen.error().message, HasSubstr("expected one of f32, bf16, int8, auto"));
}

}  // namespace
}  // namespace notbad::service
