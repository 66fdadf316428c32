"""The storage of documents, all of it."""

from app.store.knowledge.documents import MongoDocuments
from app.store.knowledge.files import MongoFiles
from app.store.knowledge.frontiers import MongoFrontiers
from app.store.knowledge.jobs import MongoKnowledgeJobs
from app.store.knowledge.locks import MongoLocks
from app.store.knowledge.port import KnowledgeStore
from app.store.mongo.rows import Database


def open_knowledge_store(database: Database) -> KnowledgeStore:
    """The port's implementations on one database."""
    return KnowledgeStore(
        documents=MongoDocuments(database),
        jobs=MongoKnowledgeJobs(database),
        frontiers=MongoFrontiers(database),
        files=MongoFiles(database),
        locks=MongoLocks(database),
    )
