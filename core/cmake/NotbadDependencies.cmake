# Finds the distribution's packages and names the one to install where one is missing.
#
# dnnl, sentencepiece and httplib are found by header and library: Debian 12's dnnl-config.cmake asks
# for OpenCL, which its package does not bring, and Debian 13's sentencepiece.pc asks for protobuf-lite.
# So is prometheus-cpp: its config file asks for the libraries of its own HTTP server and client.

# Stops the configure step unless every variable in ARGN is true.
function(notbad_require debian_package)
  foreach(variable IN LISTS ARGN)
    if(NOT ${variable})
      message(FATAL_ERROR "notbad: ${debian_package} is missing - run: apt-get install ${debian_package}")
    endif()
  endforeach()
endfunction()

# Declares the imported target `name` for one header and one library of the system.
function(notbad_system_library name debian_package header library)
  string(TOUPPER ${name} prefix)
  find_path(${prefix}_INCLUDE_DIR ${header})
  find_library(${prefix}_LIBRARY ${library})
  mark_as_advanced(${prefix}_INCLUDE_DIR ${prefix}_LIBRARY)
  notbad_require(${debian_package} ${prefix}_INCLUDE_DIR ${prefix}_LIBRARY)
  add_library(${name} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${${prefix}_LIBRARY}
                                           INTERFACE_INCLUDE_DIRECTORIES ${${prefix}_INCLUDE_DIR})
endfunction()

notbad_system_library(notbad_onednn libdnnl-dev dnnl.hpp dnnl)
notbad_system_library(notbad_sentencepiece libsentencepiece-dev sentencepiece_processor.h sentencepiece)
notbad_system_library(notbad_httplib libcpp-httplib-dev httplib.h cpp-httplib)
notbad_system_library(notbad_prometheus prometheus-cpp-dev prometheus/registry.h prometheus-cpp-core)

find_package(Threads REQUIRED)
find_package(OpenMP QUIET COMPONENTS CXX)
notbad_require(g++ OpenMP_CXX_FOUND)
find_package(nlohmann_json QUIET)
notbad_require(nlohmann-json3-dev nlohmann_json_FOUND)
find_package(tl-expected QUIET)
notbad_require(libexpected-dev tl-expected_FOUND)
find_package(utf8cpp QUIET)
notbad_require(libutfcpp-dev utf8cpp_FOUND)
if(NOT TARGET utf8cpp) # utfcpp 4, on Debian 13, exports its target with a namespace
  add_library(utf8cpp ALIAS utf8cpp::utf8cpp)
endif()
find_package(CLI11 QUIET)
notbad_require(libcli11-dev CLI11_FOUND)
find_package(spdlog QUIET)
notbad_require(libspdlog-dev spdlog_FOUND)
find_package(ZLIB QUIET)
notbad_require(zlib1g-dev ZLIB_FOUND)

if(NOTBAD_BUILD_TESTS)
  find_package(GTest QUIET)
  notbad_require(libgtest-dev GTest_FOUND)
  notbad_require(libgmock-dev GTest_FOUND)
endif()
