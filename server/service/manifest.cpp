#include "server/service/manifest.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>

#include "core/base/check.h"

namespace notbad::service {
namespace {

constexpr const char* kManifestName = "MANIFEST.sha256";
constexpr std::size_t kHexDigits = 64;
constexpr std::size_t kReadBytes = 1 << 16;

struct Entry {
  std::string sha256;
  std::string name;
};

tl::unexpected<Error> bad_file(const std::filesystem::path& file, const std::string& what) {
  return fail(ErrorCode::kBadModelFile,
              file.string() + ": " + what + " - restore the model folder or export it again");
}

std::string to_hex(const unsigned char* bytes, std::size_t count) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (std::size_t i = 0; i < count; ++i) {
    hex += kDigits[bytes[i] >> 4U];
    hex += kDigits[bytes[i] & 15U];
  }
  return hex;
}

Result<std::string> sha256_of(const std::filesystem::path& path) {
  // Opening a FIFO would block for good, so the kind of the file is asked first.
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    return bad_file(path, "missing or not a regular file");
  std::ifstream file(path, std::ios::binary);
  if (!file) return bad_file(path, "cannot be read");

  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  check(context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1,
        "verify_manifest: no SHA-256");
  std::array<char, kReadBytes> buffer{};
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
    check(EVP_DigestUpdate(context.get(), buffer.data(), static_cast<std::size_t>(file.gcount())) ==
              1,
          "verify_manifest: SHA-256 failed");
  }
  if (file.bad()) return bad_file(path, "cannot be read to its end");
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  check(EVP_DigestFinal_ex(context.get(), digest.data(), &length) == 1,
        "verify_manifest: SHA-256 failed");
  return to_hex(digest.data(), length);
}

// `<64 hex digits>  <name>`, or ` *<name>` for the binary mode of sha256sum.
Result<std::vector<Entry>> read_entries(const std::filesystem::path& manifest) {
  std::ifstream file(manifest);
  std::vector<Entry> entries;
  std::string line;
  while (std::getline(file, line)) {
    const bool is_long_enough = line.size() > kHexDigits + 2;
    if (!is_long_enough || line.find_first_not_of("0123456789abcdef") != kHexDigits ||
        (line.compare(kHexDigits, 2, "  ") != 0 && line.compare(kHexDigits, 2, " *") != 0))
      return bad_file(manifest, "line " + std::to_string(entries.size() + 1) +
                                    " is not `<sha256>  <file name>`");
    Entry entry{line.substr(0, kHexDigits), line.substr(kHexDigits + 2)};
    if (entry.name.find('/') != std::string::npos)
      return bad_file(manifest, "a file outside the model folder is listed");
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

Result<std::string> verify_manifest(const std::filesystem::path& directory,
                                    const std::vector<std::string>& required) {
  const std::filesystem::path manifest = directory / kManifestName;
  Result<std::string> identity = sha256_of(manifest);
  if (!identity) return identity;
  const Result<std::vector<Entry>> entries = read_entries(manifest);
  if (!entries) return tl::unexpected(entries.error());
  for (const std::string& name : required) {
    if (std::ranges::find(*entries, name, &Entry::name) == entries->end())
      return bad_file(manifest, name + " is not listed");
  }
  for (const Entry& entry : *entries) {
    Result<std::string> actual = sha256_of(directory / entry.name);
    if (!actual) return actual;
    if (*actual != entry.sha256)
      return bad_file(directory / entry.name, "changed since the export, its SHA-256 differs");
  }
  return identity;
}

}  // namespace notbad::service
