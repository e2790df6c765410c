#pragma once

#include <filesystem>
#include <string>

// Where the tests find their files; compiled once, so that no other object depends on the folder of
// the checkout.
namespace notbad::test_files {

std::filesystem::path golden(const std::string& name);

std::filesystem::path shipped_model();

}  // namespace notbad::test_files
