# Fails when the code that a page shows is not what a project outside compiles.
#
#   cmake -DPAGE=docs/extending.md -DPROJECT=test/outside "-DFILES=CMakeLists.txt;reflector.h" -P test/check_extending_page.cmake
file(READ ${PAGE} page)
foreach(name IN LISTS FILES)
  file(READ ${PROJECT}/${name} code)
  string(FIND "${page}" "${code}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${PAGE} does not show ${PROJECT}/${name} as it is; copy it there")
  endif()
endforeach()
