# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes pictures, and what Pillow makes of them, into a folder.

decode/NAME.(jpg|png|webp) with NAME.rgb (convert("RGB")) and, where it differs, NAME.white (put on white), NAME.turned
(EXIF applied); resize/in.rgb with WxH.rgb. A .rgb file is `width height\n` and the raw bytes.
"""
import io
import struct
import sys
import warnings
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

warnings.simplefilter("ignore")
out = Path(sys.argv[1])
(out / "decode").mkdir(parents=True)
(out / "resize").mkdir()
rng = np.random.default_rng(7)


def scene(width, height, channels=3):
    """Smooth parts, edges and noise."""
    y, x = np.mgrid[0:height, 0:width]
    planes = [(128 + 90 * np.sin(x / (5 + c) + y / 9) + 40 * ((x // 8 + y // 8) % 2)) for c in range(channels)]
    noise = rng.integers(-20, 20, (height, width, channels))
    return np.clip(np.stack(planes, -1) + noise, 0, 255).astype(np.uint8)


def raw(path, image):
    array = np.asarray(image)
    path.write_bytes(f"{array.shape[1]} {array.shape[0]}\n".encode() + array.tobytes())


def keep(name, data):
    path = out / "decode" / name
    path.write_bytes(data)
    image = Image.open(io.BytesIO(data))
    rgb = image.convert("RGB")
    raw(path.with_suffix(path.suffix + ".rgb"), rgb)
    has_alpha = "A" in image.getbands() or image.info.get("transparency") is not None
    if has_alpha:
        white = Image.new("RGBA", image.size, (255, 255, 255, 255))
        raw(path.with_suffix(path.suffix + ".white"), Image.alpha_composite(white, image.convert("RGBA")).convert("RGB"))
    raw(path.with_suffix(path.suffix + ".turned"), ImageOps.exif_transpose(image).convert("RGB"))


def saved(image, **options):
    stream = io.BytesIO()
    image.save(stream, **options)
    return stream.getvalue()


for width, height in [(1, 1), (7, 5), (16, 16), (17, 33), (64, 48), (161, 97)]:
    for sampling in (0, 1, 2):
        for quality in (30, 90):
            image = Image.fromarray(scene(width, height))
            keep(f"s{sampling}q{quality}_{width}x{height}.jpg", saved(image, format="JPEG", quality=quality, subsampling=sampling))
image = Image.fromarray(scene(93, 71))
keep("progressive.jpg", saved(image, format="JPEG", progressive=True))
keep("optimised.jpg", saved(image, format="JPEG", optimize=True, quality=100))
keep("restarts.jpg", saved(image, format="JPEG", restart_marker_blocks=2))
keep("rgbstored.jpg", saved(image, format="JPEG", keep_rgb=True))
keep("gray.jpg", saved(image.convert("L"), format="JPEG"))
keep("cmyk.jpg", saved(Image.fromarray(scene(50, 40, 4), "CMYK"), format="JPEG", quality=95))
for orientation in range(1, 9):
    exif = Image.Exif()
    exif[0x0112] = orientation
    keep(f"exif{orientation}.jpg", saved(image, format="JPEG", exif=exif))

rgba = Image.fromarray(scene(40, 30, 4), "RGBA")
keep("rgb.png", saved(image, format="PNG"))
keep("rgba.png", saved(rgba, format="PNG"))
keep("gray.png", saved(image.convert("L"), format="PNG"))
keep("grayalpha.png", saved(rgba.convert("LA"), format="PNG"))
keep("bilevel.png", saved(image.convert("1"), format="PNG"))
palette = image.quantize(40)
keep("palette.png", saved(palette, format="PNG"))
for bits, colours in ((1, 2), (2, 4), (4, 16)):
    keep(f"palette{bits}.png", saved(image.quantize(colours), format="PNG", bits=bits))
keep("palettekey.png", saved(palette, format="PNG", transparency=3))
keep("palettealpha.png", saved(palette, format="PNG", transparency=bytes(range(0, 200, 5))))
keep("graykey.png", saved(image.convert("L"), format="PNG", transparency=130))
keep("rgbkey.png", saved(image, format="PNG", transparency=tuple(np.asarray(image)[3, 4].tolist())))
wide = (scene(33, 21, 1)[..., 0].astype(np.uint16) * 5)
keep("gray16.png", saved(Image.fromarray(wide), format="PNG"))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, depth, colour, rows, interlace=0, extra=b""):
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def plain(array):
    return b"".join(b"\0" + row.tobytes() for row in array)


keep("rgb16.png", png(9, 6, 16, 2, plain(rng.integers(0, 65536, (6, 27)).astype(">u2"))))
keep("rgba16.png", png(9, 6, 16, 6, plain(rng.integers(0, 65536, (6, 36)).astype(">u2"))))
keep("grayalpha16.png", png(9, 6, 16, 4, plain(rng.integers(0, 65536, (6, 18)).astype(">u2"))))
keep("gray2.png", png(8, 3, 2, 0, plain(rng.integers(0, 256, (3, 2)).astype(np.uint8))))
keep("gray4.png", png(8, 3, 4, 0, plain(rng.integers(0, 256, (3, 4)).astype(np.uint8))))
short = bytes([10, 20, 30, 40, 50, 60])
keep("shortpalette.png", png(4, 1, 8, 3, b"\0" + bytes([0, 1, 2, 200]), extra=chunk(b"PLTE", short)))

pixels = scene(23, 19)
passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
rows = b"".join(plain(pixels[y0::dy, x0::dx].reshape(-1, 3 * len(range(x0, 23, dx)))) for x0, y0, dx, dy in passes
                if pixels[y0::dy, x0::dx].size)
keep("interlaced.png", png(23, 19, 8, 2, rows, interlace=1))

keep("lossy.webp", saved(image, format="WEBP", quality=70))
keep("lossless.webp", saved(image, format="WEBP", lossless=True))
keep("alpha.webp", saved(rgba, format="WEBP", lossless=True, exact=True))
keep("lossyalpha.webp", saved(rgba, format="WEBP", quality=60))


def riff(*chunks):
    body = b"WEBP" + b"".join(kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2) for kind, data in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def animation(picture, left, top, width, height, alpha):
    """An animation whose frames are one picture somewhere on a larger canvas."""
    small = lambda value: struct.pack("<I", value)[:3]
    whole = saved(picture, format="WEBP", quality=60)
    inner = whole[12:] if whole[12:16] != b"VP8X" else whole[30:]
    head = small(left // 2) + small(top // 2) + small(picture.width - 1) + small(picture.height - 1) + small(100)
    frames = [(b"ANMF", head + bytes([flags]) + inner) for flags in (0, 1)]
    return riff((b"VP8X", bytes([2 | 16 * alpha, 0, 0, 0]) + small(width - 1) + small(height - 1)),
                (b"ANIM", bytes(4) + struct.pack("<H", 0)), *frames)


keep("animated.webp", saved(image, format="WEBP", save_all=True, append_images=[image.rotate(180)], quality=60))
keep("animatedalpha.webp", saved(rgba, format="WEBP", save_all=True, append_images=[rgba.rotate(180)], quality=60))
keep("animatedpart.webp", animation(image, 6, 12, 120, 101, False))
keep("animatedpartalpha.webp", animation(rgba, 2, 0, 61, 30, True))

source = Image.fromarray(scene(157, 103))
raw(out / "resize" / "in.rgb", source)
sizes = [(224, 224), (448, 448), (56, 56), (157, 40), (33, 103), (157, 103), (1, 1), (2, 300), (300, 2), (13, 11),
         (156, 102), (158, 104), (80, 52), (19, 224)]
for width, height in sizes:
    raw(out / "resize" / f"{width}x{height}.rgb", source.resize((width, height), Image.BICUBIC))
tiny = Image.fromarray(scene(3, 2))
raw(out / "resize" / "tiny.rgb", tiny)
raw(out / "resize" / "tiny_to_17x9.rgb", tiny.resize((17, 9), Image.BICUBIC))
