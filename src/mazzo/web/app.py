"""The server: pages, data for the pages, cards, and the websocket."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from contextvars import copy_context
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from fastapi import FastAPI, Request, WebSocket
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates

from mazzo.errors import IllegalError, MazzoError, UnreadableError
from mazzo.extras import missing_part
from mazzo.games import entries, find_entry
from mazzo.reports.cards import card_svg
from mazzo.seated import Advice, Frame
from mazzo.version import __version__
from mazzo.web import lab, replays, trees
from mazzo.web.adviser import AdviserError
from mazzo.web.allowed import Allowed
from mazzo.web.coaching import COACH_MODES
from mazzo.web.company import THINKING, WATCHING
from mazzo.web.games import PAGES
from mazzo.web.guard import Guard
from mazzo.web.hub import Hub, check_person
from mazzo.web.languages import LANGUAGE_COOKIE, Interpreter
from mazzo.web.limits import Limits, RefusedError
from mazzo.web.live import SPEEDS, LiveTable
from mazzo.web.menu import USUAL_SEATS, agents_for, menu
from mazzo.web.socket import serve_socket
from mazzo.words.texts import LANGUAGES, catalogue, spoken_language, text

__all__ = ["Pages", "create_app"]

_HERE = Path(__file__).parent
_MOST_FIELDS = 400
"""Of a form: a table of ten agents with all their parameters has fewer."""
_REPORT_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def create_app(
    data: Path,
    limits: Limits | None = None,
    names: Iterable[str] = (),
    allowed: Allowed | None = None,
    addresses: Sequence[str] = (),
) -> FastAPI:
    """The server's application.

    Args:
        data: The folder that keeps the tables.
        limits: What it takes on; by default the usual.
        names: Host names, besides addresses and localhost, under which it may be asked.
        allowed: Who may be seated from a browser; by default agents that say so and models of the working directory.
        addresses: Where other machines reach it (`http://192.168.1.7:8765`), for invitations.
    """
    bounds = limits or Limits()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        app.state.hub = Hub(data, bounds, allowed or Allowed())
        yield
        await app.state.hub.close()

    app = FastAPI(title="Mazzo", lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, names=names, body_bytes=bounds.body_bytes)
    app.add_middleware(Interpreter)  # the guard's refusals too
    app.mount("/static", StaticFiles(directory=_HERE / "static"), name="static")
    templates = Jinja2Templates(_HERE / "templates")
    templates.env.globals.update(t=text, version=__version__, languages=LANGUAGES)
    pages = Pages(app, templates, addresses)
    pages.tables()
    pages.seats()
    pages.invitations()
    pages.lab()
    pages.replay()
    pages.rest()
    return app


async def _form(request: Request) -> dict[str, str]:
    body = (await request.body()).decode(errors="replace")
    try:
        return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError:
        raise UnreadableError(text("refused.form", {"most": _MOST_FIELDS})) from None


async def _json(request: Request) -> dict[str, Any]:
    try:
        given = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise UnreadableError(text("refused.json")) from None
    if not isinstance(given, dict):
        raise UnreadableError(text("refused.json"))
    return given


def _is_path(back: str) -> bool:
    """Whether somebody is sent to a page of this server, and not to one that a form of another's making names."""
    return back.startswith("/") and not back.startswith(("//", "/\\")) and back.isprintable() and len(back) < 4000


def _being_prepared() -> list[str]:
    """The kernels that a table is waiting for; nothing is loaded to find out."""
    jit = sys.modules.get("mazzo.jit")
    return [] if jit is None else list(jit.being_prepared())


