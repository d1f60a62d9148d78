// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "report/painter.hpp"

namespace sidestep {
namespace {

// Letters of strokes on a grid 4 wide; a capital goes from row 0 (top) to row 6 (base line), a
// descender to row 8. Two digits are a corner (column, row), a space lifts the pen.
struct Glyph {
    std::string_view strokes;
    int width = 4;
};

constexpr int kFirst = ' ', kLast = '~';
constexpr double kGrid = 6.0;  // rows of a capital
constexpr int kGap = 2;        // columns between letters
constexpr Glyph kBox{"0040464606000046", 4};

// clang-format off
constexpr std::array<Glyph, kLast - kFirst + 1> kGlyphs{{
    {"", 2},                                     // space
    {"0004 0606", 0}, {"0002 2022", 2}, {"1016 3036 0242 0444", 4},                      // ! " #
    {"413010010213334445361605 2026", 4}, {"4006 0010110100 3545463635", 4}, {"460110204204163642", 4},  // $ % &
    {"0002", 0}, {"20111526", 2}, {"00111506", 2}, {"1115 0343 0244 4204", 4}, {"2125 0343", 4},      // ' ( ) * +
    {"0607", 0}, {"0343", 4}, {"0606", 0}, {"4006", 4},                                  // , - . /
    {"103041453616050110", 4}, {"021016 0626", 2}, {"0110304142060646", 4},              // 0 1 2
    {"01103041423313 334445361605", 4}, {"36300444", 4}, {"40000313334445361605", 4},    // 3 4 5
    {"413010010516364544331304", 4}, {"004016", 4}, {"103041423313020110 133344453616050413", 4},     // 6 7 8
    {"051636454130100102133342", 4}, {"0202 0606", 0}, {"0202 0607", 0},                 // 9 : ;
    {"410345", 4}, {"0242 0444", 4}, {"014305", 4}, {"0110304142232324 2626", 4},        // < = > ?
    {"343212 121334 344441301001051646", 4},                                             // @
    {"062046 1434", 4}, {"000636454433030030414233", 4}, {"4130100105163645", 4},        // A B C
    {"00063645413000", 4}, {"40000646 0333", 4}, {"400006 0333", 4},                     // D E F
    {"41301001051636454323", 4}, {"0006 4046 0343", 4}, {"0006", 0}, {"3035261605", 3},  // G H I J
    {"0006 400346", 4}, {"000646", 4}, {"0600234046", 4}, {"06004640", 4},               // K L M N
    {"103041453616050110", 4}, {"06003041423303", 4}, {"103041453616050110 2446", 4},    // O P Q
    {"06003041423303 2346", 4}, {"413010010213334445361605", 4}, {"0040 2026", 4},       // R S T
    {"000516364540", 4}, {"002640", 4}, {"0016233640", 4}, {"0046 4006", 4},             // U V W X
    {"002340 2326", 4}, {"00400646", 4}, {"20000626", 2}, {"0046", 4}, {"00202606", 2},  // Y Z [ \ ]
    {"022042", 4}, {"0747", 4}, {"0011", 1},                                             // ^ _ `
    {"0312324346 441405163645", 4}, {"0006 0312324345361605", 4}, {"4332120305163645", 4},  // a b c
    {"4046 4332120305163645", 4}, {"04444332120305163645", 4}, {"30201116 0232", 3},         // d e f
    {"42473818 4636160503123243", 4}, {"0006 0312324346", 4}, {"0206 0000", 0}, {"12171808 1010", 1},  // g h i j
    {"0006 320436", 3}, {"000516", 1}, {"0206 03122326 23324346", 4}, {"0206 0312324346", 4},  // k l m n
    {"123243453616050312", 4}, {"0208 0312324345361605", 4}, {"4248 4332120305163645", 4},  // o p q
    {"0206 03122232", 3}, {"43321203143445361605", 4}, {"10152636 0232", 3},            // r s t
    {"0205163645 4246", 4}, {"022642", 4}, {"0216243642", 4}, {"0246 4206", 4},          // u v w x
    {"0225 4208", 4}, {"02420646", 4}, {"20111203141526", 2}, {"0008", 0}, {"00111223141506", 2},   // y z { | }
    {"04132433 42", 4},                                                                  // ~
}};
// clang-format on

const Glyph& glyph_of(char c)
{
    return c >= kFirst && c <= kLast ? kGlyphs[static_cast<std::size_t>(c - kFirst)] : kBox;
}

/// The bytes that continue a character beyond ASCII have no glyph of their own.
bool continues(char c)
{
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

}  // namespace

std::vector<std::vector<Vec2>> text_strokes(std::string_view text)
{
    std::vector<std::vector<Vec2>> lines;
    double left = 0.0;
    for (const char c : text) {
        if (continues(c)) continue;
        const Glyph& glyph = glyph_of(c);
        std::vector<Vec2> line;
        for (std::size_t i = 0; i + 1 < glyph.strokes.size();) {
            if (glyph.strokes[i] == ' ') {
                lines.push_back(std::move(line));
                line.clear();
                ++i;
                continue;
            }
            line.push_back({(left + (glyph.strokes[i] - '0')) / kGrid,
                            (glyph.strokes[i + 1] - '0') / kGrid - 1.0});
            i += 2;
        }
        if (!line.empty()) lines.push_back(std::move(line));
        left += glyph.width + kGap;
    }
    return lines;
}

double text_width(std::string_view text)
{
    double width = 0.0;
    for (const char c : text) {
        if (!continues(c)) width += glyph_of(c).width + kGap;
    }
    return width > 0.0 ? (width - kGap) / kGrid : 0.0;
}

}  // namespace sidestep
