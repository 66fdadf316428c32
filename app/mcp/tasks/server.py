"""The tabwright server: run tasks in the user's own browser, and ask their documents."""

from typing import Any

from mcp.server import MCPServer
from mcp.server.context import ServerRequestContext
from mcp.server.request_state import RequestStateSecurity

from app.mcp.identity import principal_in
from app.mcp.services import Services
from app.mcp.tasks.arguments import (
    AnswerQuestion,
    Ask,
    ListRecipes,
    OfTask,
    RunRecipe,
    RunTask,
    Search,
)
from app.mcp.tasks.documents import DocumentTools
from app.mcp.tasks.handlers import TaskTools
from app.mcp.tasks.watch import TEXTS
from app.mcp.tools import ACTS, ASKS, READS, STOPS, tool

STATE_S = 900.0  # a question waits five minutes, a call ten
INSTRUCTIONS = (
    "Tabwright runs tasks in the user's own browser, with the user's accounts and after their consent. "
    f"{TEXTS}"
)


def _holder_of(ctx: ServerRequestContext[Any, Any]) -> str:
    """The owner of request state: the key of the message."""
    who = principal_in(ctx.request)
    return f"{who.tenant}/{who.user}/{who.key_id}"


def tabwright_server(made: Services) -> MCPServer:
    tasks, documents = TaskTools(made), DocumentTools(made)
    task, talk = "task_id", "conversation_id"
    return MCPServer(
        "tabwright",
        instructions=INSTRUCTIONS,
        tools=[
            tool(RunTask, tasks.run, "run_task", "Run a task", ACTS, named=task),
            tool(OfTask, tasks.get, "get_task", "Get a task", READS, named=task),
            tool(
                AnswerQuestion,
                tasks.answer,
                "answer_question",
                "Answer a question",
                ACTS,
                named=task,
            ),
            tool(OfTask, tasks.cancel, "cancel_task", "Stop a task", STOPS, named=task),
            tool(ListRecipes, tasks.recipes, "list_recipes", "List recipes", READS),
            tool(RunRecipe, tasks.replay, "run_recipe", "Run a recipe", ACTS, named="recipe_id"),
            tool(Search, documents.search, "search_knowledge", "Search documents", READS),
            tool(Ask, documents.ask, "ask_documents", "Ask documents", ASKS, named=talk),
        ],
        request_state_security=RequestStateSecurity(
            keys=[made.state_secret], ttl=STATE_S, bind_principal=_holder_of
        ),
    )
