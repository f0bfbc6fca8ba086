#include "weir/traffic/goal/allprof_trace.h"

#include <algorithm>
#include <array>
#include <limits>

#include "weir/base/trimmed.h"

namespace weir::traffic {

namespace {

/// Open MPI's: any source, any tag, no rank.
constexpr std::string_view any_text = "-1";
constexpr std::string_view none_text = "-2";
constexpr std::uint32_t no_rank = any_rank - 1;

/// A program's own tags are below 2^31.
constexpr std::uint32_t most_program_tag = std::numeric_limits<std::int32_t>::max();
constexpr std::uint32_t first_collective_tag = most_program_tag + 1;

/// Calls that ask or arrange something, by the beginnings of their names.
constexpr std::array<std::string_view, 24> silent_calls = {
    "MPI_Comm_",   "MPI_Type_", "MPI_Op_",    "MPI_Group_",       "MPI_Cart_",       "MPI_Graph_",
    "MPI_Attr_",   "MPI_Info_", "MPI_Test",   "MPI_Iprobe",       "MPI_Probe",       "MPI_Get_",
    "MPI_Wtime",   "MPI_Wtick", "MPI_Error_", "MPI_Errhandler_",  "MPI_Initialized", "MPI_Finalized",
    "MPI_Address", "MPI_Pack",  "MPI_Unpack", "MPI_Request_free", "MPI_Alloc_mem",   "MPI_Free_mem",
};

bool begins_with(std::string_view text, std::string_view beginning) {
    return text.substr(0, beginning.size()) == beginning;
}

/// The part of a text of numbers with commas between.
std::string_view part_of(std::string_view text, std::size_t number) {
    for (; number > 0; --number) {
        const std::size_t comma = text.find(',');
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
    return text.substr(0, text.find(','));
}

}  // namespace

struct allprof_reader::call {
    enum class action : std::uint8_t {
        send,
        start_send,
        recv,
        start_recv,
        sendrecv,
        wait,
        waitall,
        barrier,
        broadcast,
        reduce,
        all_reduce,
        all_gather,
        all_to_all
    };
    std::string_view name;
    action does;
    std::size_t arguments;
};

const allprof_reader::call* allprof_reader::find_call(std::string_view name) const {
    using kind = call::action;
    static constexpr std::array<call, 19> all = {{
        {"MPI_Send", kind::send, 6},
        {"MPI_Ssend", kind::send, 6},
        {"MPI_Rsend", kind::send, 6},
        {"MPI_Bsend", kind::send, 6},
        {"MPI_Isend", kind::start_send, 7},
        {"MPI_Issend", kind::start_send, 7},
        {"MPI_Irsend", kind::start_send, 7},
        {"MPI_Ibsend", kind::start_send, 7},
        {"MPI_Recv", kind::recv, 7},
        {"MPI_Irecv", kind::start_recv, 7},
        {"MPI_Sendrecv", kind::sendrecv, 12},
        {"MPI_Wait", kind::wait, 2},
        {"MPI_Waitall", kind::waitall, 3},
        {"MPI_Barrier", kind::barrier, 1},
        {"MPI_Bcast", kind::broadcast, 5},
        {"MPI_Reduce", kind::reduce, 7},
        {"MPI_Allreduce", kind::all_reduce, 6},
        {"MPI_Allgather", kind::all_gather, 7},
        {"MPI_Alltoall", kind::all_to_all, 7},
    }};
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const call& each) { return each.name == name; });
    return found == all.end() ? nullptr : &*found;
}

void allprof_reader::read_rank(std::istream& in, const std::string& file) {
    m_file = file;
    m_line = 0;
    m_has_begun = m_has_ended = false;
    m_collectives = 0;
    m_requests.clear();
    m_builder.begin_rank();
    rank_program program(m_builder, m_rank, m_ranks);
    std::string text;
    while (!m_builder.full() && std::getline(in, text)) {
        ++m_line;
        const std::string_view line = trimmed(text);
        if (!line.empty() && line[0] != '#') {
            read_call(program, line);
        }
    }
    m_fields = {"MPI_Finalize"};
    if (m_builder.full()) {
        refuse("has not come after " + std::to_string(most_goal_operations) +
               " operations of all ranks; expected fewer");
    } else if (!m_has_ended && m_errors.empty()) {
        refuse("is missing; expected it as the last call, or the trace was cut");
    }
    if (m_builder.end_rank()) {
        refuse("makes a circle of requirements; expected none");
    }
    ++m_rank;
}

