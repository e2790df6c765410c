#include "core/model/safetensors_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/safetensors_writer.h"
#include "tests/support/temporary_folder.h"

namespace notbad::model {
namespace {

using ::testing::AllOf;
using testing::bytes_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::safetensors_bytes;
using testing::SafetensorsWriter;

// "t" of two F32 in the first eight bytes.
constexpr const char* kHeader = R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
const std::string kEightBytes(8, '\1');

class SafetensorsFileTest : public ::testing::Test {
 protected:
  Result<SafetensorsFile> open(const std::string& bytes) const {
    return SafetensorsFile::open(folder_.write("some.safetensors", bytes));
  }

  // Why a file with this header is refused; the data are eight bytes.
  std::string refusal(const std::string& header) const {
    return message(open(safetensors_bytes(header, kEightBytes)));
  }

  static std::string message(const Result<SafetensorsFile>& file) {
    if (file.has_value()) return "no refusal";
    EXPECT_EQ(file.error().code, ErrorCode::kBadModelFile);
    EXPECT_THAT(file.error().message, AllOf(HasSubstr("some.safetensors"), HasSubstr("again")));
    return file.error().message;
  }

 private:
  testing::TemporaryFolder folder_;
};

TEST_F(SafetensorsFileTest, ReadsEveryTypeThatItKnows) {
  constexpr std::array<float, 2> kFloats{1.5F, -2.0F};
  constexpr std::array<double, 1> kDoubles{0.1};
  constexpr std::array<std::int64_t, 2> kIntegers{7, -8};
  constexpr std::array<std::uint16_t, 2> kHalves{0x3C00, 0xC000};   // 1, -2
  constexpr std::array<std::uint16_t, 2> kBfloats{0x3F80, 0xC0A0};  // 1, -5
  SafetensorsWriter writer;
  writer.add("doubles", "F64", {1}, bytes_of(kDoubles));
  writer.add("integers", "I64", {2}, bytes_of(kIntegers));
  writer.add("floats", "F32", {2, 1}, bytes_of(kFloats));
  writer.add("halves", "F16", {1, 2}, bytes_of(kHalves));
  writer.add("bfloats", "BF16", {2}, bytes_of(kBfloats));

  const auto file = open(writer.bytes());

  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_EQ(file->entries().size(), 5U);
  EXPECT_THAT(file->floats("floats")->values(), ElementsAre(1.5F, -2.0F));
  EXPECT_EQ(file->floats("floats")->shape(), (Shape{2, 1}));
  EXPECT_THAT(file->floats("halves")->values(), ElementsAre(1.0F, -2.0F));
  EXPECT_THAT(file->floats("bfloats")->values(), ElementsAre(1.0F, -5.0F));
  EXPECT_THAT(file->doubles("doubles").value(), ElementsAre(0.1));
  EXPECT_THAT(file->integers("integers").value(), ElementsAre(7, -8));
}

TEST_F(SafetensorsFileTest, WidensEveryKindOfHalf) {
  // Smallest subnormal, largest subnormal, smallest normal, largest, -0, infinity, NaN.
  constexpr std::array<std::uint16_t, 7> kHalves{0x0001, 0x03FF, 0x0400, 0x7BFF,
                                                 0x8000, 0xFC00, 0x7E00};
  SafetensorsWriter writer;
  writer.add("halves", "F16", {7}, bytes_of(kHalves));

  const auto file = open(writer.bytes());

  ASSERT_TRUE(file.has_value()) << file.error().message;
  const Tensor wide = file->floats("halves").value();
  EXPECT_EQ(wide.values()[0], 0x1p-24F);
  EXPECT_EQ(wide.values()[1], 0x1.FF8p-15F);
  EXPECT_EQ(wide.values()[2], 0x1p-14F);
  EXPECT_EQ(wide.values()[3], 65504.0F);
  EXPECT_TRUE(std::signbit(wide.values()[4]));
  EXPECT_EQ(wide.values()[5], -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(wide.values()[6]));
}

TEST_F(SafetensorsFileTest, TellsFiniteFloatsFromNanAndInfinity) {
  // The largest number, infinity, a NaN with one bit.
  constexpr std::array<std::uint32_t, 3> kFloatBits{0xFF7FFFFF, 0x7F800000, 0xFF800001};
  constexpr std::array<std::uint16_t, 3> kHalfBits{0x7BFF, 0xFC00, 0x7C01};
  constexpr std::array<std::uint16_t, 3> kBfloatBits{0x7F7F, 0xFF80, 0x7F81};
  for (std::size_t i = 0; i < kFloatBits.size(); ++i) {
    SafetensorsWriter writer;
    writer.add("floats", "F32", {1}, bytes_of(std::array{kFloatBits[i]}));
    writer.add("halves", "F16", {2}, bytes_of(std::array{std::uint16_t{0}, kHalfBits[i]}));
    writer.add("bfloats", "BF16", {2}, bytes_of(std::array{std::uint16_t{0}, kBfloatBits[i]}));

    const auto file = open(writer.bytes());

    ASSERT_TRUE(file.has_value()) << file.error().message;
    for (const char* name : {"floats", "halves", "bfloats"})
      EXPECT_EQ(file->is_finite(name), i == 0) << name << " " << i;
  }
}

TEST_F(SafetensorsFileTest, GivesNothingForAnAbsentNameOrAnotherType) {
  const auto file = open(safetensors_bytes(kHeader, kEightBytes));

  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_FALSE(file->floats("absent").has_value());
  EXPECT_FALSE(file->integers("t").has_value());
  EXPECT_FALSE(file->doubles("t").has_value());
  EXPECT_FALSE(file->is_finite("absent").has_value());
}

TEST_F(SafetensorsFileTest, PassesOverMetadata) {
  const auto file = open(safetensors_bytes(
      R"({"__metadata__":{"a":"b"},"t":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
      kEightBytes));

  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_EQ(file->entries().size(), 1U);
}

TEST_F(SafetensorsFileTest, RefusesAFileCutOffAnywhere) {
  const std::string whole = safetensors_bytes(kHeader, kEightBytes);
  ASSERT_TRUE(open(whole).has_value());

  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(open(whole.substr(0, size)).has_value()) << size << " bytes";
  }
}

TEST_F(SafetensorsFileTest, RefusesAnAbsurdHeaderLength) {
  std::string bytes = safetensors_bytes(kHeader, kEightBytes);
  for (const char high : {'\x7F', '\xFF'}) {
    bytes[7] = high;
    EXPECT_THAT(message(open(bytes)), HasSubstr("header length"));
  }
  EXPECT_THAT(message(open(std::string(16, '\0'))), HasSubstr("header length is 0"));
  std::string past_the_end = safetensors_bytes(kHeader, "");
  past_the_end[1] = '\1';  // 256 more
  EXPECT_THAT(message(open(past_the_end)), HasSubstr("ends inside its header"));
}

TEST_F(SafetensorsFileTest, RefusesAHeaderThatIsNotAJsonObject) {
  EXPECT_THAT(refusal("[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal("{\"t\""), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal(R"({"a":{"b":{"c":{}}}})"), HasSubstr("nested too deeply"));
}

TEST_F(SafetensorsFileTest, RefusesANameGivenTwice) {
  EXPECT_THAT(refusal(R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                      R"("t":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})"),
              HasSubstr("\"t\" twice"));
}

TEST_F(SafetensorsFileTest, RefusesMetadataThatAreNotStrings) {
  EXPECT_THAT(refusal(R"({"__metadata__":{"a":1}})"), HasSubstr("metadata"));
  EXPECT_THAT(refusal(R"({"__metadata__":[]})"), HasSubstr("metadata"));
}

TEST_F(SafetensorsFileTest, RefusesEntriesThatLackOrAddAMember) {
  for (const char* entry : {"1", "{}", R"({"dtype":"F32","shape":[2]})",
                            R"({"dtype":"F32","shape":[2],"data_offsets":[0,8],"more":1})",
                            R"({"dtype":"F32","shape":[2],"offsets":[0,8]})"}) {
    EXPECT_THAT(refusal(std::string(R"({"t":)") + entry + "}"), HasSubstr("tensor \"t\" needs"))
        << entry;
  }
}

TEST_F(SafetensorsFileTest, RefusesUnknownTypes) {
  for (const char* type : {R"("F8")", R"("f32")", "32", "null"}) {
    EXPECT_THAT(
        refusal(std::string(R"({"t":{"dtype":)") + type + R"(,"shape":[2],"data_offsets":[0,8]}})"),
        HasSubstr("dtype"));
  }
}

TEST_F(SafetensorsFileTest, RefusesImpossibleShapes) {
  for (const char* shape :
       {"[]", "2", "[0]", "[-2]", "[2.0]", R"(["2"])", "[1,1,1,1,2]", "[4294967296,4294967296]",
        "[18446744073709551615,2]", "[9223372036854775808]", "[2,9223372036854775808]"}) {
    EXPECT_THAT(refusal(std::string(R"({"t":{"dtype":"F32","shape":)") + shape +
                        R"(,"data_offsets":[0,8]}})"),
                HasSubstr("shape"))
        << shape;
  }
}

TEST_F(SafetensorsFileTest, RefusesOffsetsThatAreNoRangeOfTheFile) {
  for (const char* offsets :
       {"[]", "[0]", "[0,4,8]", "[-8,0]", "[0.0,8.0]", "[8,0]", "[0,16]", "8",
        "[18446744073709551608,18446744073709551615]", "[0,18446744073709551615]"}) {
    EXPECT_THAT(
        refusal(std::string(R"({"t":{"dtype":"F32","shape":[2],"data_offsets":)") + offsets + "}}"),
        ::testing::AnyOf(HasSubstr("data_offsets"), HasSubstr("outside the file")))
        << offsets;
  }
}

TEST_F(SafetensorsFileTest, RefusesOffsetsThatDoNotFitTheShape) {
  EXPECT_THAT(refusal(R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})"),
              HasSubstr("do not fit"));
}

TEST_F(SafetensorsFileTest, RefusesOverlapsGapsAndTrailingBytes) {
  const auto pair = [](const char* first, const char* second) {
    return std::string(R"({"a":{"dtype":"F16","shape":[2],"data_offsets":)") + first +
           R"(},"b":{"dtype":"F16","shape":[2],"data_offsets":)" + second + "}}";
  };
  EXPECT_EQ(refusal(pair("[0,4]", "[4,8]")), "no refusal");
  EXPECT_EQ(refusal(pair("[4,8]", "[0,4]")), "no refusal");
  EXPECT_THAT(refusal(pair("[0,4]", "[0,4]")), HasSubstr("overlaps"));
  EXPECT_THAT(refusal(pair("[0,4]", "[2,6]")), HasSubstr("overlaps"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F16","shape":[2],"data_offsets":[4,8]}})"),
              HasSubstr("gap"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}})"),
              HasSubstr("after its last tensor"));
}

TEST_F(SafetensorsFileTest, RefusesMisalignedTensors) {
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]},)"
                      R"("b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]},)"
                      R"("c":{"dtype":"F16","shape":[1],"data_offsets":[6,8]}})"),
              HasSubstr("not aligned"));
}

TEST_F(SafetensorsFileTest, EscapesHostileNamesInItsMessages) {
  EXPECT_THAT(refusal(R"({"\u001b[31m":1})"), HasSubstr(R"("\u001b[31m")"));
}

}  // namespace
}  // namespace notbad::model
