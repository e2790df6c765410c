#pragma once

#include <cstdint>
#include <string>

#include "server/service/sentiment_service.h"

namespace notbad::api {

// The library that computes.
struct EngineInfo {
  std::string name;
  std::string version;
};

// Limits that do not come from the service.
struct RequestLimits {
  std::int64_t body_bytes = 262'144;
  std::int64_t concurrent = 128;
  std::int64_t timeout_ms = 5000;
};

// The body of GET /v1/info.
std::string encode_info(const service::SentimentService& service, const RequestLimits& limits,
                        const EngineInfo& engine);

}  // namespace notbad::api