void allprof_reader::refuse(std::string message) {
    m_errors.add({m_file, m_line, std::string(m_fields[0]), std::move(message)});
    m_is_good = false;
}

void allprof_reader::read_call(rank_program& program, std::string_view line) {
    m_is_good = true;
    m_fields.clear();
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t colon = std::min(line.find(':', at), line.size());
        m_fields.push_back(trimmed(line.substr(at, colon - at)));
        at = colon + 1;
    }
    const std::string_view name = m_fields[0];
    if (!begins_with(name, "MPI_") || m_fields.size() < 3) {
        const std::string begins = in_quotes(name);
        m_fields[0] = "line";
        return refuse("begins with " + begins + "; expected MPI_NAME:START:ARGUMENTS:END");
    }
    const call* const known = find_call(name);
    const bool is_silent = std::any_of(silent_calls.begin(), silent_calls.end(),
                                       [&](std::string_view each) { return begins_with(name, each); });
    const bool is_frame = begins_with(name, "MPI_Init") || name == "MPI_Finalize";
    if (known == nullptr && !is_silent && !is_frame) {
        return refuse(
            "is not known; expected a call between two ranks, or Barrier, Bcast, Reduce, Allreduce, Allgather, "
            "Alltoall");
    }
    if (known != nullptr && m_fields.size() != known->arguments + 3) {
        return refuse("has " + std::to_string(m_fields.size() - 3) + " arguments; expected " +
                      std::to_string(known->arguments));
    }
    if (read_times(program) && known != nullptr) {
        make(program, *known);
    }
}

// What lies between two calls is computation; MPI_Init has no beginning, and MPI_Finalize no end.
bool allprof_reader::read_times(rank_program& program) {
    const auto read = [&](std::string_view text, std::uint64_t& ns) {
        const number_fault fault = parse_decimal(text, 3, std::numeric_limits<std::int64_t>::max(), ns);
        if (fault != number_fault::none) {
            refuse(describe(fault, text, "a time in us"));
        }
        return fault == number_fault::none;
    };
    if (m_fields[0] == "MPI_Init" || m_fields[0] == "MPI_Init_thread") {
        m_has_begun = true;
        return read(m_fields.back(), m_end);
    }
    std::uint64_t start = 0;
    if (!read(m_fields[1], start)) {
        return false;
    }
    if (!m_has_begun) {
        m_has_begun = true;  // said once
        refuse("comes before MPI_Init; expected that first");
        return false;
    }
    if (start < m_end) {
        refuse("begins before the call before it has ended; expected calls one after the other");
        return false;
    }
    if (start - m_end > largest_goal_amount) {
        refuse("comes " + std::to_string(start - m_end) + " ns after the call before; expected at most " +
               std::to_string(largest_goal_amount));
        return false;
    }
    program.compute(start - m_end);
    m_has_ended = m_fields[0] == "MPI_Finalize";
    return m_has_ended || read(m_fields.back(), m_end);
}

std::uint64_t allprof_reader::number(std::size_t argument, std::uint64_t high) {
    const std::string_view text = m_fields[argument + 2];
    std::uint64_t value = 0;
    const number_fault fault = parse_whole(text, high, value);
    if (fault != number_fault::none) {
        refuse("argument " + std::to_string(argument + 1) + ": " +
               describe(fault, text, "0 to " + std::to_string(high)));
    }
    return value;
}

std::uint64_t allprof_reader::length(std::size_t count, std::size_t type) {
    const std::string_view text = m_fields[type + 2];
    constexpr std::uint64_t most_int = std::numeric_limits<std::int32_t>::max();
    std::uint64_t size = 0;
    if (parse_whole(part_of(text, 1), most_int, size) != number_fault::none) {
        refuse("argument " + std::to_string(type + 1) + ": " + in_quotes(text) +
               " is no datatype; expected NUMBER,SIZE,EXTENT");
    }
    const std::uint64_t all = number(count, most_int) * size;
    if (all > largest_goal_amount) {
        refuse("moves " + std::to_string(all) + " B; expected at most " + std::to_string(largest_goal_amount));
    }
    return all;
}

std::uint32_t allprof_reader::rank_at(std::size_t argument, bool may_be_any) {
    const std::string_view text = m_fields[argument + 2];
    return text == none_text                ? no_rank
           : may_be_any && text == any_text ? any_rank
                                            : static_cast<std::uint32_t>(number(argument, m_ranks - 1));
}

