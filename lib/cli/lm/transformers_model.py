"""The same tiny language model as transformers and TRL know one, with its very weights, and its words.

Owns: a causal model without a cache, since a sequence has 16 tokens at most, and a tokenizer whose numbers are the world's.
Must never know: rewards, who trains it. Invariant: prompts are 9 tokens long, padding inside them included, so that
nothing is ever padded on the left and the model's own positions hold.
"""

from typing import Any, List, Optional

from model import LanguageModel
from tokenizers import Tokenizer, models, pre_tokenizers
from torch import Tensor, nn
from transformers import GenerationMixin, PreTrainedConfig, PreTrainedModel, PreTrainedTokenizerFast
from transformers.modeling_outputs import BaseModelOutput, CausalLMOutput
from world import CALL_TOKEN, END, GO, LENGTH_TOKEN, LENGTHS, PAD, REQUESTS, SKILLS, VOCABULARY

SPECIAL = {PAD: "<pad>", GO: "<go>", END: "<end>"}


class TinyConfig(PreTrainedConfig):
    model_type = "envsched-tiny"

    def __init__(self, **more: Any) -> None:
        super().__init__(**{"pad_token_id": PAD, "bos_token_id": GO, "eos_token_id": END, **more})
        self.vocab_size = VOCABULARY


class Backbone(nn.Module):
    """All but the last layer."""

    def __init__(self, language: LanguageModel) -> None:
        super().__init__()
        self.language = language

    def forward(self, input_ids: Tensor, attention_mask: Optional[Tensor] = None, **_: Any) -> BaseModelOutput:
        """input_ids [batch, length]; last_hidden_state [batch, length, width]."""
        if attention_mask is not None and not bool(attention_mask[:, 0].all()):
            raise ValueError("a prompt is shorter than the others: its positions would be wrong")
        language = self.language
        x = language.token(input_ids) + language.position.weight[: input_ids.shape[1]]
        for block in language.blocks:
            x, _kept = block(x, None)
        return BaseModelOutput(last_hidden_state=language.last(x))


class TinyForCausalLM(PreTrainedModel, GenerationMixin):
    config_class = TinyConfig
    base_model_prefix = "model"
    main_input_name = "input_ids"

    def __init__(self, config: TinyConfig, language: Optional[LanguageModel] = None) -> None:
        super().__init__(config)
        self.model = Backbone(language or LanguageModel())
        self.generation_config.use_cache = False

    def _init_weights(self, module: nn.Module) -> None:
        """The weights are the base model's."""

    def get_input_embeddings(self) -> nn.Module:
        return self.model.language.token

    def get_output_embeddings(self) -> nn.Module:
        return self.model.language.out

    def prepare_inputs_for_generation(self, input_ids: Tensor, attention_mask: Optional[Tensor] = None, **_: Any) -> Any:
        return {"input_ids": input_ids, "attention_mask": attention_mask}

    def forward(self, input_ids: Tensor, attention_mask: Optional[Tensor] = None, **_: Any) -> CausalLMOutput:
        hidden = self.model(input_ids, attention_mask).last_hidden_state
        return CausalLMOutput(logits=self.get_output_embeddings()(hidden))


def words() -> List[str]:
    """By token number."""
    by_number = dict(SPECIAL)
    by_number.update({3 + skill: f"skill-{skill + 1:02d}" for skill in range(SKILLS)})
    by_number.update({LENGTH_TOKEN + place: f"length-{place}" for place in range(len(LENGTHS))})
    by_number.update({CALL_TOKEN - len(REQUESTS) + n: request for n, request in enumerate(REQUESTS)})
    by_number.update({CALL_TOKEN + n: f"call-{request}" for n, request in enumerate(REQUESTS)})
    return [by_number[number] for number in range(VOCABULARY)]


def tokenizer() -> PreTrainedTokenizerFast:
    made = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words())}, unk_token=SPECIAL[PAD]))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    special = {"pad_token": SPECIAL[PAD], "bos_token": SPECIAL[GO], "eos_token": SPECIAL[END]}
    return PreTrainedTokenizerFast(tokenizer_object=made, padding_side="left", **special)
