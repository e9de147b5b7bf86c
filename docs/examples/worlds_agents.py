"""Other agents in simulated worlds; docs/implicit_worlds.md explains them.

inspect eval kwsuite/implicit_worlds --model PROVIDER/MODEL --solver docs/examples/worlds_agents.py@planner
"""

from inspect_ai.agent import Agent, AgentState, BridgedToolsSpec, agent, react, sandbox_agent_bridge
from inspect_ai.util import sandbox

from kwsuite.solvers.world_tools import world_tools


@agent
def planner() -> Agent:
    """A ReAct agent with a prompt of its own; `world_tools()` finds the tools of whichever scenario is running."""
    return react(prompt="List what could go wrong, look at it, then act.", tools=[world_tools()], submit=False)


@agent
def command_line_agent(command: str = "my-agent") -> Agent:
    """A program inside a sandbox. The world stays on the host; the program reaches its tools by MCP.

    Args:
        command: The program. It is given the request on its standard input and the address of the tools as `--mcp`.
    """

    async def execute(state: AgentState) -> AgentState:
        world = BridgedToolsSpec(name="world", tools=await world_tools().tools())
        async with sandbox_agent_bridge(state, bridged_tools=[world]) as bridge:
            server = bridge.mcp_server_configs[0]
            done = await sandbox().exec(
                [command, "--mcp", str(server.url)],
                input=state.messages[-1].text,
                env={"OPENAI_BASE_URL": f"http://localhost:{bridge.port}/v1", "OPENAI_API_KEY": "none"},
            )
            if not done.success:
                raise RuntimeError(f"{command} ended with code {done.returncode}: {done.stderr}")
            return bridge.state

    return execute
