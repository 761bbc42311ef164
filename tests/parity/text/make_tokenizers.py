# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tokenizer folders of several kinds and what transformers makes of many strings with them.

usage: make_tokenizers.py TINY_MODEL_FOLDER OUT [SEED]
OUT/<kind>/ holds the tokenizer files, OUT/<kind>.json the expectations.
"""
import io
import json
import os
import random
import shutil
import sys
import warnings

import sentencepiece
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import AutoTokenizer, GemmaTokenizer, PaliGemmaProcessor
from transformers import SiglipImageProcessor

warnings.filterwarnings("ignore")

CORPUS = """the quick brown fox jumps over the lazy dog . detect vehicle ; pedestrian ; cyclist ; sign
answer en how many vehicles are in the image ? caption es describe the scene at night in the rain
Where is the cow standing? cow standing on the beach. naïve café Straße 東京 自動車 歩行者 привет мир
0 1 2 3 4 5 6 7 8 9 10 20 128 1024 "quotes" (brackets) [x] {y} a-b a_b a/b a\\b #tag @me 50% $5 x=y x<y>z
""".strip().splitlines() * 20

NASTY = [
    "", " ", "  ", "   ", "\n", "\n\n", "\n\n\n", " \n", "\n ", "\n \n", "\t", "\r\n", "a", " a", "a ", "  a  b  ", "detect car ; person",
    "detect vehicle ; pedestrian ; cyclist\n", "<loc0000>", "<loc1023>", "<loc1024>", "<loc0007><loc0100><loc0500><loc0999> car ; ",
    "<loc0001>  x", " <loc0001> ", "<loc00", "<loc0007", "loc0007>", "<<loc0007>>", "<seg000><seg127><seg128>", "<image>", "<image><image> x",
    "<bos>", "<eos>", "a<eos>b", "<pad><unk><mask>", "<unused0>", "<unused99>", "<start_of_turn>", "<0x0A>", "<0xFF>", "▁", "▁▁", "▁a", "a▁b", " ▁ ",
    "é", "e\u0301", "ß", "İ", "ǆ", "東京", "自動車 ; 歩行者", "привет мир", "مرحبا", "हिन्दी", "😊", "👩‍👩‍👧", "🇩🇪", "\u200b", "\ufeff", "\u00a0x\u2003y\u3000z",
    "ird   ปี   ird   ด", "This is a test 😊\nI was born in 92000, and this is falsé.\n生活的真谛是\nHi  Hello\nHi   Hello\n\n \n  \n Hello\n<s>\nhi<s>there",
    "x" * 500, "ab " * 300, "<loc0001>" * 100, "\n" * 40, " " * 40, "quick brown", "thequickbrownfox", "\x01\x02\x7f", "a\x00b", "﷽", "\U0001f9d1\U0001f3fd",
    "detect vehicle ;  pedestrian", "answer en how many vehicles?\n", "; ; ;", ";;;", "<loc0001> ;<loc0002>", "𝒳𝒴", "ﬁ", "①", "½",
]

PARTS = [" ", "  ", "\n", "\n\n", "\t", "a", "the", "quick", "detect", " vehicle", ";", " ; ", "<loc0512>", "<loc", "0512>", "<seg003>", "<image>", "<bos>",
         "<eos>", "<pad>", "é", "東", "😊", "▁", "▁▁", "<", ">", "<0x41>", "9", "12", "Ж", "\u0301", "<unk>", "<unused1>", "x", "Z", "-", "_", "\r"]


def strings(rng):
    return NASTY + ["".join(rng.choice(PARTS) for _ in range(rng.randint(1, 14))) for _ in range(250)]


def with_processor(tokenizer):
    return PaliGemmaProcessor(image_processor(), tokenizer)


def image_processor():
    processor = SiglipImageProcessor(size={"height": 28, "width": 28})
    processor.image_seq_length = 4
    return processor


def expectations(folder, rng):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    with_processor(tokenizer)  # registers <image>, <loc> and <seg>
    cases = []
    for text in strings(rng):
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        cases.append(dict(text=text, ids=ids, decoded=tokenizer.decode(ids), plain=tokenizer.decode(ids, skip_special_tokens=True)))
    return dict(size=len(tokenizer), image=tokenizer.convert_tokens_to_ids("<image>"), loc=tokenizer.convert_tokens_to_ids("<loc0000>"), cases=cases)


SPECIAL = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"]


def trained_bpe(folder, user_defined):
    """A Gemma-like tokenizer.json, with added tokens in the vocabulary and <loc> left to the processor."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.pre_tokenizer = pre_tokenizers.Split("▁", "merged_with_next")
    bytes_ = [f"<0x{i:02X}>" for i in range(256)]
    trainer = trainers.BpeTrainer(vocab_size=700, special_tokens=SPECIAL + user_defined + bytes_, show_progress=False)
    tokenizer.train_from_iterator(CORPUS, trainer)
    state = json.loads(tokenizer.to_str())["model"]
    vocabulary = state["vocab"]
    merges = [tuple(m) if isinstance(m, list) else tuple(m.split(" ")) for m in state["merges"]]
    for run in range(2, 6):
        vocabulary.setdefault("▁" * run, len(vocabulary))
        merges += [("▁" * cut, "▁" * (run - cut)) for cut in range(1, run)]
    made = GemmaTokenizer(vocab=vocabulary, merges=merges)
    made.add_tokens([AddedToken(t, normalized=False, special=False) for t in user_defined])
    made.save_pretrained(folder)


