# SPDX-License-Identifier: GPL-3.0-or-later
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)                                           # text formatting
find_package(nlohmann_json REQUIRED)                                 # events, checkpoints, --json
find_package(yaml-cpp REQUIRED)                                      # run configuration
find_package(CLI11 REQUIRED)                                         # command line
find_package(OpenSSL REQUIRED COMPONENTS Crypto)                     # SHA-256
find_package(SQLite3 REQUIRED)                                       # tags, notes, saved views
find_path(opencv_include opencv2/core.hpp PATH_SUFFIXES opencv4 REQUIRED)   # image operations: core and imgproc only,
find_library(opencv_core_lib opencv_core REQUIRED)                           # because Debian's codecs pull 139 libraries
find_library(opencv_imgproc_lib opencv_imgproc REQUIRED)
add_library(roadtune_opencv INTERFACE)
add_library(roadtune::opencv ALIAS roadtune_opencv)
target_include_directories(roadtune_opencv SYSTEM INTERFACE ${opencv_include})
target_link_libraries(roadtune_opencv INTERFACE ${opencv_imgproc_lib} ${opencv_core_lib})
pkg_check_modules(turbojpeg REQUIRED IMPORTED_TARGET libturbojpeg)   # JPEG, bit-exact with Pillow
pkg_check_modules(png REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(webp REQUIRED IMPORTED_TARGET libwebp)
pkg_check_modules(libssh REQUIRED IMPORTED_TARGET libssh)            # remote machines

if(ROADTUNE_STUDIO)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Widgets Svg PrintSupport DBus LinguistTools Test)   # the windows
  find_package(QCustomPlotQt6 REQUIRED)                              # plots
endif()
if(ROADTUNE_TESTS)
  include(GoogleTest)
  find_package(GTest REQUIRED)
  find_package(benchmark REQUIRED)
endif()
