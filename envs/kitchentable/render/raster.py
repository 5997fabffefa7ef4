"""SVG to pixels, on any machine: no display, no system libraries, no installed fonts."""

from importlib.resources import files
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

_FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf")
_SANS = "DejaVu Sans"
_MONOSPACE = "DejaVu Sans Mono"


def png(svg: str, zoom: float = 1.0) -> bytes:
    """Return an SVG as a PNG file, `zoom` times its size.

    The fonts are those beside this file, whatever family the picture asks for, so that it
    comes out alike everywhere.

    Raises:
        ValueError: the text is not an SVG.
    """
    from resvg_py import svg_to_bytes

    fonts = files("kitchentable.render") / "fonts"
    return svg_to_bytes(
        svg_string=svg,
        zoom=zoom,
        background="#ffffff",
        skip_system_fonts=True,
        font_files=[str(fonts / name) for name in _FONTS],
        font_family=_SANS,
        serif_family=_SANS,
        sans_serif_family=_SANS,
        cursive_family=_SANS,
        fantasy_family=_SANS,
        monospace_family=_MONOSPACE,
    )


def pixels(svg: str, zoom: float = 1.0) -> NDArray[np.uint8]:
    """Return an SVG as pixels; uint8 of shape (height, width, 3).

    Raises:
        ValueError: the text is not an SVG.
    """
    from PIL import Image

    with Image.open(BytesIO(png(svg, zoom))) as image:
        return np.array(image.convert("RGB"))
