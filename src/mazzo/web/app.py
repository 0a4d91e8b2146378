"""The server: pages, data for the pages, cards, and the websocket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from fastapi import FastAPI, Request, WebSocket
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates

from mazzo import __version__
from mazzo.errors import MazzoError, UnreadableError
from mazzo.games import entries
from mazzo.web import lab, replays
from mazzo.web.cards import card_svg
from mazzo.web.guard import Guard
from mazzo.web.hub import Hub, check_person, entry_of, models_here
from mazzo.web.limits import Limits, RefusedError
from mazzo.web.socket import serve_socket
from mazzo.web.table import COACH_MODES, SPEEDS, seating_of
from mazzo.web.texts import catalogue, text

__all__ = ["create_app"]

_HERE = Path(__file__).parent
_REPORT_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def create_app(data: Path, limits: Limits | None = None, names: Iterable[str] = ()) -> FastAPI:
    """The server's application.

    Args:
        data: The folder that keeps the tables.
        limits: What it takes on; by default the usual.
        names: Host names, besides addresses and localhost, under which it may be asked.
    """
    bounds = limits or Limits()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        app.state.hub = Hub(data, bounds)
        yield
        await app.state.hub.close()

    app = FastAPI(title="Mazzo", lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, names=names, body_bytes=bounds.body_bytes)
    app.mount("/static", StaticFiles(directory=_HERE / "static"), name="static")
    templates = Jinja2Templates(_HERE / "templates")
    words = json.dumps(dict(catalogue())).replace("<", "\\u003c")
    templates.env.globals.update(t=text, words=words, version=__version__)
    pages = _Pages(app, templates)
    pages.tables()
    pages.lab()
    pages.replay()
    pages.rest()
    return app


async def _form(request: Request) -> dict[str, str]:
    body = (await request.body()).decode(errors="replace")
    return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=200))


async def _json(request: Request) -> dict[str, Any]:
    try:
        given = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise UnreadableError(text("refused.json")) from None
    if not isinstance(given, dict):
        raise UnreadableError(text("refused.json"))
    return given


class _Pages:
    """The routes, grouped."""

    def __init__(self, app: FastAPI, templates: Jinja2Templates) -> None:
        self.app, self.templates = app, templates
        app.exception_handler(MazzoError)(self._refused)
        app.exception_handler(404)(self._missing)

    def page(self, request: Request, name: str, status: int = 200, **context: Any) -> HTMLResponse:
        """A page from its template."""
        response = self.templates.TemplateResponse(request, f"{name}.html", context, status_code=status)
        response.headers["Cache-Control"] = "no-store"
        return response

    def hub(self) -> Hub:
        """The tables."""
        hub: Hub = self.app.state.hub
        return hub

    async def work(self, function: Callable[..., Any], *given: Any) -> Any:
        """Count somewhere else, so that the tables go on."""
        return await asyncio.get_running_loop().run_in_executor(self.hub().desk, function, *given)

    async def _refused(self, request: Request, wrong: Exception) -> Response:
        status = 404 if isinstance(wrong, RefusedError) and request.method == "GET" else 400
        if request.url.path.startswith("/api/"):
            return JSONResponse({"refused": str(wrong)[:1000]}, status)
        return self.page(request, "problem", status, problem=str(wrong)[:1000])

    async def _missing(self, request: Request, wrong: Exception) -> Response:
        if request.url.path.startswith("/api/"):
            return JSONResponse({"refused": text("refused.page")}, 404)
        return self.page(request, "problem", 404, problem=text("refused.page"))

    def tables(self) -> None:
        """Lobby, new tables, seats."""
        app = self.app

        @app.get("/")
        async def lobby(request: Request) -> HTMLResponse:
            return self.page(request, "lobby", games=[e.NAME for e in entries()], tables=self.hub().listed())

        @app.get("/new/{game}")
        async def new(request: Request, game: str) -> HTMLResponse:
            return self._new_page(request, game, {}, "")

        @app.post("/new/{game}")
        async def create(request: Request, game: str) -> Response:
            given = await _form(request)
            try:
                table = await self.hub().open(game, given)
            except MazzoError as wrong:
                return self._new_page(request, game, given, str(wrong))
            token = table.tokens.get(table.host) if table.host is not None else None
            return RedirectResponse(f"/table/{table.id}/{token}" if token else f"/table/{table.id}", 303)

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
            records = table.records.get(table.seat_of(token), [])
            body = "".join(json.dumps(record) + "\n" for record in records)
            name = f'attachment; filename="{table.name}-{table.id}.jsonl"'
            return PlainTextResponse(body, headers={"Content-Disposition": name, "Cache-Control": "no-store"})

        @app.get("/table/{table_id}/{token}/last")
        async def last(table_id: str, token: str) -> Response:
            table = await self.hub().find(table_id)
            records = table.records.get(table.seat_of(token), [])
            if not records:
                raise RefusedError(text("refused.no_hand_yet"))
            return RedirectResponse(f"/replay/hand?h={replays.packed(records[-1])}", 303)

        @app.get("/join/{table_id}/{invite}")
        async def invited(request: Request, table_id: str, invite: str) -> HTMLResponse:
            table = await self.hub().find(table_id)
            if invite not in table.invites.values():
                raise RefusedError(text("refused.invite"))
            return self.page(request, "join", table=table.id, invite=invite, game=table.name, problem="")

        @app.post("/join/{table_id}/{invite}")
        async def join(request: Request, table_id: str, invite: str) -> Response:
            table = await self.hub().find(table_id)
            name = check_person((await _form(request)).get("name", ""))
            return RedirectResponse(f"/table/{table.id}/{table.claim(invite, name)}", 303)

    def _new_page(self, request: Request, game: str, given: Mapping[str, str], problem: str) -> HTMLResponse:
        seating, entry = seating_of(game), entry_of(game)
        agents = [name for name in entry.AGENTS if name not in ("hero", "clone")]
        return self.page(
            request, "new", 400 if problem else 200, game=game, seating=seating, agents=agents, speeds=list(SPEEDS),
            models=models_here() if game == "holdem" else [], given=given, problem=problem,
        )  # fmt: skip

    def _table_page(self, request: Request, table: Any, token: str, seat: int | None) -> HTMLResponse:
        return self.page(
            request, "table", table=table.id, token=token, game=table.name, deck=table.game.deck,
            advisers=list(seating_of(table.name).advisers), modes=COACH_MODES, seated=seat is not None,
        )  # fmt: skip

    def lab(self) -> None:
        """The lab's pages and what they ask for."""
        app = self.app

        @app.get("/lab")
        async def lab_page(request: Request) -> HTMLResponse:
            return self.page(request, "lab")

        @app.get("/lab/equity")
        async def equity_page(request: Request) -> HTMLResponse:
            return self.page(request, "equity")

        @app.post("/api/equity")
        async def equity(request: Request) -> JSONResponse:
            return JSONResponse(await self.work(lab.equity, await _json(request)))

        @app.get("/lab/blackjack")
        async def chart_page(request: Request) -> HTMLResponse:
            from mazzo.blackjack.seated import RULE_FIELDS

            return self.page(request, "chart", fields=RULE_FIELDS)

        @app.post("/api/blackjack")
        async def chart(request: Request) -> JSONResponse:
            return JSONResponse(await self.work(lab.blackjack_chart, await _json(request)))

        @app.get("/lab/match")
        async def match_page(request: Request) -> HTMLResponse:
            return self.page(request, "match", contests=lab.contests(), models=models_here())

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
            return self.page(request, "models", models=await self.work(lab.models))

        @app.get("/api/model")
        async def model(name: str, tree: int = 0, depth: int = 6) -> JSONResponse:
            return JSONResponse(await self.work(lab.model_tree, name, tree, min(max(depth, 1), 12)))

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
            return JSONResponse(await self.work(replays.advice_at, h, step, adviser))

    def rest(self) -> None:
        """Cards and the websocket."""
        app = self.app

        @app.get("/cards/{deck}/{card}.svg")
        async def card(deck: str, card: str) -> Response:
            picture = card_svg(deck, card)
            return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=86400"})

        @app.websocket("/ws")
        async def socket(websocket: WebSocket) -> None:
            await serve_socket(websocket, self.hub())
