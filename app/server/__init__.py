from app.server.supervisor import Patience, Supervisor

__all__ = ["Patience", "Supervisor"]
