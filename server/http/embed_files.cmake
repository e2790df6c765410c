# Writes the C++ file that holds the page: cmake -DROOT=web -DFILES=a;b -DOUTPUT=x.cpp -P embed_files.cmake
#
# index.html is served at /, every other file at /assets/<its path below ROOT>.

set(content_type_html "text/html; charset=utf-8")
set(content_type_css "text/css; charset=utf-8")
set(content_type_js "text/javascript; charset=utf-8")
set(content_type_svg "image/svg+xml")
set(content_type_png "image/png")

set(arrays "")
set(rows "")
set(index 0)
foreach(name IN LISTS FILES)
  get_filename_component(extension "${name}" LAST_EXT)
  string(SUBSTRING "${extension}" 1 -1 extension)
  if(NOT DEFINED content_type_${extension})
    message(FATAL_ERROR "${name}: no content type is known for .${extension} - add it to embed_files.cmake")
  endif()
  file(SHA256 "${ROOT}/${name}" hash)
  string(SUBSTRING ${hash} 0 32 hash)
  file(READ "${ROOT}/${name}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  if(name STREQUAL "index.html")
    set(path "/")
  else()
    set(path "/assets/${name}")
  endif()
  # One element more, so that an empty file is no empty array.
  string(APPEND arrays "constexpr char kFile${index}[] = {${bytes}'\\0'};\n")
  string(APPEND rows "    EmbeddedFile{\"${path}\", \"${content_type_${extension}}\", \"\\\"${hash}\\\"\",\n"
                     "                 std::string_view(kFile${index}, sizeof(kFile${index}) - 1)},\n")
  math(EXPR index "${index} + 1")
endforeach()

file(WRITE "${OUTPUT}.new" "#include <array>

#include \"server/http/embedded_files.h\"

namespace notbad::http {
namespace {

${arrays}
constexpr std::array<EmbeddedFile, ${index}> kFiles = {
${rows}};

}  // namespace

std::span<const EmbeddedFile> embedded_files() { return kFiles; }

}  // namespace notbad::http
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
