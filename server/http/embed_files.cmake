# Writes the C++ file that holds what is served as it is, the page above all:
# cmake "-DFILES=/=web/index.html;/assets/x.js=web/x.js" -DOUTPUT=x.cpp -P embed_files.cmake

set(content_type_html "text/html; charset=utf-8")
set(content_type_css "text/css; charset=utf-8")
set(content_type_js "text/javascript; charset=utf-8")
set(content_type_svg "image/svg+xml")
set(content_type_png "image/png")
set(content_type_json "application/json")
set(content_type_tsv "text/tab-separated-values; charset=utf-8")

set(arrays "")
set(rows "")
set(index 0)
foreach(served IN LISTS FILES)
  string(REGEX MATCH "^([^=]*)=(.*)$" served "${served}")
  set(path "${CMAKE_MATCH_1}")
  set(name "${CMAKE_MATCH_2}")
  get_filename_component(extension "${name}" LAST_EXT)
  string(SUBSTRING "${extension}" 1 -1 extension)
  if(NOT DEFINED content_type_${extension})
    message(FATAL_ERROR "${name}: no content type is known for .${extension} - add it to embed_files.cmake")
  endif()
  file(SHA256 "${name}" hash)
  string(SUBSTRING ${hash} 0 32 hash)
  file(READ "${name}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  execute_process(COMMAND gzip -9 -n -c "${name}" OUTPUT_FILE "${OUTPUT}.gz" COMMAND_ERROR_IS_FATAL ANY)
  file(READ "${OUTPUT}.gz" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," gzip_bytes "${hex}")
  # One element more, so that an empty file is no empty array.
  string(APPEND arrays "constexpr char kFile${index}[] = {${bytes}'\\0'};\n")
  string(APPEND arrays "constexpr char kGzip${index}[] = {${gzip_bytes}'\\0'};\n")
  string(APPEND rows "    EmbeddedFile{\"${path}\", \"${content_type_${extension}}\", \"\\\"${hash}\\\"\",\n"
                     "                 std::string_view(kFile${index}, sizeof(kFile${index}) - 1),\n"
                     "                 std::string_view(kGzip${index}, sizeof(kGzip${index}) - 1)},\n")
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
file(REMOVE "${OUTPUT}.gz")
