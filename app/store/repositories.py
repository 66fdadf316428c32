"""All repositories of the store. Each query names its tenant."""

from dataclasses import dataclass

from app.store.conversations import Conversations
from app.store.disk_space import DiskSpace
from app.store.knowledge.documents import MongoDocuments
from app.store.knowledge.jobs import MongoFiles, MongoFrontiers, MongoKnowledgeJobs
from app.store.knowledge.port import KnowledgeStore
from app.store.knowledge.publication import MongoLocks
from app.store.kpis import Kpis
from app.store.mongo.rows import Database
from app.store.people.delegations import Delegations
from app.store.people.keys import Keys, Pairings, Policies, Secrets
from app.store.people.questions import Audit, Hitl
from app.store.people.tenants import Tenants
from app.store.recipes import Choices, Corrections, Recipes
from app.store.reviews.outbox import Effects, Outbox
from app.store.skills import Episodes, Skills
from app.store.tasks.leases import Leases
from app.store.tasks.operations import Ledger, Operations
from app.store.tasks.tasks import Messages, Sessions, TaskActions, Tasks
from app.store.usage import BudgetRows, Usage


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


def open_knowledge_store(database: Database) -> KnowledgeStore:
    return KnowledgeStore(
        documents=MongoDocuments(database),
        jobs=MongoKnowledgeJobs(database),
        frontiers=MongoFrontiers(database),
        files=MongoFiles(database),
        locks=MongoLocks(database),
    )
