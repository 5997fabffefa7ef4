"""Pictures become pixels on any machine."""

import numpy as np
import pytest

from kitchentable.render.raster import pixels, png

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20">'
    '<rect width="20" height="20" fill="#ff0000"/>'
    '<text x="22" y="16" font-family="{family}" font-size="16">{text}</text></svg>'
)


def test_colours_and_size() -> None:
    image = pixels(SVG.format(family="serif", text=""))
    assert image.shape == (20, 60, 3) and image.dtype == np.uint8
    assert image[10, 10].tolist() == [255, 0, 0]
    assert image[10, 50].tolist() == [255, 255, 255]
    assert pixels(SVG.format(family="serif", text=""), zoom=2).shape == (40, 120, 3)


@pytest.mark.parametrize("family", ["monospace", "Georgia, serif", "No Such Font", "sans-serif"])
@pytest.mark.parametrize("text", ["K", "♥", "♠", "é"])
def test_text_is_drawn_without_installed_fonts(family: str, text: str) -> None:
    image = pixels(SVG.format(family=family, text=text))
    assert image[:, 20:].min() < 100


def test_symbols_are_not_all_the_same_box() -> None:
    drawn = {pixels(SVG.format(family="serif", text=text)).tobytes() for text in "♠♥♦♣★⚀⚁"}
    assert len(drawn) == 7


def test_png() -> None:
    assert png(SVG.format(family="serif", text="K")).startswith(b"\x89PNG")


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="token"):
        pixels("no picture")
