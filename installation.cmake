# What `cmake --install` puts where, besides the programs: libraries with their headers and a package for CMake, manual
# pages, completions, and the schemas of our files.
include(CMakePackageConfigHelpers)

# Other projects say find_package(lockwood) and link lockwood::solver. The names of the files are common words, so they
# have a folder of their own. `warnings` and `cudd` are only what the others are linked with.
set(LOCKWOOD_LIBRARIES base dpn query treeauto solver explorer program program_machine lw findings)
set(LOCKWOOD_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/lockwood)
install(TARGETS ${LOCKWOOD_LIBRARIES} warnings cudd EXPORT lockwood
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/lockwood)
install(EXPORT lockwood NAMESPACE lockwood:: FILE lockwoodTargets.cmake DESTINATION ${LOCKWOOD_PACKAGE})
install(DIRECTORY base dpn explorer treeauto solver DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lockwood
        FILES_MATCHING PATTERN "*.hpp" PATTERN construction EXCLUDE)
install(DIRECTORY frontend/program frontend/lw frontend/findings
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lockwood/frontend FILES_MATCHING PATTERN "*.hpp")

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
        DESTINATION ${LOCKWOOD_PACKAGE})

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

install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.schema.json"
        PATTERN examples EXCLUDE)
