// Messages between the processes that a launcher has started, at any time: for those that do not run one
// simulation together (rank_team.h).
//
//   messages.send(1, "run 7");
//   while (const auto got = messages.receive()) { ... }
#pragma once

#include <optional>
#include <string>

namespace weir::tb {

struct rank_message {
    unsigned from = 0;
    std::string octets;
};

/// All calls throw rank_lost where a message cannot be sent or received.
class rank_messages {
 public:
    virtual ~rank_messages() = default;
    /// Range: at least 1.
    virtual unsigned ranks() const = 0;
    /// Does not wait.
    virtual void send(unsigned to, std::string octets) = 0;
    /// The next one from any rank, those of one rank in their order; nothing where there is none yet.
    virtual std::optional<rank_message> receive() = 0;
};

}  // namespace weir::tb
