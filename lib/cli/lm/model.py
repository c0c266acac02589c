"""A causal transformer of 0.11 million parameters and what is asked of it: samples, and exact probabilities of answers.

Owns: two blocks of width 64 with four heads over a prompt of 9 and an answer of 7 tokens. Must never know: rewards, worlds.
Invariant: sampling is at temperature 1 from the very distribution that `answer_log_probability` scores.
"""

from typing import List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from world import ANSWER, END, PAD, PROMPT, VOCABULARY

WIDTH, HEADS, BLOCKS = 64, 4, 2
Cache = List[Tuple[Tensor, Tensor]]


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.before_attention, self.before_mlp = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.heads = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.join = nn.Linear(WIDTH, WIDTH, bias=False)
        self.widen, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: Tensor, past: Optional[Tuple[Tensor, Tensor]]) -> Tuple[Tensor, Tuple[Tensor, Tensor]]:
        batch, length, _ = x.shape
        heads = self.heads(self.before_attention(x)).view(batch, length, 3, HEADS, WIDTH // HEADS)
        query, key, value = heads.permute(2, 0, 3, 1, 4)
        if past is not None:
            key, value = torch.cat([past[0], key], 2), torch.cat([past[1], value], 2)
        mixed = F.scaled_dot_product_attention(query, key, value, is_causal=length > 1)
        x = x + self.join(mixed.transpose(1, 2).reshape(batch, length, WIDTH))
        x = x + self.narrow(F.gelu(self.widen(self.before_mlp(x))))
        return x, (key, value)


class LanguageModel(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.token, self.position = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(PROMPT + ANSWER, WIDTH)
        nn.init.normal_(self.token.weight, std=0.1)
        nn.init.normal_(self.position.weight, std=0.1)
        self.blocks = nn.ModuleList(Block() for _ in range(BLOCKS))
        self.last, self.out = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, tokens: Tensor, at: int = 0, past: Optional[Cache] = None) -> Tuple[Tensor, Cache]:
        """tokens [batch, length] from position `at` on; logits [batch, length, vocabulary] and keys and values so far."""
        x = self.token(tokens) + self.position.weight[at : at + tokens.shape[1]]
        kept: Cache = []
        for index, block in enumerate(self.blocks):
            x, pair = block(x, None if past is None else past[index])
            kept.append(pair)
        return self.out(self.last(x)), kept


def answer_log_probability(model: LanguageModel, prompts: Tensor, answers: Tensor) -> Tensor:
    """Log probability of each token of each answer [batch, 7]; 0 where there is padding."""
    logits, _ = model(torch.cat([prompts, answers[:, :-1]], 1))
    scores = logits[:, PROMPT - 1 :].log_softmax(-1).gather(2, answers.unsqueeze(2)).squeeze(2)
    return scores * (answers != PAD)


@torch.no_grad()
def solve_probability(model: LanguageModel, prompts: Tensor, answers: Tensor) -> Tensor:
    """Exact probability that a sample is the right answer [batch]."""
    return answer_log_probability(model, prompts, answers).sum(1).exp()


@torch.no_grad()
def sample(model: LanguageModel, prompts: Tensor, copies: int, draw: torch.Generator) -> Tensor:
    """`copies` answers to each prompt, next to each other [batch * copies, 7], padded after their end."""
    logits, past = model(prompts)
    past = [(k.repeat_interleave(copies, 0), v.repeat_interleave(copies, 0)) for k, v in past]
    odds = logits[:, -1].softmax(-1).repeat_interleave(copies, 0)
    answers = torch.full((len(odds), ANSWER), PAD)
    open_ = torch.ones(len(odds), dtype=torch.bool)
    for place in range(ANSWER):
        token = torch.multinomial(odds, 1, generator=draw).squeeze(1)
        answers[:, place] = torch.where(open_, token, PAD)
        open_ &= token != END
        if place == ANSWER - 1 or not bool(open_.any()):
            break
        logits, past = model(answers[:, place : place + 1], PROMPT + place, past)
        odds = logits[:, 0].softmax(-1)
    return answers
