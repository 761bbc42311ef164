# SPDX-License-Identifier: GPL-3.0-or-later
# One folder is one target. Its name follows from its path (core/data/image -> roadtune_data_image,
# remote/launch -> roadtune_remote_launch), its sources are the .cpp files that lie in it, and headers are
# included by their path from the root of the tree.
include_guard(GLOBAL)

function(_roadtune_folder_name out)
  file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(REGEX REPLACE "^core/" "" path ${path})
  string(REPLACE "/" "_" path ${path})
  set(${out} roadtune_${path} PARENT_SCOPE)
endfunction()

# "base config" -> "roadtune_base roadtune_config"; names with "::" or a slash, and real targets, are kept.
function(_roadtune_targets out)
  set(result)
  foreach(name ${ARGN})
    if(name MATCHES "::|/|^-|^roadtune_" OR (TARGET ${name}))
      list(APPEND result ${name})
    else()
      list(APPEND result roadtune_${name})
    endif()
  endforeach()
  set(${out} ${result} PARENT_SCOPE)
endfunction()

# Cold builds compile several sources at once; the headers are then read once for all of them. `batch` is how many:
# few where the headers are heavy (torch), so that one edit stays cheap.
function(_roadtune_unity name)
  set(batch 8)
  if(ARGC GREATER 1 AND ARGV1)
    set(batch ${ARGV1})
  endif()
  if(ROADTUNE_UNITY)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  endif()
endfunction()

# Tests repeat small helper names from file to file, so they are compiled one by one; cold builds read at least the headers
# from elsewhere once.
function(_roadtune_precompiled name)
  get_target_property(sources ${name} SOURCES)
  list(FILTER sources INCLUDE REGEX "cpp$")
  list(LENGTH sources count)
  if("roadtune::torch" IN_LIST arg_LINKS)
    list(APPEND ARGN <ATen/core/Tensor.h>)
  endif()
  if(ROADTUNE_UNITY AND count GREATER 3)
    target_precompile_headers(${name} PRIVATE <gmock/gmock.h> <gtest/gtest.h> <filesystem> <fstream> <functional> ${ARGN})
  endif()
endfunction()

# Undefined behaviour is looked for in libraries. In what calls them, the assertions of tests above all, it would only
# double the compile time.
function(_roadtune_lightly_sanitized name)
  if(ROADTUNE_SANITIZE MATCHES undefined)
    target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
  endif()
endfunction()

# roadtune_library([LINKS ours...] [PRIVATE_LINKS heavy packages...] [MOC] [UNITY batch] [SOURCES more...])
function(roadtune_library)
  cmake_parse_arguments(arg "MOC" "UNITY" "LINKS;PRIVATE_LINKS;SOURCES" ${ARGN})
  _roadtune_folder_name(name)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  file(GLOB headers CONFIGURE_DEPENDS *.h)
  _roadtune_targets(links ${arg_LINKS})
  _roadtune_targets(privates ${arg_PRIVATE_LINKS})
  if(NOT sources AND NOT arg_SOURCES)
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE roadtune_options ${links} ${privates})
    return()
  endif()
  add_library(${name} STATIC ${sources} ${headers} ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC roadtune_options ${links} PRIVATE ${privates})
  if(arg_MOC)
    set_target_properties(${name} PROPERTIES AUTOMOC ON)
  endif()
  _roadtune_unity(${name} ${arg_UNITY})
endfunction()

# What users run, without the tests: most of a build is theirs.
add_custom_target(roadtune_programs)

