# Fails when the code that docs/extending.md shows is not what the outside project compiles.
#
#   cmake -DPAGE=docs/extending.md -DPROJECT=test/outside -P test/check_extending_page.cmake
file(READ ${PAGE} page)
foreach(name CMakeLists.txt fixed_priority_arbiter.h reflector.h)
  file(READ ${PROJECT}/${name} code)
  string(FIND "${page}" "${code}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${PAGE} does not show ${PROJECT}/${name} as it is; copy it there")
  endif()
endforeach()
