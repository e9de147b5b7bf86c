"""The model provider `reference`: shipped answers played through the real path, with no key and no network."""

from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from kwsuite.datasets.answers import ANSWERS, read_answer
from kwsuite.reference.gated_player import play_gated
from kwsuite.reference.labels_grader import labelled_reply
from kwsuite.reference.loaded_items import find_item
from kwsuite.reference.prompt import read_prompt
from kwsuite.reference.recitation_player import play_recitation

_KEY = "kwsuite"
GRADER = "labels"
"""The name under which the provider answers for the grader."""


class ReferenceAPI(ModelAPI):
    """Plays the answers that items ship, or their labels."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - the signature Inspect calls
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        if model_name not in (*ANSWERS, GRADER):
            raise ValueError(
                f"reference/{model_name} does not exist. As a candidate choose one of "
                f"{', '.join(f'reference/{name}' for name in ANSWERS)}; as the grader reference/{GRADER}."
            )

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Answer a prompt of ours; any other is refused."""
        ids = _ids(input)
        if ids.get("benchmark") == "knowledge_gated":
            output = play_gated(read_prompt(self.model_name, input, tuple(tool.name for tool in tools)))
        elif ids.get("benchmark") == "recitation_probe":
            output = play_recitation(read_prompt(self.model_name, input, ()))
        else:
            output = ModelOutput.from_content(f"reference/{self.model_name}", self._reply(ids, input))
        output.usage = ModelUsage()
        return output

    def _reply(self, ids: dict[str, str], input: list[ChatMessage]) -> str:
        judging = "criterion" in ids
        if judging != (self.model_name == GRADER):
            wanted = "a grader" if judging else "a candidate"
            raise ValueError(f"reference/{self.model_name} was asked to play {wanted}, which it is not.")
        if judging:
            prompt = next(message.text for message in input if (message.metadata or {}).get(_KEY))
            return labelled_reply(ids["item"], ids["criterion"], prompt)
        folder = find_item(ids["item"]).folder
        if folder is None:
            raise ValueError(f"item {ids['item']!r} is a row of a file and ships no answers. Run a real model on it.")
        name = next(answer for answer in ANSWERS if answer == self.model_name)
        return read_answer(folder, name)

    def connection_key(self) -> str:
        """Share one pool: nothing here waits."""
        return "reference"

    def max_connections(self) -> int:
        """Allow many calls at once: they read a file."""
        return 100


@modelapi(name="reference")
def reference() -> type[ModelAPI]:
    """Register the provider: `--model reference/expert` (surface, null, near_miss, cold) and `reference/labels`."""
    return ReferenceAPI


def _ids(input: list[ChatMessage]) -> dict[str, str]:
    for message in input:
        ids = (message.metadata or {}).get(_KEY)
        if isinstance(ids, dict):
            return {str(key): str(value) for key, value in ids.items()}
    raise ValueError(
        "the reference provider plays only prompts of kwsuite's own tasks, and this is none. Run it on a kwsuite task."
    )