class Pages:
    """The routes, grouped; games add their own (`mazzo.web.games`)."""

    def __init__(self, app: FastAPI, templates: Jinja2Templates, addresses: Sequence[str] = ()) -> None:
        self.app, self.templates, self.addresses = app, templates, tuple(addresses)
        app.exception_handler(MazzoError)(self._refused)
        app.exception_handler(ModuleNotFoundError)(self._not_installed)
        app.exception_handler(404)(self._missing)

    def page(self, request: Request, name: str, status: int = 200, **context: Any) -> HTMLResponse:
        """A page from its template, in the language of who asks."""
        words = json.dumps(dict(catalogue())).replace("<", "\\u003c")
        context |= {"words": words, "language": spoken_language()}
        response = self.templates.TemplateResponse(request, f"{name}.html", context, status_code=status)
        response.headers["Cache-Control"] = "no-store"
        return response

    def hub(self) -> Hub:
        """The tables."""
        hub: Hub = self.app.state.hub
        return hub

    json = staticmethod(_json)
    """What a page sent."""

    async def work(self, function: Callable[..., Any], *given: Any) -> Any:
        """Count somewhere else, so that the tables go on."""
        here = copy_context()  # the language too
        return await asyncio.get_running_loop().run_in_executor(self.hub().desk, here.run, function, *given)

    async def _advice(self, frame: Frame, adviser: str) -> Advice:
        """What an adviser thinks of a moment of a replay; all replays together have a table's share."""
        assert frame.question is not None  # asked before
        try:
            return await self.hub().workers.advise("replays", frame.question, adviser, frame.action)
        except AdviserError as error:
            raise IllegalError(text("coach.failed", {"what": str(error)})) from None

    async def _refused(self, request: Request, wrong: Exception) -> Response:
        status = 404 if isinstance(wrong, RefusedError) and request.method == "GET" else 400
        if request.url.path.startswith("/api/"):
            return JSONResponse({"refused": str(wrong)[:1000]}, status)
        return self.page(request, "problem", status, problem=str(wrong)[:1000])

    async def _not_installed(self, request: Request, wrong: Exception) -> Response:
        missing = missing_part(wrong) if isinstance(wrong, ModuleNotFoundError) else None
        if missing is None:
            raise wrong
        return await self._refused(request, missing)

    async def _missing(self, request: Request, wrong: Exception) -> Response:
        if request.url.path.startswith("/api/"):
            return JSONResponse({"refused": text("refused.page")}, 404)
        return self.page(request, "problem", 404, problem=text("refused.page"))

    def tables(self) -> None:
        """Lobby, new tables."""
        app = self.app

        @app.get("/")
        async def lobby(request: Request) -> HTMLResponse:
            return self.page(request, "lobby", games=[e.NAME for e in entries()], tables=self.hub().listed())

        @app.get("/api/preparing")
        async def preparing() -> JSONResponse:
            return JSONResponse({"preparing": _being_prepared()})

        @app.get("/api/agents/{game}")
        async def agents(request: Request, game: str) -> JSONResponse:
            return JSONResponse(await self.work(agents_for, self.hub().allowed, game, dict(request.query_params)))

        @app.get("/new/{game}")
        async def new(request: Request, game: str) -> HTMLResponse:
            return self._new_page(request, game, {}, "")

        @app.post("/new/{game}")
        async def create(request: Request, game: str) -> Response:
            given = await _form(request)
            try:
                table = await self.hub().open(game, given)
            except MazzoError as error:
                return self._new_page(request, game, given, str(error))
            token = table.tokens.get(table.host) if table.host is not None else None
            return RedirectResponse(f"/table/{table.id}/{token}" if token else f"/table/{table.id}", 303)

    def seats(self) -> None:
        """What a seat, or one who watches, sees of a table: its page, hands, and the seals of its decks."""
        app = self.app

        @app.get("/table/{table_id}")
        async def watch(request: Request, table_id: str) -> HTMLResponse:
            table = await self.hub().find(table_id)
            return self._table_page(request, table, "", None)

        @app.get("/table/{table_id}/{token}")
        async def seat(request: Request, table_id: str, token: str) -> HTMLResponse:
            table = await self.hub().find(table_id)
            return self._table_page(request, table, token, table.seat_of(token))

        @app.get("/table/{table_id}/{token}/hands")
        async def hands(table_id: str, token: str) -> Response:
            table = await self.hub().find(table_id)
            records = table.sitting.records.get(table.seat_of(token), ())
            body = "".join(json.dumps(record) + "\n" for record in records)
            name = f'attachment; filename="{table.name}-{table.id}.jsonl"'
            return PlainTextResponse(body, headers={"Content-Disposition": name, "Cache-Control": "no-store"})

        @app.get("/table/{table_id}/{token}/last")
        async def last(table_id: str, token: str) -> Response:
            table = await self.hub().find(table_id)
            records = table.sitting.records.get(table.seat_of(token), ())
            if not records:
                raise RefusedError(text("refused.no_hand_yet"))
            return RedirectResponse(f"/replay/hand?h={replays.packed(records[-1])}", 303)

        @app.get("/table/{table_id}/deal/{number}")
        async def seen_deal(table_id: str, number: int) -> Response:
            return self._proof(await self.hub().find(table_id), None, number)

        @app.get("/table/{table_id}/{token}/deal/{number}")
        async def deal(table_id: str, token: str, number: int) -> Response:
            table = await self.hub().find(table_id)
            return self._proof(table, table.seat_of(token), number)

    def invitations(self) -> None:
        """Who is invited takes a seat."""
        app = self.app

        @app.get("/join/{table_id}/{invite}")
        async def invited(request: Request, table_id: str, invite: str) -> HTMLResponse:
            table = await self.hub().find(table_id)
            if invite not in table.invites.values():
                raise RefusedError(text("refused.invite"))
            seal = table.deal(None)["seal"] if table.game.decks is not None else ""
            return self.page(request, "join", table=table.id, invite=invite, game=table.name, problem="", seal=seal)

        @app.post("/join/{table_id}/{invite}")
        async def join(request: Request, table_id: str, invite: str) -> Response:
            table = await self.hub().find(table_id)
            name = check_person((await _form(request)).get("name", ""))
            return RedirectResponse(f"/table/{table.id}/{table.claim(invite, name)}", 303)

    def _proof(self, table: LiveTable, seat: int | None, number: int) -> Response:
        """A file with which `mazzo verify-deal` checks a deck, as far as this seat may know it."""
        proof = table.proof(seat, number)
        if proof is None:
            raise RefusedError(text("refused.deal"))
        name = f'attachment; filename="deal-{table.id}-{number}.json"'
        return JSONResponse(proof, headers={"Content-Disposition": name, "Cache-Control": "no-store"})

    def _new_page(self, request: Request, game: str, given: Mapping[str, str], problem: str) -> HTMLResponse:
        seating = find_entry(game).seating()
        return self.page(
            request,
            "new",
            400 if problem else 200,
            game=game,
            seating=seating,
            **menu(self.hub().allowed, game, given),
            speeds=list(SPEEDS),
            thinking=THINKING,
            watching=WATCHING,
            given=given,
            chosen={key: value for key, value in given.items() if key.startswith("p") and "." in key},
            usual_seats=USUAL_SEATS,
            problem=problem,
        )

    def _table_page(self, request: Request, table: Any, token: str, seat: int | None) -> HTMLResponse:
        return self.page(
            request,
            "table",
            table=table.id,
            token=token,
            game=table.name,
            deck=table.game.deck,
            advisers=list(table.sitting.advisers),
            modes=COACH_MODES,
            seated=seat is not None,
            addresses=self.addresses if seat is not None and seat == table.host else (),
        )

    def lab(self) -> None:
        """The lab's pages and what they ask for."""
        app = self.app
        for add_pages in PAGES.values():
            add_pages(self)

        @app.get("/lab")
        async def lab_page(request: Request) -> HTMLResponse:
            return self.page(request, "lab")

        @app.get("/lab/match")
        async def match_page(request: Request) -> HTMLResponse:
            return self.page(
                request, "match", contests=lab.contests(self.hub().allowed), models=self.hub().allowed.every_file()
            )

        @app.get("/lab/studies")
        async def studies_page(request: Request) -> HTMLResponse:
            found = await self.work(lab.studies)
            return self.page(request, "studies", studies=found, reports=lab.reports())

        @app.get("/lab/report/{name}")
        async def report(name: str) -> Response:
            if name not in lab.reports():
                raise RefusedError(text("refused.page"))
            policy = {"Content-Security-Policy": _REPORT_POLICY}
            return HTMLResponse(Path(name).read_bytes(), headers=policy)

        @app.get("/lab/models")
        async def models_page(request: Request) -> HTMLResponse:
            return self.page(request, "models", models=await self.work(trees.models, self.hub().allowed))

        @app.get("/api/model")
        async def model(name: str, tree: int = 0, depth: int = 6) -> JSONResponse:
            return JSONResponse(
                await self.work(trees.model_tree, self.hub().allowed, name, tree, min(max(depth, 1), 12))
            )

    def replay(self) -> None:
        """Replays."""
        app = self.app

        @app.get("/replay")
        async def replay_page(request: Request) -> HTMLResponse:
            return self.page(request, "replay", files=replays.files_here())

        @app.get("/api/hands")
        async def hands_of_file(file: str, start: int = 0) -> JSONResponse:
            return JSONResponse(await self.work(replays.hands_of_file, file, max(start, 0)))

        @app.post("/api/hands")
        async def hands_of_text(request: Request, start: int = 0) -> JSONResponse:
            return JSONResponse(await self.work(replays.hands_of_text, await request.body(), max(start, 0)))

        @app.get("/replay/hand")
        async def hand_page(request: Request, h: str) -> HTMLResponse:
            found = await self.work(replays.frames_of, h)
            data = json.dumps({"link": h, **found}).replace("<", "\\u003c")
            return self.page(request, "hand", hand=data, advisers=found["advisers"])

        @app.get("/api/advice")
        async def advice(h: str, step: int, adviser: str) -> JSONResponse:
            frame = await self.work(replays.decision_at, h, step, adviser)
            return JSONResponse(replays.advised(frame, await self._advice(frame, adviser), adviser))

    def rest(self) -> None:
        """Cards, the choice of a language, and the websocket."""
        app = self.app

        @app.post("/language/{language}")
        async def choose(request: Request, language: str) -> Response:
            if language not in LANGUAGES:
                raise RefusedError(text("refused.page"))
            back = (await _form(request)).get("back", "/")
            answer = RedirectResponse(back if _is_path(back) else "/", 303)
            answer.set_cookie(LANGUAGE_COOKIE, language, max_age=365 * 86400, samesite="strict", httponly=True)
            return answer

        @app.get("/cards/{deck}/{card}.svg")
        async def card(deck: str, card: str) -> Response:
            picture = card_svg(deck, card)
            return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=86400"})

        @app.websocket("/ws")
        async def socket(websocket: WebSocket) -> None:
            await serve_socket(websocket, self.hub())
