# Parts of the program that need packages which not everybody has. Each has an option: AUTO, the default, builds it where the
# packages are, looked for anew at every configuration; ON fails where one is missing; OFF does not look.

# Makes the option, and sets `weir_look` to whether its packages are to be looked for.
macro(weir_optional option what)
  set(${option} AUTO CACHE STRING "${what}: AUTO, ON or OFF")
  set_property(CACHE ${option} PROPERTY STRINGS AUTO ON OFF)
  string(TOUPPER "${${option}}" weir_wish)
  if(NOT weir_wish MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|YES|NO|1|0)$")
    message(FATAL_ERROR "${option}=${${option}} is unknown; expected AUTO, ON or OFF")
  endif()
  if(weir_wish STREQUAL "AUTO" OR weir_wish)
    set(weir_look ON)
  else()
    set(weir_look OFF)
  endif()
endmacro()

# Sets RESULT to whether the part is built. `missing`: what was not found, with the name of its package; `without`: what the
# program is built without, and what that means.
macro(weir_decide option result missing without)
  set(${result} ON)
  if(NOT weir_look)
    set(${result} OFF)
    message(STATUS "weir: built without ${without} (${option}=OFF)")
  elseif(NOT "${missing}" STREQUAL "")
    set(${result} OFF)
    if(NOT weir_wish STREQUAL "AUTO")
      message(FATAL_ERROR "${option}=ON, but ${missing} is missing; expected it installed, or AUTO or OFF")
    endif()
    message(STATUS "weir: built without ${without}: ${missing} is missing")
  endif()
endmacro()
