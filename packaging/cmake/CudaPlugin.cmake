# SPDX-License-Identifier: GPL-3.0-or-later
# roadtune_cuda: libroadtune_cuda.so, the GPU half of the trainer. Its .cu files see no torch header, and nvcc is called
# directly: CMake's CUDA language wants a linkable toolkit, while the compiler from PyPI brings only what compiles.
set(ROADTUNE_CUDA_ARCHITECTURES "80;90;100" CACHE STRING "GPU generations to compile for; the newest also as PTX")

# roadtune_cuda_plugin(SOURCES host.cpp... KERNELS device.cu... LINKS targets...)
function(roadtune_cuda_plugin)
  cmake_parse_arguments(arg "" "" "SOURCES;KERNELS;LINKS" ${ARGN})
  set(newest)
  set(generate)
  foreach(architecture ${ROADTUNE_CUDA_ARCHITECTURES})
    list(APPEND generate -gencode arch=compute_${architecture},code=sm_${architecture})
    set(newest ${architecture})
  endforeach()
  list(APPEND generate -gencode arch=compute_${newest},code=compute_${newest})
  list(JOIN ROADTUNE_CUDA_ARCHITECTURES " " readable)

  set(launcher)
  if(CCACHE)
    set(launcher ${CCACHE})
  endif()
  set(objects)
  foreach(kernel ${arg_KERNELS})
    get_filename_component(name ${kernel} NAME_WE)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.cu.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${launcher} ${ROADTUNE_NVCC} -std=c++20 -O3 ${generate} -I${CMAKE_SOURCE_DIR} -Xcompiler=-fPIC,-Wall
        -ccbin ${CMAKE_CXX_COMPILER} -MD -MF ${object}.d -MT ${object} -c ${CMAKE_CURRENT_SOURCE_DIR}/${kernel} -o ${object}
      DEPENDS ${kernel} DEPFILE ${object}.d COMMENT "Compiling ${kernel} for GPUs ${readable}" VERBATIM)
    list(APPEND objects ${object})
  endforeach()

  add_library(roadtune_cuda MODULE ${arg_SOURCES} ${objects})
  target_link_libraries(roadtune_cuda PRIVATE roadtune_options roadtune::torch_cuda ${arg_LINKS})
  target_compile_definitions(roadtune_cuda PRIVATE ROADTUNE_CUDA_ARCHITECTURES="${readable} ${newest}+PTX")
  set_target_properties(roadtune_cuda PROPERTIES INSTALL_RPATH "$ORIGIN/torch/lib;$ORIGIN/nvidia/cu13/lib")
  install(TARGETS roadtune_cuda LIBRARY DESTINATION lib/roadtune)
  add_dependencies(roadtune_programs roadtune_cuda)
endfunction()
