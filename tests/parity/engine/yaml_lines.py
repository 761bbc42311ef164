# SPDX-License-Identifier: GPL-3.0-or-later
"""A flat mapping as YAML: JSON values are YAML values."""
import json


def dump(values):
    return "".join(f"{key}: {json.dumps(value)}\n" for key, value in values.items())
