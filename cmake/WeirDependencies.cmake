# All from Debian 12; scripts/bootstrap installs them.
find_package(PkgConfig REQUIRED)
pkg_check_modules(systemc REQUIRED IMPORTED_TARGET systemc)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
if(WEIR_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
