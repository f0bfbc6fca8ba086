"""weir's C interface in Python: a block as an object, misuse as an exception.

    arbiter = Block("islip", "ports=8")
    arbiter.request(2, 7, 0x81)       # egress port 2 is asked in class 7 by ingress ports 0 and 7
    arbiter.step(4, 0xFF, 0xFF)       # 1: one match
    arbiter.match(2)                  # (0, 7): the answer, then the outputs

Methods are the functions of weir.h without `weir_islip_`. Sets of ports are numbers, port 0 in the lowest bit; PFC's times are
lists of eight. WEIR_C names the library where the loader does not find it.
"""
import ctypes
import os

MAJOR = 1
NONE = -1
ERROR = -2

# Arguments, and outputs behind `>`: u and l are numbers of 32 and 64 bits, p a set of ports, q eight times of PFC.
FUNCTIONS = {
    "islip_request": "uup", "islip_step": "upp", "islip_match": "u>u", "islip_iterations": "", "islip_grant": "uu>uu",
    "islip_grant_pointer": "uu", "islip_accept_pointer": "uu",
    "tcam_write": "uullup", "tcam_erase": "u", "tcam_lookup": "l>p",
    "pfc_receive_step": "uuuuuq", "pfc_receive_read": ">uuuuu",
    "pfc_transmit_step": "uuuu", "pfc_transmit_read": ">uuuuu", "pfc_transmit_frame": ">uq",
    "shared_buffer_admit": "uuuu", "shared_buffer_release": "uuuu", "shared_buffer_paused": "uu",
    "shared_buffer_slice": "uu", "shared_buffer_group": "uuu>uuul", "shared_buffer_queue": "uuu>u",
    "shared_buffer_pool": "uu>u",
}
TYPES = {"u": ctypes.c_uint32, "l": ctypes.c_uint64, "p": ctypes.c_uint32 * 8, "q": ctypes.c_uint16 * 8}

library = ctypes.CDLL(os.environ.get("WEIR_C", "libweir_c.so.1"))
library.weir_error.restype = ctypes.c_char_p
library.weir_error.argtypes = library.weir_free.argtypes = [ctypes.c_void_p]
library.weir_free.restype = None


class WeirError(Exception):
    """Options or an argument that the block refuses; the text says which, and what is expected."""


def to_c(kind, value):
    if kind == "p":
        if not 0 <= value < 1 << 256:
            raise WeirError(f"ports: {value:#x}; expected a set of ports from 0 to 255")
        return TYPES[kind](*(value >> 32 * word & 0xFFFFFFFF for word in range(8)))
    if kind == "q":
        return TYPES[kind](*value)
    if not 0 <= value < 1 << 8 * ctypes.sizeof(TYPES[kind]):
        raise WeirError(f"{value}: is no number of {8 * ctypes.sizeof(TYPES[kind])} bits")
    return TYPES[kind](value)


def to_python(kind, value):
    if kind == "p":
        return sum(word << 32 * i for i, word in enumerate(value))
    return list(value) if kind == "q" else value.value


class Block:
    """`kind`: islip, tcam, pfc_receive, pfc_transmit or shared_buffer."""

    def __init__(self, kind, options):
        self._kind = kind
        self._handle = None
        create = getattr(library, f"weir_{kind}_create")
        create.restype = ctypes.c_void_p
        error = ctypes.c_char_p()
        self._handle = create(ctypes.c_uint32(MAJOR), options.encode(), ctypes.byref(error))
        if self._handle is None:
            raise WeirError(error.value.decode())

    def __del__(self):
        library.weir_free(self._handle)

    def __getattr__(self, name):
        function = f"{self._kind}_{name}"
        if function not in FUNCTIONS:
            raise AttributeError(f"weir_{function} is not a function of weir.h")
        kinds, _, output_kinds = FUNCTIONS[function].partition(">")

        def call(*values):
            if len(values) != len(kinds):
                raise TypeError(f"weir_{function} takes {len(kinds)} arguments, not {len(values)}")
            outputs = [TYPES[kind]() for kind in output_kinds]
            answer = getattr(library, f"weir_{function}")(
                ctypes.c_void_p(self._handle), *map(to_c, kinds, values), *map(ctypes.byref, outputs))
            if answer == ERROR:
                raise WeirError(library.weir_error(self._handle).decode())
            return (answer, *map(to_python, output_kinds, outputs)) if outputs else answer

        return call
