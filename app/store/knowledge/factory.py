"""Opens the document storage."""

from app.store.knowledge.documents import MongoDocuments
from app.store.knowledge.files import MongoFiles
from app.store.knowledge.frontiers import MongoFrontiers
from app.store.knowledge.jobs import MongoKnowledgeJobs
from app.store.knowledge.locks import MongoLocks
from app.store.knowledge.port import KnowledgeStore
from app.store.mongo.rows import Database


def open_knowledge_store(database: Database) -> KnowledgeStore:
    return KnowledgeStore(
        documents=MongoDocuments(database),
        jobs=MongoKnowledgeJobs(database),
        frontiers=MongoFrontiers(database),
        files=MongoFiles(database),
        locks=MongoLocks(database),
    )
