"""A LoRA adapter of PEFT as a GGUF file, which llama.cpp applies while it loads."""

import json
import re
from pathlib import Path

import gguf
import msgspec
from safetensors.numpy import load_file

from agents.gguf import NotExportable
from agents.gguf.weights import INSIDE, paired

CONFIG, WEIGHTS = "adapter_config.json", "adapter_model.safetensors"
_PART = re.compile(r"base_model\.model\.model\.layers\.(\d+)\.(.+)\.lora_([AB])\.weight")


class Heads(msgspec.Struct, frozen=True):
    """Heads of attention of the base, and those of its keys and values."""

    all: int
    of_keys: int


def write_adapter(folder: Path, path: Path, *, name: str, heads: Heads) -> int:
    """Write an adapter of PEFT as a GGUF file; return how many tensors it has.

    Only rows of queries and keys change their order, as in the base: the inner side is the
    adapter's own. NotExportable when it sits where llama.cpp knows no place.
    """
    told = json.loads((folder / CONFIG).read_text())
    tensors = load_file(folder / WEIGHTS)
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_type("adapter")
    writer.add_name(name)
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", float(told["lora_alpha"]))
    turned = {"attn_q": heads.all, "attn_k": heads.of_keys}
    for key in sorted(tensors):
        found = _PART.fullmatch(key)
        if found is None or found[2] not in INSIDE:
            raise NotExportable(f"The adapter has {key}, which llama.cpp cannot apply.")
        place, values = INSIDE[found[2]], tensors[key].astype("float32")
        if found[3] == "B" and place in turned:
            values = paired(values, turned[place])
        writer.add_tensor(
            f"blk.{found[1]}.{place}.weight.lora_{found[3].lower()}", values.astype("float16")
        )
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return len(tensors)
