"""The reliability diagram of the model card, as an SVG: how often a confidence is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_BINS = 10
_SIDE = 300  # of the square that the shares are drawn in, in pixels
_BAR = _SIDE / 5  # two labels: confidences run from 0.5, five bins
_LEFT, _TOP, _BOTTOM, _RIGHT = 52, 14, 46, 16
_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#444}.right{fill:#2a6f97}.rows{fill:#444;font-size:10px}"
    ".ideal{stroke:#888;stroke-dasharray:4 4}.axis{stroke:#888}"
    "@media(prefers-color-scheme:dark){text,.rows{fill:#ccc}.right{fill:#6ba9cf}}"
)


@dataclass(frozen=True)
class Bin:
    low: float  # of the confidences in it; a tenth wide
    rows: int
    confidence: float  # mean of its rows
    accuracy: float


def reliability_bins(confidence: Sequence[float], is_right: Sequence[bool]) -> list[Bin]:
    """The bins that hold rows; over all of them, `calibration_error` is the weighted mean of the gaps."""
    members: list[list[int]] = [[] for _ in range(_BINS)]
    for row, value in enumerate(confidence):
        members[min(int(value * _BINS), _BINS - 1)].append(row)
    return [
        Bin(
            number / _BINS,
            len(rows),
            sum(confidence[row] for row in rows) / len(rows),
            sum(is_right[row] for row in rows) / len(rows),
        )
        for number, rows in enumerate(members)
        if rows
    ]


def reliability_svg(bins: Sequence[Bin], title: str) -> str:
    """A bar a bin, as high as its accuracy, over its confidences; the dashed line is perfect calibration."""
    width, height = _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{title}</title><style>{_STYLE}</style>",
    ]
    for entry in bins:
        tall = entry.accuracy * _SIDE
        left, top = _x(entry.low) + 1, _y(entry.accuracy)
        parts.append(
            f'<rect class="right" x="{left:.1f}" y="{top:.1f}" width="{_BAR - 2:.1f}" height="{tall:.1f}"/>'
            f'<text class="rows" x="{left + _BAR / 2 - 1:.1f}" y="{top - 4:.1f}" text-anchor="middle">'
            f"{entry.rows}</text>"
        )
    parts.append(f'<path class="ideal" d="M{_x(0.5)} {_y(0.5)}L{_x(1)} {_y(1)}"/>')
    parts.append(f'<path class="axis" fill="none" d="M{_x(0.5)} {_y(1)}V{_y(0)}H{_x(1)}"/>')
    for tenth in range(5, 11):
        parts.append(
            f'<text x="{_x(tenth / 10):.1f}" y="{_y(0) + 16}" text-anchor="middle">{tenth * 10} %</text>'
        )
    for tenth in range(0, 11, 2):
        parts.append(
            f'<text x="{_LEFT - 6}" y="{_y(tenth / 10) + 4:.1f}" text-anchor="end">{tenth * 10} %</text>'
        )
    parts.append(
        f'<text x="{_x(0.75)}" y="{height - 8}" text-anchor="middle">probability of the label given</text>'
    )
    middle = _TOP + _SIDE / 2
    parts.append(
        f'<text transform="translate(13 {middle}) rotate(-90)" text-anchor="middle">labels right</text></svg>'
    )
    return "\n".join(parts) + "\n"


def _x(confidence: float) -> float:
    return _LEFT + (confidence - 0.5) * 2 * _SIDE


def _y(accuracy: float) -> float:
    return _TOP + (1 - accuracy) * _SIDE
