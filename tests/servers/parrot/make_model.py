"""Writes a tiny GGUF "parrot": a GPT-2 transformer whose weights are computed, not trained.

It repeats what is after the marker before the last one: with ChatML, the text of the last message.
usage: make_model.py MERGES.txt TEMPLATE.jinja OUT.gguf     needs gguf and numpy
"""
import sys
import gguf
import numpy as np

merges_file, template, out = sys.argv[1:]

MERGES, CONTEXT, D, R, SEED = 8000, 32768, 128, 8, 7
NORMAL, CONTROL, USER = 1, 3, 4

# The vocabulary: bytes and the first merges of GPT-2's, then the marks of the templates.
merges = open(merges_file, encoding="utf-8").read().split("\n")[:MERGES]
printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
others = [byte for byte in range(256) if byte not in printable]
letters = [chr(byte) for byte in printable] + [chr(256 + at) for at in range(len(others))]
tokens = list(dict.fromkeys(letters + [merge.replace(" ", "") for merge in merges]))
# turn: a mark that opens a turn (the model looks for these); stop: the server takes it as an end by its name
turn = ["<|im_start|>", "<|start_header_id|>", "<start_of_turn>", "<|turn>", "<|start|>", "<|assistant|>", "<|user|>",
        "<|observation|>", "<｜Assistant｜>", "<｜User｜>", "<|im_user|>", "<|im_assistant|>", "<|im_system|>", "]~b]",
        "[INST]", "[/INST]", "<|start_of_role|>", "<|assistant_start|>", "<|user_start|>", "<|begin_assistant|>", "<|begin_user|>",
        "<seed:bos>", "<|START_OF_TURN_TOKEN|>", "<beginning_of_sentence>", "<SPECIAL_11>", "<assistant>", "<user>",
        "<|begin|>", "<｜hy_Assistant:opensource｜>", "<｜hy_User:opensource｜>"]
stop = ["<|endoftext|>", "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<end_of_turn>", "<turn|>", "<|end|>", "<|return|>",
        "<|call|>", "<｜end▁of▁sentence｜>", "[e~[", "</s>", "<|end_of_text|>"]
other = ["<bos>", "<s>", "<|begin_of_text|>", "<｜begin▁of▁sentence｜>", "<|end_header_id|>", "<|python_tag|>", "<|channel|>",
         "<|message|>", "<|constrain|>", "<|im_middle|>", "<|end_of_role|>", "[gMASK]", "<sop>", "[TOOL_CALLS]", "[ARGS]",
         "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]",
         "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "<｜tool▁sep｜>",
         "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", "<|tool_call_begin|>", "<|tool_call_end|>",
         "<|tool_call_argument_begin|>", "<|tool_call>", "<tool_call|>", "<tool_response|>", "<|tool>",
         "<tool|>", "<|channel>", "<channel|>", "<|think|>", "<|tool_call|>"]
