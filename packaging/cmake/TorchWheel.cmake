# SPDX-License-Identifier: GPL-3.0-or-later
# roadtune::torch: libtorch_cpu and libc10 of the torch wheel. The wheel's own CMake package is not used: it enables
# CUDA, overrides architectures and runs Python. The GPU half (libtorch_cuda, NCCL) belongs to the plugin alone.
set(ROADTUNE_HAVE_CUDA OFF)
if(NOT ROADTUNE_ENGINE)
  return()
endif()
set(torch_root ${ROADTUNE_DEPS}/site-packages/torch)
if(NOT EXISTS ${torch_root}/lib/libtorch_cpu.so)
  message(FATAL_ERROR "The torch wheel is not in ${ROADTUNE_DEPS}. Run `./dev setup`, or configure with -DROADTUNE_ENGINE=OFF.")
endif()
file(GLOB nvidia_libs ${ROADTUNE_DEPS}/site-packages/nvidia/*/lib)
list(TRANSFORM nvidia_libs PREPEND "-Wl,-rpath-link," OUTPUT_VARIABLE nvidia_rpath_links)

add_library(roadtune_torch INTERFACE)
add_library(roadtune::torch ALIAS roadtune_torch)
target_include_directories(roadtune_torch SYSTEM INTERFACE ${torch_root}/include ${torch_root}/include/torch/csrc/api/include)
target_compile_definitions(roadtune_torch INTERFACE USE_DISTRIBUTED USE_C10D_GLOO AT_PER_OPERATOR_HEADERS)
target_link_libraries(roadtune_torch INTERFACE ${torch_root}/lib/libtorch_cpu.so ${torch_root}/lib/libc10.so)
target_link_options(roadtune_torch INTERFACE -Wl,-rpath-link,${torch_root}/lib ${nvidia_rpath_links})

find_program(ROADTUNE_NVCC nvcc HINTS /usr/local/cuda/bin ${ROADTUNE_DEPS}/site-packages/nvidia/cu13/bin)
if(ROADTUNE_CUDA AND ROADTUNE_NVCC)
  set(ROADTUNE_HAVE_CUDA ON)
endif()
