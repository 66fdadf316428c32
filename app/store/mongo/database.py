"""The driver's types, named once: motor is past its end of life and will be replaced."""

from typing import Any, TypeAlias

from motor.motor_asyncio import AsyncIOMotorClient, AsyncIOMotorCollection, AsyncIOMotorDatabase

Client: TypeAlias = AsyncIOMotorClient[dict[str, Any]]
Database: TypeAlias = AsyncIOMotorDatabase[dict[str, Any]]
Collection: TypeAlias = AsyncIOMotorCollection[dict[str, Any]]
