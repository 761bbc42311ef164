# SPDX-License-Identifier: GPL-3.0-or-later
option(ROADTUNE_STUDIO "Build the windows (needs Qt 6 and QCustomPlot)" ON)
option(ROADTUNE_ENGINE "Build the trainer (needs the torch wheel in .deps/)" ON)
option(ROADTUNE_CUDA "Build the GPU plugin when a CUDA compiler is found" ON)
option(ROADTUNE_TESTS "Build the tests" ON)
option(ROADTUNE_WERROR "Treat warnings as errors (continuous integration)" OFF)
option(ROADTUNE_UNITY "Compile several sources at once where that pays (cold builds)" OFF)
set(ROADTUNE_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize takes them: address,undefined or thread")
set(ROADTUNE_DEPS "${CMAKE_SOURCE_DIR}/.deps" CACHE PATH "Where `dev setup` keeps the wheels")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/roadtune)

# Installed programs find their libraries beside themselves, wherever the folder is moved.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib/roadtune;$ORIGIN/../lib/roadtune/torch/lib")
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME studio)
include(GNUInstallDirs)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
find_program(MOLD mold)

add_library(roadtune_options INTERFACE)
target_include_directories(roadtune_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_definitions(roadtune_options INTERFACE
  ROADTUNE_VERSION="${PROJECT_VERSION}"
  $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
target_compile_options(roadtune_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall>
  $<$<COMPILE_LANGUAGE:CXX>:-Wextra>
  $<$<COMPILE_LANGUAGE:CXX>:-Wshadow>
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
  $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${ROADTUNE_WERROR}>>:-Werror>)
# GCC 12 warns about its own inlined string and container code at -O3; these stay off until a newer compiler is the floor.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(roadtune_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict> $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow> $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds>
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overread>)
endif()
target_link_options(roadtune_options INTERFACE -Wl,--as-needed)
if(MOLD)
  target_link_options(roadtune_options INTERFACE -fuse-ld=mold)
endif()
if(ROADTUNE_SANITIZE)
  # For the whole tree, so that a target may take a part back. Null pointers are found by their use.
  add_compile_options(-fsanitize=${ROADTUNE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(ROADTUNE_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize=null)
  endif()
  target_link_options(roadtune_options INTERFACE -fsanitize=${ROADTUNE_SANITIZE})
endif()
