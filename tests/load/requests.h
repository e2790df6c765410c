#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace notbad::load {

// The bytes of a request, and the status that it is to be answered with; 503 is always allowed.
struct Request {
  std::string text;
  int expected = 200;
};

Request post(const std::string& path, const std::string& body);
Request get(const std::string& path);

// The largest answer there is: every map of a text of some 115 tokens.
Request largest_maps();

enum class Mix {
  kShort,  // one sentence
  kMixed,  // sentences of many lengths, lists, maps, explanations, /predict, the page
};

// Draws requests, always the same ones for a seed.
class RequestMix {
 public:
  // `malformed` of 1 are such as a client must not send, each with the status that it deserves.
  RequestMix(Mix mix, double malformed, std::uint32_t seed);

  // Valid as long as this object.
  const Request& next();

 private:
  std::vector<Request> good_;
  std::vector<double> shares_;
  std::vector<Request> bad_;
  double malformed_;
  std::mt19937 generator_;
};

}  // namespace notbad::load
