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
constexpr int kMaxDepth = 3;
constexpr std::size_t kMaxNameBytes = 100;
constexpr double kMaxNormEps = 0.1;
constexpr std::int64_t kMaxRank = 1 << 13;

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

using Names = std::initializer_list<std::string_view>;

bool contains(Names names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// `where` is the path of `object` in the file, with a point at its end unless it is the root.
Result<void> check_members(const std::string& file, const json& object, const std::string& where,
                           Names names, Names optional_names = {}) {
  for (const std::string_view name : names) {
    if (!object.contains(name)) return refuse(file, where + std::string(name) + " is missing");
  }
  for (const auto& item : object.items()) {
    if (!contains(names, item.key()) && !contains(optional_names, item.key())) {
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

// `name` is the path of `value` in the file.
Result<std::int64_t> read_integer(const std::string& file, const json& value,
                                  const std::string& name, std::int64_t least,
                                  std::int64_t largest) {
  const auto number = value.is_number_unsigned() ? value.get<std::uint64_t>() : UINT64_MAX;
  if (number < static_cast<std::uint64_t>(least) || number > static_cast<std::uint64_t>(largest)) {
    return refuse(file, name + " is not a whole number from " + std::to_string(least) + " to " +
                            std::to_string(largest));
  }
  return static_cast<std::int64_t>(number);
}

Result<void> read_numbers(const std::string& file, const json& numbers, ModelConfig& config) {
  for (const IntegerMember& member : kIntegers) {
    const auto number = read_integer(file, numbers[member.name],
                                     "architecture." + std::string(member.name), 1, member.largest);
    if (!number) return tl::unexpected(number.error());
    config.*member.field = *number;
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

// An object that a model may lack: null where it is absent or null.
const json* find_part(const json& architecture, const char* name) {
  const auto part = architecture.find(name);
  return part == architecture.end() || part->is_null() ? nullptr : &*part;
}

Result<void> check_part(const std::string& file, const json& part, const std::string& where,
                        Names names) {
  if (!part.is_object()) return refuse(file, where + " is not an object");
  return check_members(file, part, where + ".", names);
}

Result<void> read_negation_head(const std::string& file, const json& architecture,
                                ModelConfig& config) {
  const json* part = find_part(architecture, "negation_head");
  if (part == nullptr) return {};
  const std::string where = "architecture.negation_head";
  auto members = check_part(file, *part, where, {"layer", "head"});
  if (!members) return members;
  const auto layer =
      read_integer(file, (*part)["layer"], where + ".layer", 0, config.num_layers - 1);
  if (!layer) return tl::unexpected(layer.error());
  const auto head = read_integer(file, (*part)["head"], where + ".head", 0, config.num_heads - 1);
  if (!head) return tl::unexpected(head.error());
  config.negation_head = {*layer, *head};
  return {};
}

Result<void> read_tagger(const std::string& file, const json& architecture, ModelConfig& config) {
  const json* part = find_part(architecture, "tagger");
  if (part == nullptr) return {};
  const std::string where = "architecture.tagger";
  auto members = check_part(file, *part, where, {"layer", "rank"});
  if (!members) return members;
  const auto layer =
      read_integer(file, (*part)["layer"], where + ".layer", 0, config.num_layers - 1);
  if (!layer) return tl::unexpected(layer.error());
  const auto rank = read_integer(file, (*part)["rank"], where + ".rank", 1, kMaxRank);
  if (!rank) return tl::unexpected(rank.error());
  config.tagger = {*layer, *rank};
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
             "num_labels", "norm_eps", "norm", "activation", "pooling"},
            {"negation_head", "tagger"});
      })
      .and_then([&] { return read_numbers(file, (*root)["architecture"], config); })
      .and_then([&] { return read_choices(file, (*root)["architecture"], config); })
      .and_then([&] { return read_negation_head(file, (*root)["architecture"], config); })
      .and_then([&] { return read_tagger(file, (*root)["architecture"], config); })
      .map([&] { return config; });
}

}  // namespace notbad::model
