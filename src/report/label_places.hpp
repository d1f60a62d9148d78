// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "sidestep/vec2.hpp"

namespace sidestep {

/// Where labels stand in a picture, in pixels, so that none hides another.
class LabelPlaces {
public:
    struct Box {
        Vec2 low{}, high{};
    };

    /// Labels stay inside the frame.
    explicit LabelPlaces(Box frame) : frame_(frame) {}

    /// A line of text in the middle of `centre`. Letters of sans-serif fonts are 0.6 of their size
    /// wide or less on average.
    static Box box_of(std::string_view text, double size, Vec2 centre)
    {
        const Vec2 half{0.3 * size * static_cast<double>(text.size()) + 2.0, 0.55 * size + 1.0};
        return {centre - half, centre + half};
    }

    void take(Box box) { taken_.push_back(box); }
    bool is_free(Box box) const
    {
        if (box.low.x < frame_.low.x || box.low.y < frame_.low.y || box.high.x > frame_.high.x ||
            box.high.y > frame_.high.y)
            return false;
        return std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) {
            return box.low.x < other.high.x && other.low.x < box.high.x &&
                   box.low.y < other.high.y && other.low.y < box.high.y;
        });
    }

private:
    Box frame_;
    std::vector<Box> taken_;
};

}  // namespace sidestep
