"""The clinic's page and its API, by which a test can check what is stored."""

import asyncio
from pathlib import Path

from fastapi import APIRouter, FastAPI, HTTPException, Request
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, Field

from demo.clinic.patients import Patient, PatientForm, Register, Stats

STATIC = Path(__file__).parent / "static"
SAVE_S = 0.4  # the duration of each change, as over a network
USERNAME, PASSWORD = "demo", "clinic"  # shown on the log-in page

router = APIRouter(prefix="/api")


class Credentials(BaseModel):
    """The fields of the log-in form."""

    username: str
    password: str


class PatientPage(BaseModel):
    """A page of patients; all of them if the request has no size."""

    patients: list[Patient]
    total: int


class Me(BaseModel):
    """Whether someone is signed in."""

    signed_in: bool = Field(serialization_alias="signedIn")


def create_clinic() -> FastAPI:
    app = FastAPI(title="Larkfield Clinic", openapi_url=None)
    app.state.register = Register()
    app.include_router(router)
    app.mount("/static", StaticFiles(directory=STATIC))
    app.add_api_route("/{path:path}", _page, methods=["GET"])
    return app


async def _page(path: str) -> FileResponse:
    """Serve the same file at every address; its script shows the view for the address."""
    if path.startswith("api/"):
        raise HTTPException(404)
    return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})


def _register(request: Request) -> Register:
    register: Register = request.app.state.register
    return register


@router.get("/patients")
async def patients(
    request: Request, q: str = "", page: int = 1, size: int | None = None
) -> PatientPage:
    """Stored patients, newest first."""
    found = _register(request).find(q)
    start = (max(page, 1) - 1) * (size or 0)
    return PatientPage(patients=found[start : start + size] if size else found, total=len(found))


@router.get("/patients/{number}")
async def patient(request: Request, number: int) -> Patient:
    return _found_or_404(_register(request).get(number))


@router.post("/patients", status_code=201)
async def add(request: Request, form: PatientForm) -> Patient:
    await asyncio.sleep(SAVE_S)
    return _register(request).add(form)


@router.put("/patients/{number}")
async def change(request: Request, number: int, form: PatientForm) -> Patient:
    await asyncio.sleep(SAVE_S)
    return _found_or_404(_register(request).change(number, form))


@router.delete("/patients/{number}", status_code=204)
async def remove(request: Request, number: int) -> None:
    await asyncio.sleep(SAVE_S)
    if not _register(request).remove(number):
        raise HTTPException(404, "There is no such patient.")


@router.get("/stats")
async def stats(request: Request) -> Stats:
    return _register(request).stats


@router.post("/reset", status_code=204)
async def reset(request: Request) -> None:
    _register(request).reset()


@router.get("/me")
async def me(request: Request) -> Me:
    return Me(signed_in=_register(request).signed_in)


@router.post("/login")
async def login(request: Request, credentials: Credentials) -> Me:
    if (credentials.username, credentials.password) != (USERNAME, PASSWORD):
        raise HTTPException(401, "That username and password do not match.")
    _register(request).signed_in = True
    return Me(signed_in=True)


@router.post("/logout")
async def logout(request: Request) -> Me:
    _register(request).signed_in = False
    return Me(signed_in=False)


def _found_or_404(patient: Patient | None) -> Patient:
    if patient is None:
        raise HTTPException(404, "There is no such patient.")
    return patient
