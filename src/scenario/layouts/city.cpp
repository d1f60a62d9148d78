// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "scenario/layouts/plans.hpp"

// n x n square blocks with streets between and around them. Where two streets meet is a crossing;
// crossings are the nodes of a network that people roam on.
//
//    +--------------------+
//    |  x      x      x   |     x  crossings
//    |    +--+   +--+     |
//    |    |  |   |  |     |
//    |  x +--+ x +--+ x   |

namespace sidestep::plans {

namespace {

// clang-format off
constexpr LayoutParam kParams[] = {
    // name      unit     default   min    max          whole  meaning
    {"agents",   "1",     10000.0,  1.0,   kMostAgents, true,  "how many people"},
    {"blocks",   "1",     0.0,      0.0,   140.0,       true,  "blocks along each side; 0: as many as the people need"},
    {"density",  "1/m2",  0.25,     0.001, 2.0,         false, "people per square metre of street, where `blocks` is 0"},
    {"block",    "m",     40.0,     2.0,   1000.0,      false, "side of a block"},
    {"street",   "m",     12.0,     2.0,   200.0,       false, "width of a street"},
};
// clang-format on

/// Nobody starts nearer than this to a house [m].
constexpr double kInset = 0.5;

struct City {
    std::uint32_t blocks = 1;
    double block = 0.0;
    double street = 0.0;

    double side() const { return blocks * block + (blocks + 1) * street; }
    double street_area() const { return side() * side() - 1.0 * blocks * blocks * block * block; }
};

/// The smallest city whose streets take `agents` people at this density.
City fit_city(std::span<const double> values)
{
    City city{static_cast<std::uint32_t>(values[1]), values[3], values[4]};
    if (city.blocks > 0) return city;
    city.blocks = 1;
    while (city.street_area() * values[2] < values[0] && city.side() <= kLargestExtent)
        ++city.blocks;
    return city;
}

/// Streets as boxes without overlap: those along x whole, those along y in pieces between them.
void add_streets(const City& city, Scenario& scenario)
{
    const double pitch = city.block + city.street;
    const double width = city.street - 2.0 * kInset;
    for (std::uint32_t j = 0; j <= city.blocks; ++j) {
        const double y = kInset + j * pitch;
        add_to_area(scenario, "streets", make_box(kInset, y, city.side() - kInset, y + width));
    }
    for (std::uint32_t i = 0; i <= city.blocks; ++i) {
        for (std::uint32_t j = 0; j < city.blocks; ++j) {
            const double x = kInset + i * pitch;
            const double y = kInset + j * pitch;
            add_to_area(scenario, "streets", make_box(x, y + width, x + width, y + pitch));
        }
    }
}

void add_crossings(const City& city, Scenario& scenario)
{
    // Off the houses: a body that walks to the rim of a crossing stays clear of the corner.
    const double inset = city.street / 12.0;
    const double pitch = city.block + city.street;
    const std::uint32_t count = city.blocks + 1;
    NetworkPlan network;
    network.name = "crossings";
    network.nodes.reserve(count * count);
    network.links.resize(count * count);
    for (std::uint32_t j = 0; j < count; ++j) {
        for (std::uint32_t i = 0; i < count; ++i) {
            const Vec2 low{i * pitch + inset, j * pitch + inset};
            const double width = city.street - 2.0 * inset;
            network.nodes.push_back({make_box(low.x, low.y, low.x + width, low.y + width), {}});
            const std::uint32_t node = j * count + i;
            std::vector<std::uint32_t>& links = network.links[node];
            if (i + 1 < count) links.push_back(node + 1);
            if (j + 1 < count) links.push_back(node + count);
            if (i > 0) links.push_back(node - 1);
            if (j > 0) links.push_back(node - count);
        }
    }
    scenario.networks.push_back(std::move(network));
}

std::string build(std::span<const double> values, Scenario& scenario)
{
    const City city = fit_city(values);
    if (std::string fault = check_extent(city.side(), city.side()); !fault.empty()) return fault;
    if (city.blocks > kParams[1].max)
        return fmt::format("{} people at {} per square metre need more than {} blocks a side",
                           values[0], values[2], kParams[1].max);

    add_floor(scenario, {make_box(0.0, 0.0, city.side(), city.side()), {}});
    const double pitch = city.block + city.street;
    for (std::uint32_t j = 0; j < city.blocks; ++j) {
        for (std::uint32_t i = 0; i < city.blocks; ++i) {
            const Vec2 low{city.street + i * pitch, city.street + j * pitch};
            add_solid(scenario, make_box(low.x, low.y, low.x + city.block, low.y + city.block));
        }
    }
    add_streets(city, scenario);
    add_crossings(city, scenario);
    return {};
}

}  // namespace

const LayoutInfo kCity{.name = "city",
                       .summary = "square blocks with streets between and around them, from 0 up",
                       .params = kParams,
                       .makes = "areas: streets; networks: crossings",
                       .build = build};

}  // namespace sidestep::plans
