#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "tests/tokenizer/shipped_tokenizer.h"

namespace notbad::tokenizer {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A model file that lives as long as one test.
class ModelFile {
 public:
  explicit ModelFile(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary).write(bytes.data(), std::ssize(bytes));
  }
  ~ModelFile() { std::filesystem::remove(path_); }
  ModelFile(const ModelFile&) = delete;
  ModelFile& operator=(const ModelFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("notbad_") + testing::UnitTest::GetInstance()->current_test_info()->name() +
       ".model");
};

void expect_refused(const std::filesystem::path& file, const std::string& fault) {
  const auto tokenizer = Tokenizer::open(file);

  ASSERT_FALSE(tokenizer.has_value()) << file;
  EXPECT_EQ(tokenizer.error().code, ErrorCode::kBadModelFile);
  EXPECT_THAT(tokenizer.error().message,
              AllOf(HasSubstr(file.filename().string()), HasSubstr(fault), HasSubstr("restore")));
  EXPECT_THAT(tokenizer.error().message, Not(HasSubstr(file.parent_path().string())));
}

TEST(TokenizerOpenTest, ReadsTheShippedModel) {
  EXPECT_GT(shipped_tokenizer().vocab_size(), 10'000);
  EXPECT_EQ(ids_of(encode("")), (std::vector<std::int32_t>{2, 3}));
}

TEST(TokenizerOpenTest, RefusesAMissingFile) {
  expect_refused(std::filesystem::path(testing::TempDir()) / "nowhere.model", "missing");
}

TEST(TokenizerOpenTest, RefusesADirectory) {
  const auto directory = std::filesystem::path(testing::TempDir()) / "notbad_tokenizer_directory";
  std::filesystem::create_directory(directory);
  expect_refused(directory, "not readable");
  std::filesystem::remove(directory);
}

TEST(TokenizerOpenTest, RefusesAnEmptyFile) {
  const ModelFile file("");
  expect_refused(file.path(), "not a SentencePiece model");
}

TEST(TokenizerOpenTest, RefusesWhatIsNoModel) {
  const ModelFile file("{\"this\": \"is JSON\"}");
  expect_refused(file.path(), "not a SentencePiece model");
}

TEST(TokenizerOpenTest, RefusesATruncatedModel) {
  const std::string bytes = read_shipped_bytes();
  for (const std::size_t size : {bytes.size() - 1, bytes.size() / 2, std::size_t{5}}) {
    const ModelFile file(bytes.substr(0, size));
    expect_refused(file.path(), "not a SentencePiece model");
  }
}

TEST(TokenizerOpenTest, RefusesAModelWithoutTheSpecialPieces) {
  std::string bytes = read_shipped_bytes();
  // The trainer's settings name the piece that ends a text; a name that no piece has is as good as
  // none.
  const std::size_t name = bytes.rfind("[SEP]");
  ASSERT_NE(name, std::string::npos);
  bytes.replace(name, 5, "[END]");
  const ModelFile file(bytes);
  expect_refused(file.path(), "control pieces");
}

// The parts of a protocol buffer that a model file is made of.
std::string varint_field(char key, char value) { return {key, value}; }
std::string bytes_field(const std::string& key, const std::string& bytes) {
  return key + static_cast<char>(bytes.size()) + bytes;
}

std::string piece_field(const std::string& piece, char kind) {
  return bytes_field("\x0A", bytes_field("\x0A", piece) + varint_field(0x18, kind));
}

TEST(TokenizerOpenTest, RefusesBytePieces) {
  constexpr char kUnknown = 2;
  constexpr char kControl = 3;
  constexpr char kByte = 6;
  std::string bytes = piece_field("<unk>", kUnknown) + piece_field("<s>", kControl) +
                      piece_field("</s>", kControl) + piece_field("a", 1);
  for (int value = 0; value < 256; ++value) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    const auto digit = [&](int place) { return kDigits[static_cast<std::size_t>(place)]; };
    bytes += piece_field({'<', '0', 'x', digit(value / 16), digit(value % 16), '>'}, kByte);
  }
  const std::string byte_fallback = "\x98\x02\x01";  // field 35 of the trainer's settings
  const ModelFile file(bytes + bytes_field("\x12", byte_fallback));

  expect_refused(file.path(), "byte pieces");
}

TEST(TokenizerOpenTest, SurvivesDamageAnywhere) {
  const std::string intact = read_shipped_bytes();
  std::mt19937 random(7);  // a fixed seed: the same damage on every run
  std::uniform_int_distribution<std::size_t> places(0, intact.size() - 1);
  for (int round = 0; round < 60; ++round) {
    std::string damaged = intact;
    for (int i = 0; i < 3; ++i) damaged[places(random)] = static_cast<char>(random());
    const ModelFile file(damaged);

    const auto tokenizer = Tokenizer::open(file.path());

    if (!tokenizer) {
      EXPECT_EQ(tokenizer.error().code, ErrorCode::kBadModelFile);
    }
  }
}

}  // namespace
}  // namespace notbad::tokenizer
