# SPDX-License-Identifier: GPL-3.0-or-later


def adapter_name(name):
    """The name in the adapter's file of a parameter of peft's model."""
    name = name.replace(".default", "").replace(".modules_to_save", "")
    return name.removesuffix(".weight") if "lora_magnitude_vector" in name else name
