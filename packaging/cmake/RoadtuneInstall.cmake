# SPDX-License-Identifier: GPL-3.0-or-later
# What an installed folder holds besides the programs, so that it runs wherever it is moved: the libraries that came
# from PyPI, the presets, and the entry in the desktop's menu. What Debian packages is left to Debian.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # `roadtune_programs` is enough to install
install(RUNTIME_DEPENDENCY_SET roadtune_runtime
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|stdc\\+\\+|gcc_s)\\.so" "^libQt6" "^libX" "^libxcb" "^libGL"
    "^libtorch" "^libc10"
  POST_INCLUDE_REGEXES "^${ROADTUNE_DEPS}/"
  POST_EXCLUDE_REGEXES "^/(usr/)?lib"
  DESTINATION lib/roadtune)  # where the programs' run path looks
install(DIRECTORY resources/presets DESTINATION ${CMAKE_INSTALL_DATADIR}/roadtune)
if(ROADTUNE_STUDIO)
  install(FILES packaging/desktop/roadtune-studio.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES resources/icons/roadtune-studio.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()

# Torch keeps the folders of its wheel: its libraries find each other by them, and the programs that go to other machines
# go without what lies there. Its GPU half is a component of its own, six times as large as all the rest.
if(ROADTUNE_ENGINE)
  set(wheels ${ROADTUNE_DEPS}/site-packages)
  set(lib ${wheels}/torch/lib)
  file(GLOB asked_for ${wheels}/nvidia/cu13/lib/libcudart.so.* ${wheels}/nvidia/cu13/lib/libcupti.so.*)
  install(FILES ${lib}/libtorch_cpu.so ${lib}/libc10.so ${lib}/libgomp.so.1 DESTINATION lib/roadtune/torch/lib)
  install(FILES ${wheels}/torch/version.py DESTINATION lib/roadtune/torch)
  install(FILES ${asked_for} DESTINATION lib/roadtune/nvidia/cu13/lib)
endif()
if(ROADTUNE_HAVE_CUDA)
  file(GLOB of_torch ${lib}/libtorch_cuda*.so ${lib}/libtorch_nvshmem.so ${lib}/libc10_cuda.so ${lib}/libcaffe2_nvrtc.so)
  install(FILES ${of_torch} DESTINATION lib/roadtune/torch/lib COMPONENT gpu)
  install(DIRECTORY ${wheels}/nvidia DESTINATION lib/roadtune COMPONENT gpu FILES_MATCHING PATTERN "*.so*"
    PATTERN libcudart.so.* EXCLUDE PATTERN libcupti.so.* EXCLUDE PATTERN include EXCLUDE)
endif()

# `./dev package`: one package with everything, and one with the GPU half of torch beside it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Roadtune Studio")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DESCRIPTION "Browse driving data with its boxes, choose what of PaliGemma is trained, launch the run here or on
 several machines over SSH, and watch it live.")
set(CPACK_COMPONENTS_ALL studio gpu)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_STUDIO_PACKAGE_NAME roadtune-studio)
set(CPACK_DEBIAN_STUDIO_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${lib} ${wheels}/nvidia/cu13/lib ${wheels}/pyarrow)
set(CPACK_DEBIAN_STUDIO_PACKAGE_DEPENDS "libqt6svg6, libxcb-cursor0, fonts-inter, fonts-dejavu-core")  # found at run time
set(CPACK_DEBIAN_GPU_PACKAGE_NAME roadtune-studio-gpu)
set(CPACK_DEBIAN_GPU_PACKAGE_DEPENDS "roadtune-studio (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_GPU_DESCRIPTION "What Roadtune Studio needs to train on NVIDIA GPUs of the Ampere generation or newer.")
include(CPack)
