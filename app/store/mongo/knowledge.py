"""The storage of documents, all of it."""

from app.store.knowledge import KnowledgeStore
from app.store.mongo.database import Database
from app.store.mongo.knowledge_documents import MongoDocuments
from app.store.mongo.knowledge_files import MongoFiles
from app.store.mongo.knowledge_frontiers import MongoFrontiers
from app.store.mongo.knowledge_jobs import MongoKnowledgeJobs
from app.store.mongo.knowledge_locks import MongoLocks


def open_knowledge_store(database: Database) -> KnowledgeStore:
    """The port's implementations on one database."""
    return KnowledgeStore(
        documents=MongoDocuments(database),
        jobs=MongoKnowledgeJobs(database),
        frontiers=MongoFrontiers(database),
        files=MongoFiles(database),
        locks=MongoLocks(database),
    )