plain = ["<|\"|>", "<tool_call>", "</tool_call>", "<think>", "</think>", "<tool_response>", "</tool_response>", "<tools>", "</tools>",
         "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "assistant", "user", "system", "developer", "observation"]
types = [NORMAL] * len(tokens)
have = set(tokens)
for group, kind in ((turn, CONTROL), (stop, CONTROL), (other, CONTROL), (plain, USER)):
    for t in group:
        if t not in have:
            tokens.append(t)
            types.append(kind)
            have.add(t)
V = len(tokens)

# The dimensions of the residual stream
at = iter(range(D))
take = lambda n: np.array([next(at) for _ in range(n)])
CODE = take(32)                     # which token: +-1, as many of each
P = take(3 * R).reshape(R, 3)       # where: an angle for each frequency, in three phases (their sum is 0)
DIGIT = take(6).reshape(3, 2)       # where: three digits to the base 32, as pairs x, -x
FLAG = take(2)                      # opens a turn: 1, -1; else -1, 1
M, DIST, PREV, GOAL = (take(2 * R).reshape(R, 2) for _ in range(4))  # angles as cosine and sine

def frequencies():
    """Eight frequencies whose sum of cosines peaks at 0 alone, by random search."""
    rng, best, where = np.random.default_rng(SEED), -1, None
    far = np.arange(1, CONTEXT)
    for _ in range(400):
        f = np.sort(np.append(rng.uniform(1.2, 3.0, 3), np.exp(rng.uniform(np.log(2e-4), np.log(1.2), R - 3))))
        margin = R - np.cos(np.outer(f, far)).sum(0).max()
        if margin > best:
            best, where = margin, f
    return where, best

F, margin = frequencies()
PHASES = 2 * np.pi / 3 * np.arange(3)

# Codes at a Hamming distance of 6 or more
rng = np.random.default_rng(SEED)
codes = np.zeros((0, 32), np.float32)
while len(codes) < V:
    batch = np.argsort(rng.random((4096, 32)), 1) < 16
    for c in np.where(batch, 1, -1).astype(np.float32):
        if len(codes) == V:
            break
        if not len(codes) or (codes @ c).max() <= 20:
            codes = np.vstack([codes, c])

embd = np.zeros((V, D), np.float32)
embd[:, CODE] = codes
marker = np.array([t in turn for t in tokens])
embd[:, FLAG] = np.where(marker[:, None], [1, -1], [-1, 1])

n = np.arange(CONTEXT)
pos = np.zeros((CONTEXT, D), np.float32)
for r in range(R):
    pos[:, P[r]] = np.cos(F[r] * n[:, None] + PHASES)
for k in range(3):
    digit = (n >> (5 * k)) & 31
    pos[:, DIGIT[k]] = np.stack([digit, -digit], 1) / 1024

w = gguf.GGUFWriter(out, "gpt2")
w.add_name("parrot")
w.add_description("Weights computed by make_model.py; vocabulary: the first merges of GPT-2's")
w.add_context_length(CONTEXT)
w.add_embedding_length(D)
w.add_block_count(3)
w.add_feed_forward_length(16 * R)
w.add_head_count(1)
w.add_layer_norm_eps(1e-6)
w.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
w.add_tokenizer_model("gpt2")
w.add_tokenizer_pre("deepseek-coder")  # this one makes each newline a token, so a text that follows one begins a token
w.add_token_list(tokens)
w.add_token_types(types)
w.add_token_merges(merges)
w.add_bos_token_id(tokens.index("<|endoftext|>"))
w.add_eos_token_id(tokens.index("<|im_end|>"))
w.add_pad_token_id(tokens.index("<|endoftext|>"))
w.add_add_bos_token(False)
w.add_chat_template(open(template, encoding="utf-8").read())
w.add_tensor("token_embd.weight", embd.astype(np.float16))
w.add_tensor("position_embd.weight", pos.astype(np.float16))

def sigma(*norms):
    return np.sqrt(sum(norms) / D)

TOKEN, PLACE, FLAGS = 32.0, 1.5 * R, 2.0
def pcos(v, r):   # rows that read cosine and sine of the position
    v[P[r]] += 2 / 3 * np.cos(PHASES)
def psin(v, r):
    v[P[r]] += -2 / 3 * np.sin(PHASES)
def turned(angles, r, by):
    """The rows that read cos(x + by), sin(x + by) from the dimensions of an angle x."""
    c, s = np.zeros(D), np.zeros(D)
    c[angles[r]] = [np.cos(by), -np.sin(by)]
    s[angles[r]] = [np.sin(by), np.cos(by)]
    return c, s

def level(rows):
    """The same rows for input that the norm moved by its mean: the two flags sum to 0, so their sum tells that mean."""
    rows = rows.copy()
    rows[:, FLAG] -= rows.sum(1, keepdims=True) / 2
    return rows

def layer(i, wq, bq, wk, bk, wv, wo, up, down, s_attn, s_ffn):
    ones = np.ones(D, np.float32)
    f32 = lambda a: np.ascontiguousarray(a, np.float32)
    w.add_tensor(f"blk.{i}.attn_norm.weight", f32(ones * s_attn))
    w.add_tensor(f"blk.{i}.attn_norm.bias", ones * 0)
    w.add_tensor(f"blk.{i}.attn_qkv.weight", f32(level(np.vstack([wq, wk, wv]))))
    w.add_tensor(f"blk.{i}.attn_qkv.bias", f32(np.concatenate([bq, bk, np.zeros(D)])))
    w.add_tensor(f"blk.{i}.attn_output.weight", f32(wo))
    w.add_tensor(f"blk.{i}.attn_output.bias", ones * 0)
    w.add_tensor(f"blk.{i}.ffn_norm.weight", f32(ones * s_ffn))
    w.add_tensor(f"blk.{i}.ffn_norm.bias", ones * 0)
    w.add_tensor(f"blk.{i}.ffn_up.weight", f32(level(up)))
    w.add_tensor(f"blk.{i}.ffn_up.bias", np.zeros(16 * R, np.float32))
    w.add_tensor(f"blk.{i}.ffn_down.weight", f32(down))
    w.add_tensor(f"blk.{i}.ffn_down.bias", ones * 0)

Z = lambda: np.zeros((D, D))
S = 0.3
def products(pairs_of):
    """up, down of a layer that adds cosines and sines of a sum or difference of angles: xy = ((x+y)^2 - (x-y)^2) / 4."""
    up, down, at = np.zeros((16 * R, D)), np.zeros((D, 16 * R)), 0
    scale = 1 / (4 * 0.797885 * S * S) * 1.03
    for r in range(R):
        for goal, terms in pairs_of(r):
            for x, y, sign in terms:
                for row, weight in ((x + y, 1), (-x - y, 1), (x - y, -1), (y - x, -1)):
                    up[at] = S * row
                    down[goal, at] = sign * weight * scale
                    at += 1
    return up, down

BETA = 60 * np.sqrt(D) / 1.0
# Layer 0: m, the place of the last marker; then d = place - m
GAMMA, SPREAD = 24, 16
wk, bk, wq, bq, wv, wo = Z(), np.zeros(D), Z(), np.zeros(D), Z(), Z()
for k in range(3):
    wk[k, DIGIT[k]] = [512, -512]
    bq[k] = GAMMA * 32 ** k
for k in range(SPREAD):
    wk[3 + k, FLAG] = [0.25, -0.25]
    bk[3 + k] = 0.5
    bq[3 + k] = np.float16(GAMMA * CONTEXT * 1.05 / SPREAD)
for r in range(R):
    pcos(wv[2 * r], r)
    psin(wv[2 * r + 1], r)
    wo[M[r][0], 2 * r] = wo[M[r][1], 2 * r + 1] = 1

def difference(r):
    ci, si, cm, sm = (np.zeros(D) for _ in range(4))
    pcos(ci, r), psin(si, r)
    cm[M[r][0]] = sm[M[r][1]] = 1
    return (DIST[r][0], [(ci, cm, 1), (si, sm, 1)]), (DIST[r][1], [(si, cm, 1), (ci, sm, -1)])
up, down = products(difference)
layer(0, wq, bq, wk, bk, wv, wo, up, down, sigma(TOKEN, PLACE, FLAGS), sigma(TOKEN, PLACE, FLAGS, R))

def find(angles, by):
    """Attention to the place that the angles name, moved by `by`."""
    wq, wk = Z(), Z()
    for r in range(R):
        c, s = turned(angles, r, by * F[r])
        wq[2 * r], wq[2 * r + 1] = BETA * c, BETA * s
        pcos(wk[2 * r], r)
        psin(wk[2 * r + 1], r)
    return wq, wk

# Layer 1: prev = the m of the token before m; then goal = prev + d
wq, wk = find(M, -1)
wv, wo = Z(), Z()
for r in range(R):
    for k in range(2):
        wv[2 * r + k, M[r][k]] = 1
        wo[PREV[r][k], 2 * r + k] = 1
def total(r):
    cp, sp, cd, sd = (np.zeros(D) for _ in range(4))
    cp[PREV[r][0]] = sp[PREV[r][1]] = cd[DIST[r][0]] = sd[DIST[r][1]] = 1
    return (GOAL[r][0], [(cp, cd, 1), (sp, sd, -1)]), (GOAL[r][1], [(sp, cd, 1), (cp, sd, 1)])
up, down = products(total)
zero = np.zeros(D)
layer(1, wq, zero, wk, zero, wv, wo, up, down, sigma(TOKEN, PLACE, FLAGS, 2 * R), sigma(TOKEN, PLACE, FLAGS, 3 * R))

# Layer 2: the token behind the goal
wq, wk = find(GOAL, 1)
wv, wo = Z(), Z()
for k in range(32):
    wv[k, CODE[k]] = 1
    wo[CODE[k], k] = 16
layer(2, wq, zero, wk, zero, wv, wo, np.zeros((16 * R, D)), np.zeros((D, 16 * R)), sigma(TOKEN, PLACE, FLAGS, 4 * R), 1)
last = np.zeros(D, np.float32)
last[CODE] = sigma(32 * 256) * 8 / 16  # a step of the code's distance is worth 8, so the margin is 96
w.add_tensor("output_norm.weight", last)
w.add_tensor("output_norm.bias", np.zeros(D, np.float32))
w.write_header_to_file()
w.write_kv_data_to_file()
w.write_tensors_to_file()
w.close()
print(f"{out}: {V} tokens, margin {margin:.2f} of {R}, frequencies {np.round(F, 5)}")
