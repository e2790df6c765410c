#include "core/model/model_config.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

#include "core/model/mapped_file.h"
#include "core/model/strict_json.h"

namespace notbad::model {
namespace {

using nlohmann::json;

constexpr std::int64_t kFormatVersion = 1;
constexpr std::size_t kMaxFileBytes = 64 << 10;
constexpr int kMaxDepth = 2;
constexpr std::size_t kMaxNameBytes = 100;
constexpr double kMaxNormEps = 0.1;

// The largest values bound what a file can make the process allocate.
struct IntegerMember {
  const char* name;
  std::int64_t ModelConfig::* field;
  std::int64_t largest;
};
constexpr std::array<IntegerMember, 7> kIntegers{{
    {"vocab_size", &ModelConfig::vocab_size, 1 << 20},
    {"d_model", &ModelConfig::d_model, 1 << 13},
    {"num_heads", &ModelConfig::num_heads, 1 << 6},
    {"num_layers", &ModelConfig::num_layers, 1 << 7},
    {"d_ff", &ModelConfig::d_ff, 1 << 15},
    {"max_positions", &ModelConfig::max_positions, 1 << 11},
    {"num_labels", &ModelConfig::num_labels, 1 << 10},
}};

// What this build computes; a file that says anything else would silently give wrong answers.
struct FixedMember {
  const char* name;
  const char* value;
};
constexpr std::array<FixedMember, 2> kFixed{{{"norm", "post"}, {"activation", "gelu_erf"}}};

tl::unexpected<Error> refuse(const std::string& file, const std::string& what) {
  return fail(ErrorCode::kBadModelFile, file + ": " + what + "; export the model again");
}

// `where` is the path of `object` in the file, with a point at its end unless it is the root.
Result<void> check_members(const std::string& file, const json& object, const std::string& where,
                           std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (!object.contains(name)) return refuse(file, where + std::string(name) + " is missing");
  }
  for (const auto& item : object.items()) {
    if (std::find(names.begin(), names.end(), item.key()) == names.end()) {
      return refuse(file, where + quote_name(item.key()) + " is unknown to this build");
    }
  }
  return {};
}

Result<void> check_root(const std::string& file, const json& root) {
  if (!root.is_object()) return refuse(file, "is not a JSON object");
  auto members = check_members(file, root, "", {"format_version", "model", "architecture"});
  if (!members) return members;
  const json& version = root["format_version"];
  if (!version.is_number_integer() || version != kFormatVersion) {
    return refuse(file, "format_version is not " + std::to_string(kFormatVersion) +
                            ", the one that this build reads");
  }
  for (const char* name : {"model", "architecture"}) {
    if (!root[name].is_object()) return refuse(file, std::string(name) + " is not an object");
  }
  return {};
}

Result<void> read_names(const std::string& file, const json& names, ModelConfig& config) {
  auto members = check_members(file, names, "model.", {"id", "version"});
  if (!members) return members;
  for (const char* name : {"id", "version"}) {
    const json& value = names[name];
    if (!value.is_string() || value.get_ref<const std::string&>().empty() ||
        value.get_ref<const std::string&>().size() > kMaxNameBytes) {
      return refuse(file, "model." + std::string(name) + " is not a string of 1 to " +
                              std::to_string(kMaxNameBytes) + " bytes");
    }
  }
  config.model_id = names["id"].get<std::string>();
  config.model_version = names["version"].get<std::string>();
  return {};
}

Result<void> read_numbers(const std::string& file, const json& numbers, ModelConfig& config) {
  for (const IntegerMember& member : kIntegers) {
    const json& value = numbers[member.name];
    const auto number = value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
    if (number == 0 || number > static_cast<std::uint64_t>(member.largest)) {
      return refuse(file, "architecture." + std::string(member.name) +
                              " is not a whole number from 1 to " + std::to_string(member.largest));
    }
    config.*member.field = static_cast<std::int64_t>(number);
  }
  const json& epsilon = numbers["norm_eps"];
  const double value = epsilon.is_number() ? epsilon.get<double>() : 0.0;
  config.norm_eps = static_cast<float>(value);
  if (!(config.norm_eps > 0.0F && value <= kMaxNormEps)) {
    return refuse(file, "architecture.norm_eps is not a number above 0 and at most 0.1");
  }
  if (config.d_model % config.num_heads != 0) {
    return refuse(file, "architecture.d_model " + std::to_string(config.d_model) +
                            " does not divide by num_heads " + std::to_string(config.num_heads));
  }
  return {};
}

Result<void> read_choices(const std::string& file, const json& choices, ModelConfig& config) {
  for (const FixedMember& member : kFixed) {
    if (choices[member.name] != member.value) {
      return refuse(file, "architecture." + std::string(member.name) + " is not \"" + member.value +
                              "\", the only one that this build computes");
    }
  }
  const json& pooling = choices["pooling"];
  if (pooling != "mean" && pooling != "first") {
    return refuse(file, "architecture.pooling is neither \"mean\" nor \"first\"");
  }
  config.pooling = pooling == "mean" ? Pooling::kMean : Pooling::kFirst;
  return {};
}

}  // namespace

Result<ModelConfig> ModelConfig::read(const std::filesystem::path& config_json) {
  const std::string file = config_json.string();
  const auto mapped = MappedFile::open(config_json);
  if (!mapped) return tl::unexpected(mapped.error());
  if (mapped->bytes().size() > kMaxFileBytes) return refuse(file, "is too large for a config");
  const std::string_view text(reinterpret_cast<const char*>(mapped->bytes().data()),
                              mapped->bytes().size());
  const auto root = parse_strict_json(text, file, kMaxDepth);
  if (!root) return tl::unexpected(root.error());

  ModelConfig config;
  return check_root(file, *root)
      .and_then([&] { return read_names(file, (*root)["model"], config); })
      .and_then([&] {
        return check_members(
            file, (*root)["architecture"], "architecture.",
            {"vocab_size", "d_model", "num_heads", "num_layers", "d_ff", "max_positions",
             "num_labels", "norm_eps", "norm", "activation", "pooling"});
      })
      .and_then([&] { return read_numbers(file, (*root)["architecture"], config); })
      .and_then([&] { return read_choices(file, (*root)["architecture"], config); })
      .map([&] { return config; });
}

}  // namespace notbad::model