# An installed program; the libraries it needs from .deps/ go with it (RoadtuneInstall.cmake).
function(roadtune_install name)
  add_dependencies(roadtune_programs ${name})
  install(TARGETS ${name} RUNTIME_DEPENDENCY_SET roadtune_runtime RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# roadtune_program(NAME [LINKS ours...] [PRIVATE_LINKS packages...] [MOC]): an installed executable.
function(roadtune_program name)
  cmake_parse_arguments(arg "MOC" "" "LINKS;PRIVATE_LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp *.h)
  if(NOT sources)
    message(STATUS "${name}: no sources yet")
    return()
  endif()
  _roadtune_targets(links ${arg_LINKS} ${arg_PRIVATE_LINKS})
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE roadtune_options ${links})
  if(arg_MOC)
    set_target_properties(${name} PROPERTIES AUTOMOC ON)
  endif()
  _roadtune_unity(${name})
  _roadtune_lightly_sanitized(${name})
  roadtune_install(${name})
endfunction()

# roadtune_test([LINKS ours...] [MAIN plain|qt] [WHOLE] [LABELS ...] [TIMEOUT seconds] [COST seconds]
#   [NEEDS programs...] [PRECOMPILE headers...])
# The test program of this folder. Every case is a ctest entry of its own; WHOLE registers the program as one, which suits
# cases that take less time than the program's start, or share what is made for all of them. What costs most is begun first.
function(roadtune_test)
  cmake_parse_arguments(arg "WHOLE" "MAIN;TIMEOUT;COST" "LINKS;LABELS;NEEDS;ENVIRONMENT;PRECOMPILE" ${ARGN})
  file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "_" name test_${path})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp *.h)
  if(NOT sources)
    return()
  endif()
  _roadtune_targets(links ${arg_LINKS})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  add_executable(${name} ${sources})
  _roadtune_precompiled(${name} ${arg_PRECOMPILE})
  target_compile_options(${name} PRIVATE -O1 -Wno-dangling-else)
  _roadtune_lightly_sanitized(${name})
  target_link_libraries(${name} PRIVATE roadtune_options ${links} roadtune_test_support)
  target_compile_definitions(${name} PRIVATE
    ROADTUNE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" ROADTUNE_BIN_DIR="${CMAKE_BINARY_DIR}/bin" ROADTUNE_DEPS_DIR="${ROADTUNE_DEPS}")
  if(arg_NEEDS)
    add_dependencies(${name} ${arg_NEEDS})
  endif()
  set(properties TIMEOUT ${arg_TIMEOUT})
  if(arg_ENVIRONMENT)
    list(APPEND properties ENVIRONMENT "${arg_ENVIRONMENT}")
  endif()
  if(arg_COST)
    list(APPEND properties COST ${arg_COST})
  endif()
  if(arg_LABELS)
    list(APPEND properties LABELS "${arg_LABELS}")
  endif()
  if(arg_MAIN STREQUAL "qt")
    set_target_properties(${name} PROPERTIES AUTOMOC ON)
    target_link_libraries(${name} PRIVATE roadtune_test_main_qt)
    list(APPEND arg_ENVIRONMENT QT_QPA_PLATFORM=offscreen)
    set(properties TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${arg_ENVIRONMENT}" LABELS "gui;${arg_LABELS}"
      RESOURCE_LOCK gui            # what keeps a window from answering is measured
      COST 500)                    # one after the other: begun first, they do not run alone in the end
  else()
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  if(arg_WHOLE AND NOT ROADTUNE_SANITIZE)  # there only some programs are built; cases of others are left out by name
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES ${properties})
  else()
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
  endif()
endfunction()

# roadtune_bench([LINKS ours...]): the benchmark program of this folder, run by `dev bench`, never by ctest.
function(roadtune_bench)
  cmake_parse_arguments(arg "" "" "LINKS" ${ARGN})
  file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR}/tests/bench ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "_" name bench_${path})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp *.h)
  if(NOT sources)
    return()
  endif()
  _roadtune_targets(links ${arg_LINKS})
  add_executable(${name} EXCLUDE_FROM_ALL ${sources})
  add_dependencies(roadtune_benchmarks ${name})
  target_link_libraries(${name} PRIVATE roadtune_options ${links} benchmark::benchmark_main)
  target_compile_definitions(${name} PRIVATE ROADTUNE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" ROADTUNE_BIN_DIR="${CMAKE_BINARY_DIR}/bin")
endfunction()

function(roadtune_summary)
  message(STATUS "roadtune ${PROJECT_VERSION}: studio ${ROADTUNE_STUDIO}, trainer ${ROADTUNE_ENGINE}, GPU plugin ${ROADTUNE_HAVE_CUDA}, "
    "tests ${ROADTUNE_TESTS}, sanitizers '${ROADTUNE_SANITIZE}', warnings as errors ${ROADTUNE_WERROR}")
endfunction()
