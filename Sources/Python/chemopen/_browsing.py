"""A client of the browse protocol."""

from __future__ import annotations

import base64
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any, Iterator, Literal, Mapping, NamedTuple, Optional, Sequence, Union, cast

from ._library import ChemopenError, PathLike

if TYPE_CHECKING:
    from ._requests import Call, Program, Server


class BrowseError(ChemopenError):
    """The server refused a request: it is not valid or not permitted, or someone else has changed the record.

    `response` is the server's response, which can contain the current state.
    """

    def __init__(self, message: str, response: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(message)
        self.response: dict[str, Any] = dict(response or {})


class AccessDenied(BrowseError, PermissionError):
    """The token is missing, not valid, or does not permit the request."""


class ServerUnavailable(BrowseError, ConnectionError):
    """There is no response: the network or the server is down."""


class Property(NamedTuple):
    """A property of an entity."""

    #: The group, such as "data" for the fields of a record.
    group: str
    name: str
    value: str


class Entity:
    """A category, a file, a record or a part of a record, with the requested columns."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        #: The values by column.
        self.values = dict(values)

    def _text(self, column: str) -> str:
        value = self.values.get(column)
        return value if isinstance(value, str) else ""

    @property
    def id(self) -> str:
        """The permanent identifier, `PERM_ID`."""
        return self._text("PERM_ID")

    @property
    def reference(self) -> str:
        """The opaque reference, `REFCON`."""
        return self._text("REFCON")

    @property
    def title(self) -> str:
        """The first line in a list."""
        return self._text("SUMMARY_HEADER")

    @property
    def summary(self) -> str:
        """The second line in a list."""
        return self._text("SUMMARY")

    @property
    def category(self) -> str:
        """The group of the entity."""
        return self._text("CATEGORY")

    @property
    def identifier(self) -> str:
        """The readable name, such as "a.sdf#17"."""
        return self._text("IDENTIFIER")

    @property
    def children(self) -> list[str]:
        """The identifiers of the children."""
        return list(self.values.get("CHILDREN") or [])

    @property
    def properties(self) -> list[Property]:
        """Data fields in file order, then computed values and warnings. Only `details` returns them."""
        return [Property(one["group"], one["name"], one["value"]) for one in self.values.get("PROPERTIES") or []]

    @property
    def picture(self) -> Optional[bytes]:
        """The picture, usually as SVG; None if there is none. Only `details` returns it."""
        image = (self.values.get("IMAGES") or {}).get("MARQUEE") or self.values.get("IMAGES.MARQUEE")
        return base64.b64decode(image["DATA"]["BASE64"]) if image and "DATA" in image else None

    @property
    def _key(self) -> dict[str, str]:
        return {"PERM_ID": self.id, "REFCON": self.reference}

    def __repr__(self) -> str:
        return f"Entity({self.id!r}, {self.title!r})"


class Page(Sequence[Entity]):
    """The rows of a response."""

    def __init__(self, response: Mapping[str, Any]) -> None:
        headers = response.get("headers", [])
        self.rows = [Entity(dict(zip(headers, row))) for row in response.get("rows", [])]
        #: The number of all rows, as far as it is known, and whether it is final.
        self.total = int(response.get("total", len(self.rows)))
        self.complete = bool(response.get("complete", True))
        #: The requested entities that no longer exist, by their `PERM_ID`.
        self.missing: list[str] = list(response.get("missing", []))
        #: A note for the user, such as the reason why there are no hits.
        self.note: Optional[str] = response.get("note")
        #: The token that undoes a change.
        self.undo: Optional[str] = response.get("undo")
        #: The complete response.
        self.response = dict(response)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return self.rows[index]

    def __repr__(self) -> str:
        return f"Page({self.rows!r}, total={self.total})"


class Event(NamedTuple):
    """A change that `follow` returns."""

    kind: Literal["added", "changed", "removed"]
    #: The record or category; in its last state if it was removed.
    entity: Entity
    #: The category of a record, or None if the entity is a category.
    category: Optional[Entity] = None
    #: The previous `PERM_ID`, if a changed entity has a new one.
    previous_id: Optional[str] = None


class BrowseClient:
    """A client of the browse protocol, for a server (`chemopen serve`), a viewer, or local files.

        client = chemopen.BrowseClient("https://chem.example.org")
        for category in client.categories():
            print(category.title)
        for hit in client.search("ascorbic"):
            print(hit.title, hit.summary)

    Without `token`, the client uses the one that `chemopen login` has stored in the keyring, or netrc. Several threads can use
    a client; `cancel` ends their requests.
    """

    def __init__(self, address: str, *, token: Optional[str] = None, timeout: float = 60) -> None:
        from ._requests import Server

        self._place: Union[Server, Program] = Server(address, token, timeout)
        self._calls: set[Call] = set()
        self._lock = threading.Lock()

    @classmethod
    def of_files(cls, *files: PathLike, program: Optional[PathLike] = None) -> BrowseClient:
        """Creates a client for local files, which are read-only. It runs `chemopen browse`; `program` is the path of chemopen."""
        from ._requests import Program

        client = cls.__new__(cls)
        client._place, client._calls, client._lock = Program(files, program), set(), threading.Lock()
        return client

    def close(self) -> None:
        """Cancels all requests and ends the program, if there is one."""
        self.cancel()
        self._place.close()

    def __enter__(self) -> BrowseClient:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    # Requests.

    def cancel(self) -> None:
        """Ends all requests in progress, and iterations over `follow`. They raise `Cancelled`."""
        with self._lock:
            calls = list(self._calls)
        for call in calls:
            call.stop()

    def _begin(self) -> Call:
        from ._requests import Call

        call = Call()
        with self._lock:
            self._calls.add(call)
        return call

    def _end(self, call: Call) -> None:
        with self._lock:
            self._calls.discard(call)

    def send(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Sends any request of the protocol and returns the response. It can be incomplete if `complete` is False.

            answer = client.send({"request": "STATISTICS", "facts": ["mass"]})
        """
        call = self._begin()
        try:
            return self._place.ask(request, call)
        finally:
            self._end(call)

    def _page(
        self, request: str, call: Optional[Call] = None, *, first: Optional[int] = None, **members: Any
    ) -> Page:
        """Sends a request for a table, and repeats it until the rows are complete."""
        own = call or self._begin()
        members["from"] = first
        members = {name: value for name, value in members.items() if value is not None}
        try:
            while True:
                page = Page(self._place.ask({"request": request, **members}, own))
                if page.complete or len(page) >= members.get("count", 1 << 60):
                    return page
                own.wait(0.2)
        finally:
            if call is None:
                self._end(own)

    # Reading.

    def preferences(self) -> dict[str, Any]:
        """Returns the preferences of the server by their key, such as "SEARCH_DOMAINS"."""
        keys = ["ROOT_SET_REFRESH_INTERVAL", "SEARCH_DOMAINS", "READER", "SORT_KEYS", "COLUMNS", "FACTS", "FORMATS"]
        return dict(self.send({"request": "CLIENT_PREFS", "keys": keys, "wait": False})["rows"])

    def categories(self) -> Page:
        """Returns the categories, or the files if there are no categories."""
        return self._page("NAVIGATION")

    def records(
        self, category: Optional[Entity] = None, *, first: int = 0, count: int = 100, columns: Optional[Sequence[str]] = None,
        sort: Optional[str] = None, descending: bool = False, where: Optional[str] = None,
    ) -> Page:
        """Returns a page of the records of a category, or of all categories.

        `columns` are columns such as "SUMMARY" and "PROPERTY:CAS", and `sort` is a key such as "mass" or "field:CAS".
        """
        return self._page(
            "ROOT", category=category and category.reference, columns=columns and list(columns), sort=sort, where=where,
            descending=descending, count=count, first=first)

    def iterate(
        self, category: Optional[Entity] = None, *, columns: Optional[Sequence[str]] = None, sort: Optional[str] = None,
        descending: bool = False, where: Optional[str] = None,
    ) -> Iterator[Entity]:
        """Yields all records of a category, or of all categories, and requests each page when it is needed."""
        first = 0
        while True:
            page = self.records(
                category, first=first, count=200, columns=columns, sort=sort, descending=descending, where=where)
            yield from page.rows
            first += len(page)
            if not page.rows or first >= page.total and page.complete:
                return

    def search(
        self, text: str, *, domain: Optional[str] = None, first: int = 0, count: int = 100,
        columns: Optional[Sequence[str]] = None,
    ) -> Page:
        """Returns a page of the records that contain a text. `domain` is a key such as "formula" or "condition"."""
        return self._page(
            "SEARCH", searchtext=text, searchdomain=domain, columns=columns and list(columns), count=count, first=first)

    def children(self, *entities: Entity) -> Page:
        """Returns the children of entities, and their children."""
        return self._page("DRILL", entities=[entity._key for entity in entities])

    def details(self, *entities: Entity) -> Page:
        """Returns entities with their pictures and properties."""
        return self._page("DETAIL", entities=[entity._key for entity in entities])

    # Changes.

    def change(
        self, record: Entity, *, fields: Optional[Mapping[str, Optional[str]]] = None, title: Optional[str] = None,
        structure: Optional[Sequence[Mapping[str, Any]]] = None, delete: bool = False,
    ) -> Page:
        """Changes a record. All edits are saved, or none.

            saved = client.change(client.search("ascorbic")[0], fields={"BP": "553", "NOTE": None})
            client.undo(saved.undo)

        A field whose value is None is removed. `structure` contains edits of atoms and bonds as the protocol describes them.
        Raises `BrowseError` if someone else has changed the record, or if changes are not permitted.
        """
        edits: list[Mapping[str, Any]] = []
        for name, value in (fields or {}).items():
            edits.append(
                {"op": "unset", "field": name} if value is None else {"op": "set", "field": name, "value": value})
        if title is not None:
            edits.append({"op": "title", "value": title})
        if structure is not None:
            edits.append({"op": "structure", "edits": list(structure)})
        if delete:
            edits.append({"op": "delete"})
        return self._page("CHANGE", entities=[record._key], edits=edits)

    def insert(
        self, file: Entity, title: str = "", *, fields: Optional[Mapping[str, str]] = None,
        structure: Optional[Sequence[Mapping[str, Any]]] = None, at: Optional[int] = None,
    ) -> Page:
        """Adds a record to a file, at the end or with the number `at`."""
        edit: dict[str, Any] = {"op": "insert", "title": title, "structure": list(structure or [])}
        edit["fields"] = [{"name": name, "value": value} for name, value in (fields or {}).items()]
        if at is not None:
            edit["at"] = at
        return self._page("CHANGE", entities=[file._key], edits=[edit])

    def undo(self, token: str) -> Page:
        """Restores the state before a change. `undo` of the result repeats the change."""
        return self._page("CHANGE", undo=token)

    def follow(self, *, interval: Optional[float] = None) -> Iterator[Event]:
        """Returns an iterator over the changes that anyone makes after this call. It has no end; `cancel` ends it.

            for event in client.follow():
                print(event.kind, event.entity.title)

        `interval` is how often to check, in seconds. By default, this is twice a second if the data is on this machine, otherwise
        as often as the server requests. While the server is unavailable, the iterator waits.
        """
        call = self._begin()
        try:
            if interval is None:
                interval = 0.5 if self._place.is_local else max(1.0, float(self.preferences()["ROOT_SET_REFRESH_INTERVAL"]))
            watch = _Watch(self, call)
            watch.look()
        except BaseException:
            self._end(call)
            raise
        return self._followed(watch, call, interval)

    def _followed(self, watch: _Watch, call: Call, interval: float) -> Iterator[Event]:
        try:
            while True:
                call.wait(interval)
                try:
                    yield from watch.look()
                except ServerUnavailable:
                    call.check()
        finally:
            self._end(call)


class _Watch:
    """The last known state of the categories and their records."""

    # Larger categories are compared only as a whole.
    most = 20_000

    def __init__(self, client: BrowseClient, call: Call) -> None:
        self._client, self._call = client, call
        self._categories: dict[str, Entity] = {}
        self._records: dict[str, Optional[dict[str, Entity]]] = {}

    def look(self) -> list[Event]:
        """Compares the server's state with the known one, which it replaces. Returns the changes."""
        answer = self._client._page(
            "NAVIGATION", self._call, changedsince=[one._key for one in self._categories.values()],
            columns=["SUMMARY_HEADER", "SUMMARY"])
        events: list[Event] = []
        for id in answer.missing:
            self._records.pop(id, None)
            gone = self._categories.pop(id, None)
            if gone:
                events.append(Event("removed", gone))
        for category in answer.rows:
            known = self._categories.get(category.id)
            if known and known.reference == category.reference:
                continue
            try:
                now = self._list(category)
            except (AccessDenied, ServerUnavailable):
                raise
            except BrowseError:
                # The category has changed again; the next look repeats this.
                continue
            before = self._records.get(category.id)
            self._categories[category.id], self._records[category.id] = category, now
            if known is None:
                events.append(Event("added", category))
            elif now is None or before is None:
                events.append(Event("changed", category))
            else:
                events += self._differences(before, now, category)
        return events

    def _list(self, category: Entity) -> Optional[dict[str, Entity]]:
        """Returns the records of a category, or None if there are too many."""
        found: dict[str, Entity] = {}
        first = 0
        while True:
            page = self._client._page(
                "ROOT", self._call, category=category.reference, count=1000,
                columns=["SUMMARY_HEADER", "SUMMARY", "IDENTIFIER"], first=first)
            if page.total > self.most:
                return None
            found.update((row.id, row) for row in page.rows)
            first += len(page)
            if not page.rows or first >= page.total:
                return found

    @staticmethod
    def _differences(before: Mapping[str, Entity], now: Mapping[str, Entity], category: Entity) -> list[Event]:
        gone = [entity for id, entity in before.items() if id not in now]
        left = {entity.identifier: entity for entity in gone}
        events: list[Event] = []
        for id, entity in now.items():
            old = before.get(id)
            if old:
                # The rest of the reference is the location, which changes if earlier records grow.
                if old.reference.rpartition(".")[2] != entity.reference.rpartition(".")[2]:
                    events.append(Event("changed", entity, category))
            elif entity.identifier in left:
                events.append(Event("changed", entity, category, left.pop(entity.identifier).id))
            else:
                events.append(Event("added", entity, category))
        return [Event("removed", entity, category) for entity in left.values()] + events
