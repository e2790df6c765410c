#include "server/service/map_budget.h"

#include <gtest/gtest.h>

#include <optional>

namespace notbad::service {
namespace {

TEST(MapBudgetTest, GivesPlacesUpToTheLimit) {
  MapBudget budget(100);

  const auto first = budget.take(60);
  const auto second = budget.take(40);

  EXPECT_NE(first, nullptr);
  EXPECT_NE(second, nullptr);
  EXPECT_EQ(budget.take(1), nullptr);
}

TEST(MapBudgetTest, TakesAPlaceBackWithItsLastCopy) {
  MapBudget budget(100);
  auto place = budget.take(100);
  auto copy = place;

  place.reset();
  EXPECT_EQ(budget.take(1), nullptr);
  copy.reset();

  EXPECT_NE(budget.take(100), nullptr);
}

TEST(MapBudgetTest, LetsAnyNumberInAlone) {
  MapBudget budget(100);

  const auto place = budget.take(101);

  EXPECT_NE(place, nullptr);
  EXPECT_EQ(budget.take(1), nullptr);
}

TEST(MapBudgetTest, MayEndBeforeItsPlaces) {
  std::optional<MapBudget> budget(100);
  auto place = budget->take(50);

  budget.reset();

  EXPECT_NO_FATAL_FAILURE(place.reset());
}

}  // namespace
}  // namespace notbad::service
