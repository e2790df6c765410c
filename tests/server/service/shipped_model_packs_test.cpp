// What ships, through the whole service: an answer does not depend on who shares its batch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "server/service/classifier_runner.h"
#include "server/service/sentiment_service.h"
#include "tests/support/near.h"
#include "tests/support/test_files.h"

namespace notbad::service {
namespace {

constexpr float kTolerance = 1e-5F;
constexpr std::int64_t kAnyMaps = 1 << 24;  // this test is not about their bound
constexpr std::size_t kClients = 8;
constexpr int kRoundsOfAClient = 3;

// 32 of all lengths, from one word to more than the model takes.
std::vector<std::string> make_texts() {
  const std::vector<std::string> sentences = {
      "good", "The movie was not bad", "I never enjoyed a film more, whatever the critics say.",
      "Nothing about this works"};
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 32; ++i) {
    std::string text;
    const std::size_t repeats = i < 24 ? i / 4 + 1 : i * 2;
    for (std::size_t k = 0; k < repeats; ++k) text += sentences[(i + k) % sentences.size()] + " ";
    texts.push_back(text);
  }
  return texts;
}

// A service with its own workers, on the one model.
struct Served {
  Served(const ModelBundle& bundle, std::int64_t workers, std::int64_t batch_tokens)
      : batcher(classifier_runners(bundle.classifier, batch_tokens), {workers, batch_tokens}),
        service(bundle, batcher, {.attention_values = kAnyMaps}) {}

  std::vector<Sentiment> classify(const std::vector<std::string>& texts) const {
    ClassifyRequest request{texts};
    request.options.attention = AttentionMode::kFull;
    request.options.maps = {{0, service.bundle().config.num_layers - 1},
                            {0, service.bundle().config.num_heads - 1}};
    auto outcome = service.classify(request);
    EXPECT_TRUE(outcome) << outcome.error().error.message;
    return outcome ? std::move(outcome->results) : std::vector<Sentiment>(texts.size());
  }

  Batcher batcher;
  SentimentService service;
};

class ShippedModelPacksTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto loaded = ModelBundle::load(test_files::shipped_model());
    ASSERT_TRUE(loaded) << loaded.error().message;
    bundle_ = std::make_unique<ModelBundle>(std::move(*loaded));
    const Served alone(*bundle_, 1, 256);
    for (const std::string& text : texts_) alone_.push_back(alone.classify({text}).front());
  }
  static void TearDownTestSuite() {
    bundle_.reset();
    alone_.clear();
  }

  static void expect_as_alone(const Sentiment& sentiment, std::size_t index) {
    const Sentiment& alone = alone_[index];
    EXPECT_EQ(sentiment.label, alone.label) << index;
    EXPECT_TRUE(testing::is_near(sentiment.logits, alone.logits, kTolerance)) << index;
    EXPECT_TRUE(testing::is_near(sentiment.probabilities, alone.probabilities, kTolerance))
        << index;
    ASSERT_FALSE(sentiment.attention.values().empty()) << index;
    EXPECT_TRUE(
        testing::is_near(sentiment.attention.values(), alone.attention.values(), kTolerance))
        << index;
  }

  // Many clients at once, each with lists of its own making.
  static void ask_in_random_packs(const Served& served) {
    std::vector<std::thread> clients;
    for (std::size_t client = 0; client < kClients; ++client)
      clients.emplace_back([&served, client] {
        std::mt19937 random(static_cast<unsigned>(client));
        for (int round = 0; round < kRoundsOfAClient; ++round) {
          std::vector<std::size_t> order(texts_.size());
          std::iota(order.begin(), order.end(), 0U);
          std::ranges::shuffle(order, random);
          order.resize(1 + random() % 6);
          std::vector<std::string> chosen;
          for (const std::size_t index : order) chosen.push_back(texts_[index]);
          const auto answers = served.classify(chosen);
          for (std::size_t i = 0; i < order.size(); ++i) expect_as_alone(answers[i], order[i]);
        }
      });
    for (auto& client : clients) client.join();
  }

  static inline const std::vector<std::string> texts_ = make_texts();
  static inline std::unique_ptr<ModelBundle> bundle_;
  static inline std::vector<Sentiment> alone_;
};

TEST_F(ShippedModelPacksTest, AnswersAListAsEachTextAlone) {
  const Served served(*bundle_, 1, 1024);

  const auto answers = served.classify(texts_);

  ASSERT_EQ(answers.size(), texts_.size());
  for (std::size_t i = 0; i < answers.size(); ++i) expect_as_alone(answers[i], i);
}

TEST_F(ShippedModelPacksTest, AnswersInAnyPackAsAlone) {
  ask_in_random_packs(Served(*bundle_, 1, 1024));
}

TEST_F(ShippedModelPacksTest, AnswersWithAnyNumberOfWorkersAsAlone) {
  ask_in_random_packs(Served(*bundle_, 4, 300));
}

}  // namespace
}  // namespace notbad::service
