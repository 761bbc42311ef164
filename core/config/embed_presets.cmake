# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DFOLDER=resources/presets -DOUT=presets.cpp -P embed_presets.cmake
file(GLOB presets LIST_DIRECTORIES false ${FOLDER}/*.yaml)
list(SORT presets)
set(source "// Generated from resources/presets.\nnamespace roadtune::config {\nextern const char* const kEmbeddedPresets[];\nconst char* const kEmbeddedPresets[] = {\n")
foreach(preset IN LISTS presets)
  get_filename_component(name ${preset} NAME_WE)
  file(READ ${preset} text)
  string(APPEND source "\"${name}\", R\"preset(${text})preset\",\n")
endforeach()
string(APPEND source "nullptr};\n}  // namespace roadtune::config\n")
file(WRITE ${OUT} "${source}")
