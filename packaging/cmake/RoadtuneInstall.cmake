# SPDX-License-Identifier: GPL-3.0-or-later
# What an installed folder holds besides the programs, so that it runs wherever it is moved: the libraries that came
# from PyPI, the presets, and the entry in the desktop's menu. What Debian packages is left to Debian.
install(RUNTIME_DEPENDENCY_SET roadtune_runtime
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|stdc\\+\\+|gcc_s)\\.so" "^libQt6" "^libX" "^libxcb" "^libGL"
  POST_INCLUDE_REGEXES "^${ROADTUNE_DEPS}/"
  POST_EXCLUDE_REGEXES "^/(usr/)?lib"
  DESTINATION lib/roadtune)  # where the programs' run path looks
install(DIRECTORY resources/presets DESTINATION ${CMAKE_INSTALL_DATADIR}/roadtune)
if(ROADTUNE_STUDIO)
  install(FILES packaging/desktop/roadtune-studio.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES resources/icons/roadtune-studio.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()
