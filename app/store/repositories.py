"""All repositories of the store. Each query names its tenant."""

from app.store.conversations import Conversations
from app.store.disk_space import DiskSpace
from app.store.knowledge import Documents, Files, Frontiers, Jobs, KnowledgeStore, Locks
from app.store.kpis import Kpis
from app.store.mongo.rows import Database
from app.store.people.delegations import Delegations
from app.store.people.keys import Keys, Policies
from app.store.people.pairings import Pairings, Secrets
from app.store.people.questions import Audit, Hitl
from app.store.people.tenants import Tenants
from app.store.recipes import Choices, Corrections, Recipes
from app.store.reviews.outbox import Effects, Outbox
from app.store.skills import Episodes, Skills
from app.store.tasks.leases import Leases
from app.store.tasks.operations import Ledger, Operations
from app.store.tasks.tasks import Messages, Sessions, TaskActions, Tasks
from app.store.usage import BudgetRows, Usage


class Store:
    """The repositories on one database."""

    def __init__(self, database: Database, space: DiskSpace) -> None:
        self.space = space
        self.tasks = Tasks(database)
        self.actions = TaskActions(database)
        self.sessions = Sessions(database)
        self.messages = Messages(database)
        self.keys = Keys(database)
        self.pairings = Pairings(database)
        self.secrets = Secrets(database)
        self.operations = Operations(database)
        self.leases = Leases(database)
        self.tenants = Tenants(database)
        self.usage = Usage(database)
        self.choices = Choices(database)
        self.corrections = Corrections(database)
        self.skills = Skills(database)
        self.episodes = Episodes(database)
        self.recipes = Recipes(database)
        self.kpis = Kpis(database)
        self.hitl = Hitl(database)
        self.audit = Audit(database)
        self.ledger = Ledger(database)
        self.policies = Policies(database)
        self.budgets = BudgetRows(database)
        self.conversations = Conversations(database)
        self.delegations = Delegations(database)
        self.outbox = Outbox(database)
        self.effects = Effects(database)
        self.knowledge = KnowledgeStore(
            documents=Documents(database),
            jobs=Jobs(database),
            frontiers=Frontiers(database),
            files=Files(database),
            locks=Locks(database),
        )
