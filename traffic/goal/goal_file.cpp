#include "weir/traffic/goal/goal_file.h"

namespace weir::traffic {

goal_file read_goal(std::istream& in, const std::string& file) {
    return in.peek() == first_octet_of_goal_binary ? read_goal_binary(in, file) : read_goal_text(in, file);
}

}  // namespace weir::traffic
