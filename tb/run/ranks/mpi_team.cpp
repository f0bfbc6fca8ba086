#include "tb/run/ranks/mpi_team.h"

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iomanip>
#include <iterator>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "tb/support/process/ending_signals.h"
#include "tb/support/process/exit_status.h"

namespace weir::tb {

namespace {

/// What messages are told apart by.
enum mpi_tag : int {
    simulation_tag = 1,  ///< of a simulation that ranks share
    order_tag = 2        ///< of runs that ranks make for a command
};

/// Throws rank_lost with MPI's text unless `code` is MPI_SUCCESS. MPI_COMM_WORLD has MPI_ERRORS_RETURN: MPI's
/// own handler would end the process, with a status of MPI's.
void expect_success(int code) {
    if (code == MPI_SUCCESS) {
        return;
    }
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw model::rank_lost("messages between ranks fail: " +
                           std::string(text, static_cast<std::size_t>(length)));
}

/// MPI counts in int.
constexpr std::size_t most_in_message = std::numeric_limits<int>::max();
constexpr std::size_t most_at_once = std::size_t{1} << 30;
/// So long a process only yields between looks for a message; then it sleeps between them. The rank that it
/// waits for may be on the same processor, wherever there are fewer processors than ranks or other work on
/// them: one that neither yields nor sleeps keeps it from running.
constexpr std::chrono::microseconds most_spinning{200};
/// A yield that took longer, and after which there is no message, has given the processor for a turn to a
/// program that is no rank of this run, and would do so in each quantum. For some time none is tried, and the
/// process sleeps earlier. Measured in docs/performance.md, Waiting.
constexpr std::chrono::microseconds longest_yield{500};
constexpr std::chrono::milliseconds without_yields{30};
constexpr std::chrono::microseconds most_spinning_without{50};
/// Looks before the first reading of the clock.
constexpr unsigned spins = 16;
constexpr std::chrono::microseconds nap{20};
/// Of rank 0, after a signal, with ranks of other machines, of which it is not known whether they have ended:
/// OpenMPI ends the others a second after it, or when the user has said, and what there is has to be written by
/// then. Unit: s.
double patience() {
    const char* const until_kill = std::getenv("OMPI_MCA_odls_base_sigkill_timeout");
    return 0.7 * std::max(1.0, until_kill != nullptr ? std::strtod(until_kill, nullptr) : 0.0);
}

/// Of the machine that this process runs on: its lowest rank there.
int lowest_rank_of_machine(int rank) {
    MPI_Comm machine = MPI_COMM_NULL;
    expect_success(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine));
    int lowest = rank;
    expect_success(MPI_Bcast(&lowest, 1, MPI_INT, 0, machine));
    expect_success(MPI_Comm_free(&machine));
    return lowest;
}

}  // namespace

