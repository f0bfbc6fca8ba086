// What someone may have meant who wrote a name that does not exist.
//
//   name_index names;
//   names.add("traffic.rate");
//   names.add("run.seed");
//   names.nearest("traffic.tate");     // "traffic.rate"
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::tb {

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`; `limit` if they are no
/// fewer.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit = SIZE_MAX);

/// Names among which the nearest to a text is looked up. Only names whose length is near to the text's are
/// compared with it.
class name_index {
 public:
    /// `name` must outlive the index.
    void add(std::string_view name);
    /// The nearest name, if it is near enough to be what was meant; else an empty one. A name in the text's own
    /// blocks must be nearer than others to be near enough. Of equally near names, one whose length is nearest
    /// to the text's, the shorter one, and the one that was added first.
    std::string_view nearest(std::string_view text) const;

 private:
    struct entry {
        std::string_view name;
        /// Set of the name's characters, one bit each.
        std::uint64_t letters;
    };
    std::vector<std::vector<entry>> m_by_length;
};

/// The nearest of `candidates`, as `name_index` finds it.
std::string nearest_name(const std::string& text, const std::vector<std::string>& candidates);

}  // namespace weir::tb
