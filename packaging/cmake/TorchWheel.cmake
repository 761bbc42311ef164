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

# roadtune::torch_cuda: what the plugin needs on top. CUDA's headers come from the wheel where it has them, because they
# then match its libraries; the compiler may come from the system.
function(roadtune_nvcc_is_new_enough result nvcc)
  execute_process(COMMAND ${nvcc} --version OUTPUT_VARIABLE words ERROR_QUIET)
  string(REGEX MATCH "release ([0-9.]+)" release "${words}")
  if(NOT release OR CMAKE_MATCH_1 VERSION_LESS 13.0)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()
find_program(ROADTUNE_NVCC nvcc HINTS /usr/local/cuda/bin ${ROADTUNE_DEPS}/site-packages/nvidia/cu13/bin
  VALIDATOR roadtune_nvcc_is_new_enough)
set(cuda_root ${ROADTUNE_DEPS}/site-packages/nvidia/cu13)
if(NOT ROADTUNE_CUDA)
  message(STATUS "The GPU plugin is left out: ROADTUNE_CUDA is off.")
elseif(NOT ROADTUNE_NVCC)
  message(STATUS "The GPU plugin is left out: no CUDA compiler (nvcc 13.0 or newer) on PATH, in /usr/local/cuda or in ${ROADTUNE_DEPS}.")
elseif(NOT EXISTS ${torch_root}/lib/libtorch_cuda.so)
  message(STATUS "The GPU plugin is left out: the torch wheel in ${ROADTUNE_DEPS} is one for the CPU alone.")
else()
  set(ROADTUNE_HAVE_CUDA ON)
  add_library(roadtune_torch_cuda INTERFACE)
  add_library(roadtune::torch_cuda ALIAS roadtune_torch_cuda)
  target_link_libraries(roadtune_torch_cuda INTERFACE roadtune::torch
    ${torch_root}/lib/libtorch_cuda.so ${torch_root}/lib/libc10_cuda.so ${cuda_root}/lib/libcudart.so.13)
  target_include_directories(roadtune_torch_cuda SYSTEM INTERFACE
    ${cuda_root}/include ${ROADTUNE_DEPS}/site-packages/nvidia/nccl/include)
  target_compile_definitions(roadtune_torch_cuda INTERFACE USE_C10D_NCCL)
  include(CudaPlugin)
endif()
