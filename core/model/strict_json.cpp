#include "core/model/strict_json.h"

#include <set>
#include <stdexcept>
#include <vector>

namespace notbad::model {
namespace {

using nlohmann::json;

// Watches the parser's events; throws, because the parser has no other way to stop early.
class Watch {
 public:
  explicit Watch(int max_depth) : max_depth_(max_depth) {}

  void see(int depth, json::parse_event_t event, const json& parsed) {
    using Event = json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (depth >= max_depth_) throw std::runtime_error("is nested too deeply");
      if (event == Event::object_start) open_objects_.emplace_back();
    } else if (event == Event::object_end) {
      open_objects_.pop_back();
    } else if (event == Event::key) {
      const auto name = parsed.get<std::string>();
      if (!open_objects_.back().insert(name).second) {
        throw std::runtime_error("has the member " + quote_name(name) + " twice");
      }
    }
  }

 private:
  int max_depth_;
  std::vector<std::set<std::string>> open_objects_;
};

tl::unexpected<Error> refuse(const std::string& name, const std::string& what) {
  return fail(ErrorCode::kBadModelFile, name + ": " + what + "; export the model again");
}

}  // namespace

Result<json> parse_strict_json(std::string_view text, const std::string& name, int max_depth) {
  Watch watch(max_depth);
  try {
    return json::parse(text, [&](int depth, json::parse_event_t event, json& parsed) {
      watch.see(depth, event, parsed);
      return true;
    });
  } catch (const json::parse_error& error) {
    return refuse(name, "is not valid JSON at byte " + std::to_string(error.byte));
  } catch (const json::exception&) {
    return refuse(name, "holds a number that is out of range");
  } catch (const std::runtime_error& error) {
    return refuse(name, error.what());
  }
}

std::string quote_name(std::string_view name) {
  constexpr std::size_t kMaxBytes = 80;
  const bool is_cut = name.size() > kMaxBytes;
  const json text = std::string(name.substr(0, kMaxBytes)) + (is_cut ? "..." : "");
  return text.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace notbad::model
