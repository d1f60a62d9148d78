// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "detour_mesh.hpp"

#include <DetourAlloc.h>
#include <DetourNavMeshBuilder.h>
#include <DetourStatus.h>
#include <Recast.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sidestep {
namespace {

constexpr float kCell = 0.1f;  // voxels along the ground [m]
constexpr float kCellHeight = 0.1f;
constexpr float kHeight = 2.0f;  // of people [m]; nothing hangs over them
constexpr int kPolygonVertices = 6;
constexpr unsigned short kWalkable = 1;

/// What Recast hands out, freed by its own functions.
template <class T, void (*Free)(T*)>
struct RecastFree {
    void operator()(T* object) const { Free(object); }
};
using HeightField = std::unique_ptr<rcHeightfield, RecastFree<rcHeightfield, rcFreeHeightField>>;
using Compact = std::unique_ptr<rcCompactHeightfield,
                                RecastFree<rcCompactHeightfield, rcFreeCompactHeightfield>>;
using Contours = std::unique_ptr<rcContourSet, RecastFree<rcContourSet, rcFreeContourSet>>;
using Mesh = std::unique_ptr<rcPolyMesh, RecastFree<rcPolyMesh, rcFreePolyMesh>>;

struct Box {
    float low[3] = {HUGE_VALF, 0.0f, HUGE_VALF};
    float high[3] = {-HUGE_VALF, 1.0f, -HUGE_VALF};
};

Box box_of(const PeerScene& scene)
{
    Box box;
    for (const auto& triangle : scene.ground) {
        for (const Vec2 corner : triangle) {
            const auto x = static_cast<float>(corner.x), z = static_cast<float>(corner.y);
            box.low[0] = std::min(box.low[0], x);
            box.low[2] = std::min(box.low[2], z);
            box.high[0] = std::max(box.high[0], x);
            box.high[2] = std::max(box.high[2], z);
        }
    }
    return box;
}

NavMesh to_nav_mesh(dtNavMeshCreateParams& params)
{
    params.walkableHeight = kHeight;
    params.walkableClimb = 0.1f;
    params.buildBvTree = true;
    unsigned char* data = nullptr;
    int size = 0;
    if (!dtCreateNavMeshData(&params, &data, &size)) return nullptr;
    NavMesh mesh(dtAllocNavMesh());
    if (!mesh || dtStatusFailed(mesh->init(data, size, DT_TILE_FREE_DATA))) {
        dtFree(data);
        return nullptr;
    }
    return mesh;
}

/// One square.
NavMesh open_ground(const PeerScene& scene)
{
    const Box box = box_of(scene);
    const float width = std::max(box.high[0] - box.low[0], box.high[2] - box.low[2]);
    // Corners in cells, which are numbers of 16 bits.
    constexpr unsigned short kCells = 0xfff0;
    const unsigned short vertices[] = {0, 0, 0, 0, 0, kCells, kCells, 0, kCells, kCells, 0, 0};
    unsigned short polygon[2 * kPolygonVertices];
    std::fill(std::begin(polygon), std::end(polygon), RC_MESH_NULL_IDX);
    for (unsigned short i = 0; i < 4; ++i) polygon[i] = i;
    const unsigned short flags[] = {kWalkable};
    const unsigned char areas[] = {0};
    dtNavMeshCreateParams params{};
    params.verts = vertices;
    params.vertCount = 4;
    params.polys = polygon;
    params.polyFlags = flags;
    params.polyAreas = areas;
    params.polyCount = 1;
    params.nvp = kPolygonVertices;
    std::copy_n(box.low, 3, params.bmin);
    std::copy_n(box.high, 3, params.bmax);
    params.cs = width / static_cast<float>(kCells);
    params.ch = kCellHeight;
    return to_nav_mesh(params);
}

Mesh voxelise(const PeerScene& scene)
{
    double radius = 0.0;
    for (const PeerAgent& agent : scene.agents) radius = std::max(radius, agent.radius);
    std::vector<float> vertices;
    std::vector<int> triangles;
    for (const auto& triangle : scene.ground) {
        for (const std::size_t corner : {0u, 2u, 1u}) {  // counter-clockwise from above
            triangles.push_back(static_cast<int>(vertices.size() / 3));
            vertices.push_back(static_cast<float>(triangle[corner].x));
            vertices.push_back(0.0f);
            vertices.push_back(static_cast<float>(triangle[corner].y));
        }
    }
    const auto vertex_count = static_cast<int>(vertices.size() / 3);
    const auto triangle_count = static_cast<int>(triangles.size() / 3);
    const Box box = box_of(scene);
    int width = 0, depth = 0;
    rcCalcGridSize(box.low, box.high, kCell, &width, &depth);

    rcContext context(false);
    HeightField field(rcAllocHeightfield());
    if (!rcCreateHeightfield(&context, *field, width, depth, box.low, box.high, kCell, kCellHeight))
        return nullptr;
    std::vector<unsigned char> areas(static_cast<std::size_t>(triangle_count), RC_WALKABLE_AREA);
    if (!rcRasterizeTriangles(&context, vertices.data(), vertex_count, triangles.data(),
                              areas.data(), triangle_count, *field, 1)) {
        return nullptr;
    }
    const int height = static_cast<int>(kHeight / kCellHeight), climb = 1;
    Compact compact(rcAllocCompactHeightfield());
    if (!rcBuildCompactHeightfield(&context, height, climb, *field, *compact)) return nullptr;
    field.reset();
    const int inset = static_cast<int>(std::ceil(radius / double{kCell} - 1e-6));
    if (!rcErodeWalkableArea(&context, inset, *compact)) return nullptr;
    if (!rcBuildDistanceField(&context, *compact)) return nullptr;
    if (!rcBuildRegions(&context, *compact, 0, 8, 20)) return nullptr;
    Contours contours(rcAllocContourSet());
    if (!rcBuildContours(&context, *compact, 1.3f, 120, *contours)) return nullptr;
    Mesh mesh(rcAllocPolyMesh());
    if (!rcBuildPolyMesh(&context, *contours, kPolygonVertices, *mesh)) return nullptr;
    return mesh;
}

}  // namespace

NavMesh make_nav_mesh(const PeerScene& scene)
{
    if (scene.ground.empty()) return nullptr;
    if (scene.walls.empty()) return open_ground(scene);
    const Mesh mesh = voxelise(scene);
    if (!mesh || mesh->npolys == 0) return nullptr;
    std::fill_n(mesh->flags, mesh->npolys, kWalkable);
    dtNavMeshCreateParams params{};
    params.verts = mesh->verts;
    params.vertCount = mesh->nverts;
    params.polys = mesh->polys;
    params.polyFlags = mesh->flags;
    params.polyAreas = mesh->areas;
    params.polyCount = mesh->npolys;
    params.nvp = mesh->nvp;
    std::copy_n(mesh->bmin, 3, params.bmin);
    std::copy_n(mesh->bmax, 3, params.bmax);
    params.cs = mesh->cs;
    params.ch = mesh->ch;
    return to_nav_mesh(params);
}

}  // namespace sidestep
