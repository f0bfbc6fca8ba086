#include "tb/program/program.h"

int main(int argc, char** argv) {
    weir::tb::run_program(argc, argv);
}
