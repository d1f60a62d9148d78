// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "peers.hpp"

#include "adapters.hpp"

namespace sidestep {

std::vector<Peer> known_peers()
{
    std::vector<Peer> peers;
    Peer rvo2{.engine = "rvo2",
              .library = {},
              .missing =
                  "build RVO2 with LTO, install it, and configure Sidestep with "
                  "-DSIDESTEP_BENCH_PEERS=ON -DCMAKE_PREFIX_PATH=WHERE",
              .sorted = false,
              .wants_ground = false,
              .make = {}};
#if defined(SIDESTEP_HAS_RVO2)
    add_rvo2(rvo2);
#endif
    Peer sorted = rvo2;
    sorted.engine = "rvo2-sorted";
    sorted.sorted = true;
    Peer detour{.engine = "detour",
                .library = {},
                .missing =
                    "install librecast-dev and configure Sidestep with "
                    "-DSIDESTEP_BENCH_PEERS=ON",
                .sorted = false,
                .wants_ground = true,
                .make = {}};
#if defined(SIDESTEP_HAS_DETOUR)
    add_detour(detour);
#endif
    peers.push_back(std::move(rvo2));
    peers.push_back(std::move(sorted));
    peers.push_back(std::move(detour));
    return peers;
}

}  // namespace sidestep
