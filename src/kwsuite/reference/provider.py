"""The model provider `reference`: what items ship, played through the real path with no key and no network."""

from collections.abc import Callable
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from kwsuite.datasets.answers import ANSWERS
from kwsuite.datasets.gated_sample import BENCHMARK as KNOWLEDGE_GATED
from kwsuite.datasets.recitation_sample import RECITATION
from kwsuite.datasets.spotting_sample import BENCHMARK as PROBLEM_SPOTTING
from kwsuite.datasets.world_sample import BENCHMARK as IMPLICIT_WORLDS
from kwsuite.reference.gated_player import play_gated
from kwsuite.reference.kwbench_player import play_kwbench
from kwsuite.reference.names import ENGINE, GRADER
from kwsuite.reference.prompt import ReferencePrompt, read_prompt
from kwsuite.reference.recitation_player import play_recitation
from kwsuite.reference.spotting_player import play_spotting
from kwsuite.reference.worlds_player import play_world

PLAYERS: dict[str, Callable[[ReferencePrompt], ModelOutput]] = {
    "kwbench": play_kwbench,
    IMPLICIT_WORLDS: play_world,
    PROBLEM_SPOTTING: play_spotting,
    KNOWLEDGE_GATED: play_gated,
    RECITATION: play_recitation,
}
"""For each benchmark, what answers its prompts; each refuses a part that it does not know."""


class ReferenceAPI(ModelAPI):
    """Plays the answers that items ship, or their labels, or their world."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - the signature Inspect calls
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        if model_name not in (*ANSWERS, GRADER, ENGINE):
            raise ValueError(
                f"reference/{model_name} does not exist. As a candidate choose one of "
                f"{', '.join(f'reference/{name}' for name in ANSWERS)}; as the grader reference/{GRADER}; "
                f"as the world reference/{ENGINE}."
            )

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Answer a prompt of ours; any other is refused."""
        prompt = read_prompt(self.model_name, input, tuple(tool.name for tool in tools))
        player = PLAYERS.get(prompt.ids.get("benchmark", ""))
        if player is None:
            raise ValueError(f"the reference provider does not play {prompt.ids.get('benchmark')!r}.")
        output = player(prompt)
        output.usage = ModelUsage()
        return output

    def connection_key(self) -> str:
        """Share one pool: nothing here waits."""
        return "reference"

    def max_connections(self) -> int:
        """Allow many calls at once: they read a file."""
        return 100


@modelapi(name="reference")
def reference() -> type[ModelAPI]:
    """Register the provider: `reference/expert` (surface, null, ...), `reference/labels`, `reference/engine`."""
    return ReferenceAPI
