"""All repositories of the store. Each query names its tenant."""

from dataclasses import dataclass

from app.store.conversations import Conversations
from app.store.files.space import DiskSpace
from app.store.knowledge.factory import open_knowledge_store
from app.store.knowledge.port import KnowledgeStore
from app.store.memory.corrections import Choices, Corrections
from app.store.memory.episodes import Episodes
from app.store.memory.recipes import Recipes
from app.store.memory.skills import Skills
from app.store.mongo.rows import Database
from app.store.people.audit import Audit, Ledger
from app.store.people.delegations import Delegations
from app.store.people.keys import Keys
from app.store.people.pairings import Pairings, Secrets
from app.store.people.questions import Hitl
from app.store.people.tenants import Policies, Tenants
from app.store.reviews.outbox import Effects, Outbox
from app.store.tasks.actions import TaskActions
from app.store.tasks.leases import Leases
from app.store.tasks.operations import Operations
from app.store.tasks.sessions import Messages, Sessions
from app.store.tasks.tasks import Tasks
from app.store.usage.kpis import Kpis
from app.store.usage.usage import BudgetRows, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """The repositories, opened together."""

    space: DiskSpace

    tasks: Tasks
    actions: TaskActions
    sessions: Sessions
    messages: Messages
    keys: Keys
    pairings: Pairings
    secrets: Secrets
    operations: Operations
    leases: Leases
    tenants: Tenants
    usage: Usage
    choices: Choices
    corrections: Corrections
    skills: Skills
    episodes: Episodes
    recipes: Recipes
    kpis: Kpis
    hitl: Hitl
    audit: Audit
    ledger: Ledger
    policies: Policies
    budgets: BudgetRows
    knowledge: KnowledgeStore
    conversations: Conversations
    delegations: Delegations
    outbox: Outbox
    effects: Effects


def repositories(database: Database, space: DiskSpace) -> Store:
    """The repositories on one database."""
    return Store(
        space=space,
        tasks=Tasks(database),
        actions=TaskActions(database),
        sessions=Sessions(database),
        messages=Messages(database),
        keys=Keys(database),
        pairings=Pairings(database),
        secrets=Secrets(database),
        operations=Operations(database),
        leases=Leases(database),
        tenants=Tenants(database),
        usage=Usage(database),
        choices=Choices(database),
        corrections=Corrections(database),
        skills=Skills(database),
        episodes=Episodes(database),
        recipes=Recipes(database),
        kpis=Kpis(database),
        hitl=Hitl(database),
        audit=Audit(database),
        ledger=Ledger(database),
        policies=Policies(database),
        budgets=BudgetRows(database),
        knowledge=open_knowledge_store(database),
        conversations=Conversations(database),
        delegations=Delegations(database),
        effects=Effects(database),
        outbox=Outbox(database),
    )
