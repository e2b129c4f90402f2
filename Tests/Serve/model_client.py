"""A client that uses only the model of the protocol: tables, two opaque strings for each entity, and six requests.

It has no knowledge of the server or of chemistry. `ask` sends a request and returns the response, both as objects.
"""

COLUMNS = {
    "NAVIGATION": "PERM_ID REFCON CATEGORY SUMMARY_HEADER SUMMARY ROOT_LEVEL",
    "ROOT": "PERM_ID REFCON CATEGORY SUMMARY_HEADER SUMMARY CHILDREN ROOT_LEVEL",
    "DRILL": "PERM_ID REFCON CATEGORY SUMMARY_HEADER SUMMARY CHILDREN",
    "DETAIL": "PERM_ID REFCON SUMMARY_HEADER SUMMARY IDENTIFIER IMAGES PROPERTIES",
    "SEARCH": "PERM_ID REFCON CATEGORY SUMMARY_HEADER SUMMARY CHILDREN",
}


class ModelClient:
    def __init__(self, ask, key="request"):
        self.ask_server = ask
        # The descriptions of the protocol use two names for this key.
        self.key = key

    def ask(self, kind, **arguments):
        answer = self.ask_server({self.key: kind, **arguments})
        assert "error" not in answer, answer
        rows = [dict(zip(answer["headers"], row)) for row in answer["rows"]]
        for row in rows:
            missing = set(COLUMNS.get(kind, "KEY VALUE").split()) - set(row)
            assert not missing, (kind, missing)
        return rows

    def start(self):
        """Requests the data that are stored on the device: preferences, categories, and the root data of each."""
        preferences = {row["KEY"]: row["VALUE"] for row in self.ask("CLIENT_PREFS")}
        self.interval = preferences["ROOT_SET_REFRESH_INTERVAL"]
        assert self.interval > 0
        self.domains = preferences["SEARCH_DOMAINS"]
        assert all(set(domain) == {"key", "label"} for domain in self.domains) and self.domains
        self.categories = [row for row in self.ask("NAVIGATION") if row["ROOT_LEVEL"]]
        self.roots = {}
        for category in self.categories:
            rows = self.ask("ROOT", category=category["REFCON"])
            self.roots[category["SUMMARY_HEADER"]] = [row for row in rows if row["ROOT_LEVEL"]]
        return self.roots

    @staticmethod
    def entities(rows):
        return [{"PERM_ID": row["PERM_ID"], "REFCON": row["REFCON"]} for row in rows]

    def drill(self, row):
        """Returns the children of an entity and their children, so that the next tap needs no request."""
        rows = {one["PERM_ID"]: one for one in self.ask("DRILL", entities=self.entities([row]))}
        for child in row["CHILDREN"]:
            assert child in rows, child
            assert all(one in rows for one in rows[child]["CHILDREN"])
        return [rows[child] for child in row["CHILDREN"]]

    def detail(self, rows):
        details = self.ask("DETAIL", entities=self.entities(rows))
        assert [one["PERM_ID"] for one in details] == [row["PERM_ID"] for row in rows]
        for one in details:
            images = one["IMAGES"]
            for image in [images["MARQUEE"], *images["TILED"]]:
                assert image is None or "URL" in image or set(image["DATA"]) == {"BASE64", "FORMAT"}, image
        return details

    def search(self, text, domain=None):
        return self.ask("SEARCH", searchtext=text, searchdomain=domain)