def sentencepiece_only(folder, byte_fallback=True):
    os.makedirs(folder, exist_ok=True)
    buffer = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS), model_writer=buffer, vocab_size=900, model_type="bpe", byte_fallback=byte_fallback, character_coverage=0.99,
        pad_id=0, eos_id=1, bos_id=2, unk_id=3, pad_piece="<pad>", eos_piece="<eos>", bos_piece="<bos>", unk_piece="<unk>",
        user_defined_symbols=["<mask>", "\n", "\n\n", "▁▁", "▁▁▁"] + [f"<unused{i}>" for i in range(4)],
        add_dummy_prefix=False, remove_extra_whitespaces=False, normalization_rule_name="identity", split_digits=True, allow_whitespace_only_pieces=True,
        hard_vocab_limit=False, minloglevel=2)
    with open(os.path.join(folder, "tokenizer.model"), "wb") as file:
        file.write(buffer.getvalue())
    with open(os.path.join(folder, "tokenizer_config.json"), "w") as file:
        json.dump(dict(tokenizer_class="GemmaTokenizer", bos_token="<bos>", eos_token="<eos>", pad_token="<pad>", unk_token="<unk>"), file)


def old_style_config(source, folder):
    """The same tokenizer.json beside the files that transformers 4 wrote: no added_tokens_decoder."""
    os.makedirs(folder, exist_ok=True)
    shutil.copy(os.path.join(source, "tokenizer.json"), folder)
    with open(os.path.join(folder, "tokenizer_config.json"), "w") as file:
        json.dump(dict(tokenizer_class="GemmaTokenizer", bos_token="<bos>", eos_token="<eos>", pad_token="<pad>", unk_token="<unk>"), file)
    with open(os.path.join(folder, "special_tokens_map.json"), "w") as file:
        json.dump(dict(bos_token=dict(content="<bos>", lstrip=False, normalized=False, rstrip=False, single_word=False), eos_token="<eos>",
                       pad_token="<pad>", unk_token="<unk>", additional_special_tokens=["<image>"]), file)


def main():
    tiny, out = sys.argv[1:3]
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 11
    shutil.copytree(tiny, os.path.join(out, "tiny"), ignore=shutil.ignore_patterns("*.safetensors"))
    trained_bpe(os.path.join(out, "trained"), ["\n", "\n\n", "▁▁", "<unused0>", "<unused1>"])
    old_style_config(os.path.join(out, "trained"), os.path.join(out, "old"))
    old_style_config(os.path.join(out, "tiny"), os.path.join(out, "tiny_old"))
    sentencepiece_only(os.path.join(out, "pieces"))
    for kind in ["tiny", "trained", "old", "tiny_old", "pieces"]:
        with open(os.path.join(out, kind + ".json"), "w") as file:
            json.dump(expectations(os.path.join(out, kind), random.Random(seed)), file)


if __name__ == "__main__":
    main()
