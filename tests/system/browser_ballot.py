"""The ballot in Chromium's accessibility tree; prints "STATUS DESCRIPTION" for each check, and asks the script
for the page of ranks."""

import sys

sys.path.insert(0, "tests/support")
from browser import BACKSPACE, ENTER, F, TAB, Browser, eventually, result, told, whole  # noqa: E402

work = sys.argv[1]
browser = Browser()


def holds(look, description):
    """Waits until look() is true of the tree."""
    result(bool(eventually(lambda: look(Tree()))), description, lambda: Tree().nodes)


class Tree:
    """What a screen reader gets."""

    def __init__(self):
        nodes = browser.cdp("Accessibility.getFullAXTree")["nodes"]
        self.all = {node["nodeId"]: node for node in nodes}
        self.nodes = [{"role": node["role"]["value"], "name": node.get("name", {}).get("value") or "", "id": node["nodeId"],
                       **{each["name"]: each["value"] for each in node.get("properties", [])}}
                      for node in nodes if not node.get("ignored")]

    def of(self, role):
        return [node for node in self.nodes if node["role"] == role]

    def named(self, role, name):
        return next((node for node in self.of(role) if node["name"] == name), None)

    def text(self, node):
        """All that stands in it."""
        node = self.all[node["id"] if "id" in node else node["nodeId"]]
        if node.get("role", {}).get("value") == "StaticText":
            return node.get("name", {}).get("value", "")
        return "".join(self.text(self.all[child]) for child in node.get("childIds", []) if child in self.all)

    def values(self):
        """What is typed where, but for the field that takes all keys."""
        return {node["name"]: self.text(node) for node in self.of("textbox") if not node.get("focused")}

    def chosen(self):
        return [node["name"] for node in self.of("radio") if node["checked"]["value"] == "true"]

    def typed_into(self):
        """The name of what the one field with the focus says that it stands for."""
        field = next(node for node in self.of("textbox") if node.get("focused"))
        active = field.get("activedescendant")
        if not active:
            return field["name"]
        name = browser.run("return document.getElementById(arguments[0]).getAttribute('aria-label')",
                           active["relatedNodes"][0]["idref"])
        return f"{field['name']}: {name}"

    def says(self, words):
        """In a live region."""
        return any(words in self.text(node) for node in self.of("status"))


def open_page(name):
    browser.tab()
    with open(f"{work}/{name}/judge.url", encoding="ascii") as url:
        browser.open(url.read().strip())
    browser.cdp("Accessibility.enable")


def choice():
    open_page("choice")
    result(browser.says(".label", "open"), "the lines are open")
    bare = Tree().typed_into()
    browser.type(F[3])
    question = "Which of the two is the human? Press L or R."
    holds(lambda tree: tree.named("region", "Your ballot") and tree.named("radiogroup", question),
          "the ballot is a region, its question that of a group")
    before = Tree()
    result([node["name"] for node in before.of("radio")] == ["LEFT is the human", "RIGHT is the human"],
           "of two radio buttons, by their sides", before.of("radio"))
    result([node["keyshortcuts"]["value"] for node in before.of("radio")] == ["L", "R"], "with their keys", before.of("radio"))
    result(before.chosen() == [], "none of them is chosen")
    result(before.says("NOT GIVEN YET"), "a live region says how it stands")
    browser.type("l")
    holds(lambda tree: tree.chosen() == ["LEFT is the human"], "L chooses")
    result(Tree().typed_into() == "Your ballot: LEFT is the human", "and it is what one stands at", Tree().typed_into)
    browser.type("r")
    holds(lambda tree: tree.chosen() == ["RIGHT is the human"], "R chooses the other")
    browser.type(TAB + "a word")
    holds(lambda tree: tree.values() == {"Notes": "a word"}, "Tab goes to the notes")
    result(Tree().typed_into() == "Your ballot: Notes", "which are what one stands at", Tree().typed_into)
    browser.type(ENTER)
    holds(lambda tree: tree.says(": RIGHT is the human"), "Return gives it, and that is announced")
    result([node["id"] for node in Tree().of("radio")] == [node["id"] for node in before.of("radio")],
           "all the while it has been the same two buttons")
    browser.type(F[3])
    holds(lambda tree: not tree.named("region", "Your ballot") and tree.typed_into() == bare, "F3 puts it away")
    browser.type(F[10])
    browser.says("#dialog", "To leave")
    browser.type("leave" + ENTER)


def rating():
    open_page("rating")
    result(browser.says(".label", "open"), "the line is open")
    browser.type(F[3])
    holds(lambda tree: tree.typed_into() == "Your ballot: Your rating", "a rating is a field with its name")
    browser.type("6")
    holds(lambda tree: tree.says("from 0 to 5"), "what it cannot be is announced")
    browser.type("3.25")
    holds(lambda tree: tree.values() == {"Your rating": "3.25", "Notes": ""}, "what is typed stands in it")
    browser.type(ENTER)
    holds(lambda tree: tree.says(": 3.25"), "and is given")


def asked():
    open_page("asked")
    result(browser.says(".label", "open"), "these lines are open")
    browser.type(F[3] + "l" + TAB)
    number, text = "confidence, 0 to 100", "reason"
    holds(lambda tree: tree.typed_into() == f"Your ballot: {number}", "Tab goes to the first other field")
    browser.type("101")
    holds(lambda tree: tree.says("Expected a whole number from 0 to 100."), "what it does not take is announced")
    browser.type(BACKSPACE + BACKSPACE + "80" + ENTER)
    holds(lambda tree: tree.says("reason: expected a text of one line"), "so is what is missing")
    browser.type('said "aye"' + TAB + "n")  # the refusal has turned to its field
    holds(lambda tree: tree.values() == {number: "80", text: 'said "aye"', "Notes": "n"}, "each stands in its own field")
    result(Tree().chosen() == ["LEFT is the human"], "beside the choice", Tree().chosen)
    browser.type(ENTER)
    holds(lambda tree: tree.says(": LEFT is the human"), "and all are given")


def rank():
    told("rank")
    open_page("rank")
    field = "choice, LEFT, rank"
    holds(lambda tree: tree.named("region", "Your ranks") and tree.typed_into() == f"Your ranks: {field}",
          "a rank is a field with the name of whom it is for")
    browser.type("1")
    holds(lambda tree: tree.values().get(field) == "1", "the rank stands in it")
    browser.type(ENTER)
    holds(lambda tree: tree.says("GIVEN ") and not tree.says("NOT GIVEN"), "and is given")


with whole("the ballots' test", browser):
    choice()
    rating()
    asked()
    rank()
