# What `cmake --install` puts under a prefix and `cpack -G DEB` into a package: programs with the page inside, model, unit.
set(NOTBAD_UNIT_DIR lib/systemd/system)

install(TARGETS notbad_server_program notbad)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/weights/model DESTINATION ${CMAKE_INSTALL_DATADIR}/notbad)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
# The prefix is known only now: `cmake --install build/release --prefix /opt/notbad`.
install(CODE "set(program \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/notbad-server\")
configure_file(\"${CMAKE_CURRENT_LIST_DIR}/notbad.service.in\" \"${PROJECT_BINARY_DIR}/notbad.service\" @ONLY)")
install(FILES ${PROJECT_BINARY_DIR}/notbad.service DESTINATION ${NOTBAD_UNIT_DIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "notbad maintainers <maintainers@notbad.invalid>")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# The packages of the libraries that the programs are linked with, whose names differ from release to release.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/debian/postinst ${CMAKE_CURRENT_LIST_DIR}/debian/prerm
                                       ${CMAKE_CURRENT_LIST_DIR}/debian/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
