# SPDX-License-Identifier: GPL-3.0-or-later
# roadtune::arrow: the Arrow and Parquet C++ libraries inside the pyarrow wheel, linked by full path.
set(arrow_root ${ROADTUNE_DEPS}/site-packages/pyarrow)
file(GLOB arrow_lib ${arrow_root}/libarrow.so.*)
file(GLOB parquet_lib ${arrow_root}/libparquet.so.*)
if(NOT arrow_lib OR NOT parquet_lib)
  message(FATAL_ERROR "The pyarrow wheel is not in ${ROADTUNE_DEPS}. Run `./dev setup`.")
endif()
add_library(roadtune_arrow INTERFACE)
add_library(roadtune::arrow ALIAS roadtune_arrow)
target_include_directories(roadtune_arrow SYSTEM INTERFACE ${arrow_root}/include)
target_link_libraries(roadtune_arrow INTERFACE ${parquet_lib} ${arrow_lib})
target_link_options(roadtune_arrow INTERFACE -Wl,-rpath-link,${arrow_root})
