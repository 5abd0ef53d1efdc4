# What `cmake --install` puts where, besides the programs: libraries with their headers and a package for CMake, manual
# pages, completions, and the schemas of our files. `make package` makes Debian packages and a tarball of the same.
# Components are packages: `programs`, `development`, and `python` (frontend/python).
include(CMakePackageConfigHelpers)

# Other projects say find_package(lockwood) and link lockwood::lockwood, or one of the libraries that it is made of. The
# names of the files are common words, so they have a folder of their own. `warnings` and `cudd` are only what the others
# are linked with.
set(LOCKWOOD_LIBRARIES base dpn query treeauto solver explorer program program_machine verify lw findings api)
set(LOCKWOOD_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/lockwood)
install(TARGETS ${LOCKWOOD_LIBRARIES} warnings cudd EXPORT lockwood
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/lockwood COMPONENT development
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lockwood COMPONENT development)
install(EXPORT lockwood NAMESPACE lockwood:: FILE lockwoodTargets.cmake DESTINATION ${LOCKWOOD_PACKAGE}
        COMPONENT development)
install(DIRECTORY base dpn explorer treeauto solver DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lockwood
        COMPONENT development FILES_MATCHING PATTERN "*.hpp" PATTERN construction EXCLUDE)
install(DIRECTORY frontend/program frontend/lw frontend/findings
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lockwood/frontend COMPONENT development FILES_MATCHING PATTERN "*.hpp")

file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/lockwoodConfig.cmake @ONLY CONTENT [[
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(Boost 1.74)
find_dependency(TBB)
find_dependency(CLI11)
find_dependency(fmt)
find_dependency(nlohmann_json)
find_dependency(tsl-hopscotch-map)
include(${CMAKE_CURRENT_LIST_DIR}/lockwoodTargets.cmake)
]])
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lockwoodConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lockwoodConfig.cmake ${PROJECT_BINARY_DIR}/lockwoodConfigVersion.cmake
        DESTINATION ${LOCKWOOD_PACKAGE} COMPONENT development)

# The program itself knows its manual pages and completions.
set(pages ${PROJECT_BINARY_DIR}/share)
add_custom_command(OUTPUT ${pages}/written
                   COMMAND ${CMAKE_COMMAND} -E rm -rf ${pages}
                   COMMAND lockwood manual --directory=${pages}/man1
                   COMMAND lockwood completions bash > ${pages}/lockwood.bash
                   COMMAND lockwood completions zsh > ${pages}/_lockwood
                   COMMAND lockwood completions fish > ${pages}/lockwood.fish
                   COMMAND ${CMAKE_COMMAND} -E touch ${pages}/written
                   DEPENDS lockwood VERBATIM)
add_custom_target(manual ALL DEPENDS ${pages}/written)
install(DIRECTORY ${pages}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${pages}/lockwood.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME lockwood)
install(FILES ${pages}/_lockwood DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${pages}/lockwood.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# Models of library classes, to be read and imitated: the program carries its own copy.
install(DIRECTORY frontend/java/library/models DESTINATION ${CMAKE_INSTALL_DATADIR}/lockwood)
# With all that its pages have links to.
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN lanes.py EXCLUDE PATTERN __pycache__ EXCLUDE)

# Packages. What the programs need of other packages is read off them (dpkg-shlibdeps).
set(CPACK_PACKAGE_NAME lockwood)
set(CPACK_PACKAGE_VENDOR "the Lockwood maintainers")
set(CPACK_PACKAGE_CONTACT "the Lockwood maintainers <maintainers@lockwood.invalid>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_COMPONENTS_ALL programs development python)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME lockwood)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_DEPENDS libzip4)  # loaded on demand
set(CPACK_DEBIAN_PROGRAMS_DESCRIPTION "races, deadlocks and flows of concurrent programs, decided with proofs
 The commands lockwood and lockwood-verify, their manual pages and completions.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME lockwood-dev)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "libraries of Lockwood for C++
 Static libraries, headers and a package for CMake.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libboost-dev, libbrial-dev, libtbb-dev, libcli11-dev, libfmt-dev, nlohmann-json3-dev, libtsl-hopscotch-map-dev")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-lockwood)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS python3)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "Lockwood for Python 3
 The module lockwood: models, programs, queries, findings, and sets of execution trees.")
include(CPack)