mpi_team::mpi_team() {
    // Where there are more ranks than slots, OpenMPI yields at every look for a message, within its own waits,
    // too. Waiting here yields and sleeps by itself. What the user says of it holds.
    setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0);
    int threads = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &threads);
    // Simulation threads run beside this one, which alone talks to MPI.
    if (threads < MPI_THREAD_FUNNELED) {
        MPI_Finalize();
        throw command_error("this MPI allows no threads; expected one with MPI_THREAD_FUNNELED",
                            exit_status::environment);
    }
    int rank = 0;
    int size = 1;
    expect_success(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    expect_success(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    expect_success(MPI_Comm_size(MPI_COMM_WORLD, &size));
    m_rank = static_cast<unsigned>(rank);
    m_size = static_cast<unsigned>(size);
    process own{};
    own.id = getpid();
    own.machine = lowest_rank_of_machine(rank);
    gethostname(own.machine_name, sizeof(own.machine_name) - 1);
    m_processes.resize(m_size);
    expect_success(
        MPI_Allgather(&own, sizeof(own), MPI_CHAR, m_processes.data(), sizeof(own), MPI_CHAR, MPI_COMM_WORLD));
}

mpi_team::~mpi_team() {
    for (sent_message& each : m_sent) {
        MPI_Wait(&each.request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}

void mpi_team::end_all(int status) {
    MPI_Abort(MPI_COMM_WORLD, status);
}

template <class Done>
void mpi_team::wait_until(Done&& done) const {
    for (unsigned looks = 0; looks < spins; ++looks) {
        if (done()) {
            return;
        }
    }
    const clock::time_point since = clock::now();
    clock::time_point signalled = clock::time_point::max();
    while (!done()) {
        const clock::time_point now = clock::now();
        const bool yields = now >= m_yields_from;
        if (yields && now - since < most_spinning) {
            std::this_thread::yield();
            const clock::time_point then = clock::now();
            if (done()) {
                return;
            }
            if (then - now > longest_yield) {
                m_yields_from = then + without_yields;
            }
            continue;
        }
        if (!yields && now - since < most_spinning_without) {
            continue;
        }
        std::this_thread::sleep_for(nap);
        // The others have nothing to write, and wait until the launcher ends them.
        if (signal_guard::received() == 0 || m_rank != 0) {
            continue;
        }
        signalled = std::min(signalled, now);
        if (const std::string lost = lost_rank(); !lost.empty()) {
            throw rank_lost(lost);
        }
        const double waited = std::chrono::duration<double>(now - signalled).count();
        if (has_other_machines() && waited > patience()) {
            std::ostringstream text;
            text << "a rank of another machine has not come to the end of its quantum for " << std::fixed
                 << std::setprecision(1) << waited
                 << " s since the signal: it has ended before the run, hangs, or needs longer (docs/ranks.md, "
                    "Ctrl-C)";
            throw rank_lost(text.str());
        }
    }
}

void mpi_team::wait(MPI_Request& request) const {
    wait_until([&request] {
        int done = 0;
        expect_success(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
        return done != 0;
    });
}

// Of the ranks of this machine it is known.
std::string mpi_team::lost_rank() const {
    for (unsigned r = 0; r < m_size; ++r) {
        const process& each = m_processes[r];
        if (each.machine == m_processes[m_rank].machine && kill(static_cast<pid_t>(each.id), 0) != 0 &&
            errno == ESRCH) {
            return "rank " + std::to_string(r) + " (process " + std::to_string(each.id) + " on " +
                   each.machine_name + ") has ended before the run";
        }
    }
    return {};
}

bool mpi_team::has_other_machines() const {
    return std::any_of(m_processes.begin(), m_processes.end(),
                       [&](const process& each) { return each.machine != m_processes[m_rank].machine; });
}

template <class Start>
void mpi_team::pass_octets(std::string& octets, const Start& start) const {
    MPI_Request request = MPI_REQUEST_NULL;
    std::uint64_t size = octets.size();
    expect_success(start(&size, 1, MPI_UINT64_T, &request));
    wait(request);
    octets.resize(size);
    for (std::size_t at = 0; at < size; at += most_at_once) {
        const auto part = static_cast<int>(std::min(most_at_once, size - at));
        expect_success(start(octets.data() + at, part, MPI_CHAR, &request));
        wait(request);
    }
}

void mpi_team::agree(std::int64_t* values, std::size_t count) {
    MPI_Request request = MPI_REQUEST_NULL;
    expect_success(MPI_Iallreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_INT64_T, MPI_MAX,
                                  MPI_COMM_WORLD, &request));
    wait(request);
}

void mpi_team::exchange(std::vector<model::rank_mail>& mail) {
    m_sending.resize(mail.size());
    for (std::size_t i = 0; i < mail.size(); ++i) {
        if (mail[i].sent.size() > most_in_message) {
            throw command_error(
                "frames of one quantum for one rank take more than 2 GiB; expected a shorter run.quantum",
                exit_status::environment);
        }
        expect_success(MPI_Isend(mail[i].sent.data(), static_cast<int>(mail[i].sent.size()), MPI_CHAR,
                                 static_cast<int>(mail[i].neighbour), simulation_tag, MPI_COMM_WORLD,
                                 &m_sending[i]));
    }
    for (model::rank_mail& each : mail) {
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        wait_until([&] {
            int found = 0;
            expect_success(MPI_Improbe(static_cast<int>(each.neighbour), simulation_tag, MPI_COMM_WORLD, &found,
                                       &message, &status));
            return found != 0;
        });
        int size = 0;
        expect_success(MPI_Get_count(&status, MPI_CHAR, &size));
        each.received.resize(static_cast<std::size_t>(size));
        MPI_Request receiving = MPI_REQUEST_NULL;
        expect_success(MPI_Imrecv(each.received.data(), size, MPI_CHAR, &message, &receiving));
        wait(receiving);
    }
    for (MPI_Request& each : m_sending) {
        wait(each);
    }
}

std::vector<std::string> mpi_team::gather(std::string own) {
    if (m_rank != 0) {
        pass_octets(own, [](void* data, int count, MPI_Datatype type, MPI_Request* request) {
            return MPI_Isend(data, count, type, 0, simulation_tag, MPI_COMM_WORLD, request);
        });
        return {};
    }
    std::vector<std::string> all(m_size);
    all[0] = std::move(own);
    for (unsigned r = 1; r < m_size; ++r) {
        pass_octets(all[r], [r](void* data, int count, MPI_Datatype type, MPI_Request* request) {
            return MPI_Irecv(data, count, type, static_cast<int>(r), simulation_tag, MPI_COMM_WORLD, request);
        });
    }
    return all;
}

// A gather and a broadcast, in pieces: there is no limit. What ranks share in many quanta, or where time
// counts, belongs into `agree`.
std::vector<std::string> mpi_team::share(std::string own) {
    std::vector<std::string> parts = gather(std::move(own));
    std::string octets = m_rank == 0 ? to_octets(parts) : std::string();
    pass_octets(octets, [](void* data, int count, MPI_Datatype type, MPI_Request* request) {
        return MPI_Ibcast(data, count, type, 0, MPI_COMM_WORLD, request);
    });
    return m_rank == 0 ? std::move(parts) : from_octets<std::vector<std::string>>(octets);
}

void mpi_team::send(unsigned to, std::string octets) {
    if (octets.size() > most_in_message) {
        throw std::length_error("a message between ranks takes more than 2 GiB");
    }
    for (auto each = m_sent.begin(); each != m_sent.end();) {
        int done = 0;
        expect_success(MPI_Test(&each->request, &done, MPI_STATUS_IGNORE));
        each = done != 0 ? m_sent.erase(each) : std::next(each);
    }
    sent_message& sent = m_sent.emplace_back(sent_message{std::move(octets), MPI_REQUEST_NULL});
    expect_success(MPI_Isend(sent.octets.data(), static_cast<int>(sent.octets.size()), MPI_CHAR,
                             static_cast<int>(to), order_tag, MPI_COMM_WORLD, &sent.request));
}

std::optional<rank_message> mpi_team::receive() {
    int found = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    expect_success(MPI_Improbe(MPI_ANY_SOURCE, order_tag, MPI_COMM_WORLD, &found, &message, &status));
    if (found == 0) {
        return std::nullopt;
    }
    int size = 0;
    expect_success(MPI_Get_count(&status, MPI_CHAR, &size));
    rank_message received{static_cast<unsigned>(status.MPI_SOURCE),
                          std::string(static_cast<std::size_t>(size), '\0')};
    expect_success(MPI_Mrecv(received.octets.data(), size, MPI_CHAR, &message, MPI_STATUS_IGNORE));
    return received;
}

}  // namespace weir::tb
