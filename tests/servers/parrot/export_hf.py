"""Writes tiny.gguf as a Hugging Face folder, so that vLLM, transformers and mlx-lm repeat texts like llama.cpp.

usage: export_hf.py tiny.gguf OUT TEMPLATE.jinja [--mlx]     needs gguf, tokenizers, safetensors, numpy
--mlx: mlx-lm's GPT-2 has no prefix `transformer.` and always an inner width of 4 × n_embd (padded with zeros).
"""
import json
import sys
from pathlib import Path

import gguf
import numpy as np
from safetensors.numpy import save_file
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

CONTROL, USER = 3, 4
source, out, template = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]).read_text()
mlx = "--mlx" in sys.argv
out.mkdir(parents=True, exist_ok=True)
reader = gguf.GGUFReader(source)
field = lambda name: reader.fields[f"tokenizer.ggml.{name}"].contents()
tokens, types = field("tokens"), field("token_type")
ids = {token: i for i, token in enumerate(tokens)}

# The tokenizer: BPE after llama.cpp's split `deepseek-coder`
split = lambda pattern: pre_tokenizers.Split(Regex(pattern), "isolated")
tokenizer = Tokenizer(models.BPE(vocab=ids, merges=[tuple(m.split(" ")) for m in field("merges")]))
tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
    split(r"[\r\n]"), split(r"\s?\p{L}+"), split(r"\s?\p{P}+"), split("[一-龥ࠀ-一가-퟿]+"), split(r"\p{N}"),
    pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
])
tokenizer.decoder = decoders.ByteLevel()
added = lambda kind, special: [
    AddedToken(t, special=special, normalized=False) for t, k in zip(tokens, types) if k == kind
]
tokenizer.add_special_tokens(added(CONTROL, True))
tokenizer.add_tokens(added(USER, False))
assert tokenizer.get_vocab_size() == len(tokens)
tokenizer.save(str(out / "tokenizer.json"))
write = lambda name, value: (out / name).write_text(json.dumps(value, indent=1))
write("tokenizer_config.json", {
    "tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|im_end|>", "pad_token": "<|endoftext|>",
    "bos_token": "<|endoftext|>", "model_max_length": 32768, "clean_up_tokenization_spaces": False,
})
(out / "chat_template.jinja").write_text(template)

# The weights: GPT-2's linear layers are stored transposed
tensors = {t.name: np.array(t.data, dtype=np.float32).reshape(t.shape.tolist()[::-1]) for t in reader.tensors}
width = tensors["token_embd.weight"].shape[1]
inner = 4 * width if mlx else tensors["blk.0.ffn_up.weight"].shape[0]
prefix = "" if mlx else "transformer."
state = {f"{prefix}{ours}": tensors[theirs] for theirs, ours in {
    "token_embd.weight": "wte.weight", "position_embd.weight": "wpe.weight",
    "output_norm.weight": "ln_f.weight", "output_norm.bias": "ln_f.bias",
}.items()}
NAMES = {"attn_norm": "ln_1", "attn_qkv": "attn.c_attn", "attn_output": "attn.c_proj",
         "ffn_norm": "ln_2", "ffn_up": "mlp.c_fc", "ffn_down": "mlp.c_proj"}
for i in range(3):
    for theirs, ours in NAMES.items():
        for part in ("weight", "bias"):
            x = tensors[f"blk.{i}.{theirs}.{part}"]
            if theirs == "ffn_up":
                x = np.pad(x, [(0, inner - x.shape[0])] + [(0, 0)] * (x.ndim - 1))
            if theirs == "ffn_down" and part == "weight":
                x = np.pad(x, [(0, 0), (0, inner - x.shape[1])])
            state[f"{prefix}h.{i}.{ours}.{part}"] = np.ascontiguousarray(x.T if x.ndim == 2 else x)
save_file(state, str(out / "model.safetensors"), metadata={"format": "pt"})
write("config.json", {
    "architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "vocab_size": len(tokens), "n_positions": 32768,
    "n_ctx": 32768, "n_embd": width, "n_layer": 3, "n_head": 1, "n_inner": inner, "activation_function": "gelu_new",
    "layer_norm_epsilon": 1e-6, "bos_token_id": ids["<|endoftext|>"], "eos_token_id": ids["<|im_end|>"],
    "torch_dtype": "float32", "tie_word_embeddings": True,
})
write("generation_config.json", {"eos_token_id": [ids[t] for t in ("<|im_end|>", "<|eot_id|>", "<|call|>", "<|return|>")]})
