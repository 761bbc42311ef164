# SPDX-License-Identifier: GPL-3.0-or-later
# roadtune::arrow: the Arrow and Parquet C++ libraries inside the pyarrow wheel, linked by full path; roadtune::arrow_s3: Amazon's
# part of its file systems beside them.
set(arrow_root ${ROADTUNE_DEPS}/site-packages/pyarrow)
file(GLOB arrow_lib ${arrow_root}/libarrow.so.*)
file(GLOB parquet_lib ${arrow_root}/libparquet.so.*)
file(GLOB arrow_s3_lib ${arrow_root}/libarrow_s3.so.*)
if(NOT arrow_lib OR NOT parquet_lib OR NOT arrow_s3_lib)
  message(FATAL_ERROR "The pyarrow wheel is not in ${ROADTUNE_DEPS}. Run `./dev setup`.")
endif()
add_library(roadtune_arrow INTERFACE)
add_library(roadtune::arrow ALIAS roadtune_arrow)
target_include_directories(roadtune_arrow SYSTEM INTERFACE ${arrow_root}/include)
target_link_libraries(roadtune_arrow INTERFACE ${parquet_lib} ${arrow_lib})
target_link_options(roadtune_arrow INTERFACE -Wl,-rpath-link,${arrow_root})
add_library(roadtune_arrow_s3 INTERFACE)
add_library(roadtune::arrow_s3 ALIAS roadtune_arrow_s3)
target_link_libraries(roadtune_arrow_s3 INTERFACE roadtune::arrow ${arrow_s3_lib})
