# find_package(irlayout): the target irlayout::irlayout, which has the headers, stb_ds.h and libm, and, where OpenCL is
# installed, irlayout::ocl, which has OpenCL too. Moves with the folder that it is installed in.
if(TARGET irlayout::irlayout)
  return()
endif()
get_filename_component(irlayout_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_path(IRLAYOUT_STB_DIR stb_ds.h PATH_SUFFIXES stb)
if(NOT IRLAYOUT_STB_DIR)
  set(irlayout_FOUND FALSE)
  set(irlayout_NOT_FOUND_MESSAGE "irlayout needs stb_ds.h (Debian: libstb-dev), or IRLAYOUT_STB_DIR, the folder that has it")
  return()
endif()
add_library(irlayout::irlayout INTERFACE IMPORTED)
set_target_properties(irlayout::irlayout PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${irlayout_prefix}/include;${IRLAYOUT_STB_DIR}")
if(UNIX)
  set_target_properties(irlayout::irlayout PROPERTIES INTERFACE_LINK_LIBRARIES m)
endif()
find_package(OpenCL QUIET)
if(TARGET OpenCL::OpenCL)
  add_library(irlayout::ocl INTERFACE IMPORTED)
  set_target_properties(irlayout::ocl PROPERTIES
    INTERFACE_LINK_LIBRARIES "irlayout::irlayout;OpenCL::OpenCL")
endif()