std::uint32_t allprof_reader::tag_at(std::size_t argument, bool may_be_any) {
    return may_be_any && m_fields[argument + 2] == any_text
               ? any_tag
               : static_cast<std::uint32_t>(number(argument, most_program_tag));
}

void allprof_reader::check_communicator(std::size_t argument) {
    const std::string_view text = m_fields[argument + 2];
    const std::string expected = std::to_string(m_rank) + "," + std::to_string(m_ranks);
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos || text.substr(comma + 1) != expected) {
        refuse("argument " + std::to_string(argument + 1) + ": " + in_quotes(text) +
               " is not the communicator of all ranks in their order; expected NUMBER," + expected);
    }
}

void allprof_reader::make(rank_program& program, const call& known) {
    using kind = call::action;
    constexpr std::uint64_t any_address = std::numeric_limits<std::uint64_t>::max();
    const std::uint32_t own_tag = first_collective_tag + m_collectives;
    switch (known.does) {
        case kind::send:
        case kind::start_send:
        case kind::recv:
        case kind::start_recv: {
            const bool receives = known.does == kind::recv || known.does == kind::start_recv;
            const bool starts = known.does == kind::start_send || known.does == kind::start_recv;
            const std::uint64_t bytes = length(1, 2);
            const std::uint32_t peer = rank_at(3, receives);
            const std::uint32_t tag = tag_at(4, receives);
            check_communicator(5);
            const std::uint64_t request = starts ? number(6, any_address) : 0;
            if (!m_is_good || peer == no_rank) {
                return;
            }
            if (starts) {
                m_requests[request] =
                    receives ? program.start_recv(peer, bytes, tag) : program.start_send(peer, bytes, tag);
            } else if (receives) {
                program.recv(peer, bytes, tag);
            } else {
                program.send(peer, bytes, tag);
            }
            return;
        }
        case kind::sendrecv: {
            const std::uint64_t bytes = length(1, 2);
            const std::uint32_t dst = rank_at(3, false);
            const std::uint32_t tag = tag_at(4, false);
            const std::uint64_t bytes_back = length(6, 7);
            const std::uint32_t src = rank_at(8, true);
            const std::uint32_t tag_back = tag_at(9, true);
            check_communicator(10);
            if (!m_is_good) {
                return;
            }
            if (dst != no_rank && src != no_rank) {
                program.exchange(dst, bytes, src, bytes_back, tag, tag_back);
            } else if (dst != no_rank) {
                program.send(dst, bytes, tag);
            } else if (src != no_rank) {
                program.recv(src, bytes_back, tag_back);
            }
            return;
        }
        case kind::wait:
        case kind::waitall: {
            const bool waits_for_all = known.does == kind::waitall;
            const std::uint64_t count = waits_for_all ? number(0, 1U << 30) : 1;
            const std::uint64_t first = number(waits_for_all ? 1 : 0, any_address);
            // One that is not open was none, or has been waited for. Looks at those that are: `count` is any.
            for (auto open = m_requests.lower_bound(first);
                 m_is_good && open != m_requests.end() && (open->first - first) / m_request_bytes < count;) {
                if ((open->first - first) % m_request_bytes != 0) {
                    ++open;
                    continue;
                }
                program.wait(open->second);
                open = m_requests.erase(open);
            }
            return;
        }
        case kind::barrier:
            check_communicator(0);
            if (m_is_good) {
                program.barrier(own_tag);
            }
            break;
        case kind::broadcast: {
            const std::uint64_t bytes = length(1, 2);
            const auto root = static_cast<std::uint32_t>(number(3, m_ranks - 1));
            check_communicator(4);
            if (m_is_good) {
                program.broadcast(root, bytes, own_tag);
            }
            break;
        }
        case kind::reduce: {
            const std::uint64_t bytes = length(2, 3);
            const auto root = static_cast<std::uint32_t>(number(5, m_ranks - 1));
            check_communicator(6);
            if (m_is_good) {
                program.reduce(root, bytes, own_tag);
            }
            break;
        }
        case kind::all_reduce: {
            const std::uint64_t bytes = length(2, 3);
            check_communicator(5);
            if (m_is_good) {
                program.all_reduce(bytes, own_tag);
            }
            break;
        }
        case kind::all_gather:
        case kind::all_to_all: {
            const std::uint64_t bytes = length(1, 2);
            check_communicator(6);
            if (m_is_good && known.does == kind::all_gather) {
                program.all_gather(bytes, own_tag);
            } else if (m_is_good) {
                program.all_to_all(bytes, own_tag);
            }
            break;
        }
    }
    ++m_collectives;
}

}  // namespace weir::traffic
