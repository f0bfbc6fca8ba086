// What every command that draws has in common: its formats, and a set of pictures written and drawn.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tb/run/arguments/argument_list.h"
#include "tb/view/chart/gnuplot.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// Reads `--format`: png, svg or both with a comma.
parse_result<std::vector<std::string>> read_formats(const std::string& list);

/// Arguments of commands that draw.
struct picture_arguments {
    std::string out;
    std::vector<std::string> formats{"png", "svg"};

    void describe_out(argument_list& arguments) {
        arguments("out", out, "DIR", "where to write; made if it does not exist");
    }
    void describe_format(argument_list& arguments) {
        arguments("format", formats, "LIST", "png, svg or png,svg (the default)").by(read_formats);
    }
};

/// Writes and draws everything into `directory`, which is made if it does not exist; a picture that fails does
/// not keep the others from being drawn. First the files of an earlier call are removed: of all `names`, the
/// pictures that the command may draw, so that none is left that shows other runs. The names of what was drawn
/// go to `out`. Returns the exit status: 0, or 3 where gnuplot failed or is missing, or a file could not be
/// written; a directory that was made and is still empty then is removed. Throws command_error where the
/// directory cannot be made, output_error where an earlier picture cannot be removed.
int draw_pictures(const std::vector<picture>& pictures, const std::vector<std::string>& names,
                  const std::vector<std::string>& formats, const std::string& directory, std::ostream& out,
                  std::ostream& err);

}  // namespace weir::tb
