// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <DetourNavMesh.h>

#include <memory>

#include "peers.hpp"

namespace sidestep {

struct FreeNavMesh {
    void operator()(dtNavMesh* mesh) const { dtFreeNavMesh(mesh); }
};
using NavMesh = std::unique_ptr<dtNavMesh, FreeNavMesh>;

/// The ground as a mesh of Detour, its edges moved in by the largest radius: Detour keeps centres
/// on the mesh. x stays x, y becomes z. Without walls two triangles as they are; else by Recast's
/// usual way over voxels. None: it does not fit.
NavMesh make_nav_mesh(const PeerScene& scene);

}  // namespace sidestep
