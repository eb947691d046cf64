"use strict";
/* Draws what the desk says, and sends the acts that are clicked. It decides nothing: the tiles and
 * their faults are the desk's, an act is a command of boothlink. Text is only ever put into text
 * nodes. door.js connects it. */
const $ = (id) => document.getElementById(id);
const OFF = "The desk does not answer. Booths go on without it. Start it again: boothlink desk FILE";
const STRANGER = "Another program answers in the desk's place, and is told nothing. Open the address that the " +
    "desk has said.";
const STATES = { good: "All is well", one: "1 booth needs you", more: " booths need you" };

const WHY = { name: "why", label: "Reason, for the record", needed: true };
/* Title, explanation, words behind FILE, options. */
const ACTS = {
    begin: { title: "Begin a round", text: "From then on its sessions stay as they are scheduled.",
        words: [{ name: "round", label: "Round", needed: true }],
        options: [{ name: "why", label: "Reason, where fewer are there than the rules ask for" }] },
    collect: { title: "Take in the records", text: "All that has come to the desk, with every check. As often as you like.",
        words: [], options: [] },
    tickets: { title: "Write the tickets", text: "For the rounds to come: machines with a courier get them from the desk, sticks from their folders.",
        words: [], options: [] },
    schedule: { title: "Make the schedule", text: "Of the rounds that have not begun.", words: [], options: [] },
    repeat: { title: "Hold a session again", text: "The same people meet once more. What the spoiled session left is kept.",
        words: [{ name: "session", label: "Session", needed: true }],
        options: [{ name: "further", label: "It was not spoiled: one more opportunity", check: true }, WHY] },
    exclude: { title: "Exclude a session", text: "It counts for nothing. Nothing is deleted.",
        words: [{ name: "session", label: "Session", needed: true }], options: [WHY] },
    substitute: { title: "Somebody else takes the place", text: "From the next round on.",
        words: [{ name: "who", label: "Place", needed: true }, { name: "name", label: "Name of the substitute", needed: true }],
        options: [{ name: "now", label: "In the round that has begun, too", check: true },
            { name: "unknown", label: "A confederate: no judge knows him or her", check: true },
            { name: "family", label: "Family and immediate associates, with commas" }, WHY] },
    withdraw: { title: "Leaves the contest", text: "Rounds that have begun stay as they were.",
        words: [{ name: "who", label: "Who", needed: true }], options: [WHY] },
    limit: { title: "Limit what a confederate communicates", text: "It comes with his next ticket.",
        words: [{ name: "who", label: "Confederate", needed: true }],
        options: [{ name: "text", label: "What the confederate is told", needed: true }, WHY] },
    machine: { title: "Confirm a judge's machine", text: "By the words on its board.",
        words: [{ name: "place", label: "Place, as booth-1-judge", needed: true }, { name: "words", label: "Its words", needed: true }],
        options: [] },
    settle: { title: "Settle a ballot", text: "The file of that number counts.",
        words: [{ name: "session", label: "Session", needed: true }, { name: "file", label: "Number of the file", needed: true }],
        options: [WHY] },
    undo: { title: "Take an act back", text: "Both acts stay on the record.",
        words: [{ name: "what", label: "Act", needed: true, choices: ["begin", "withdraw", "limit", "exclude", "ballot"] },
            { name: "who", label: "Of whom, or of which session (not for begin)" }],
        options: [WHY] },
};
const TYPED = (word) => ({ name: "typed", label: "It is not taken back. Type: " + word, needed: true, pattern: word });
Object.assign(ACTS, {
    seal: { title: "Seal", text: "Of a round: its ballots stay as they are. Of the contest: it is over.",
        words: [{ name: "round", label: "Round (nothing: the contest)" }],
        options: [{ name: "why", label: "Reason, where something is missing" }], typed: TYPED("seal") },
    transcripts: { title: "Write the transcripts", text: "Into the folder transcripts, for a person to read: what may not be published is marked there.",
        words: [], options: [] },
    publish: { title: "Publish", text: "What the rules let be known: into the folder published, from the transcripts as they are now; under rules that publish no names into the folder bundle, without names.",
        words: [], options: [], typed: TYPED("publish") },
    report: { title: "Write the report", text: "report.html, with links to what was published; under rules that publish no names it is for the manager alone.", words: [], options: [] },
    result: { title: "Say the result", text: "Who wins, each step with its rule.", words: [], options: [] },
    verify: { title: "Verify", text: "The contest against its records and what was published.", words: [], options: [] },
});
const BUTTONS = ["begin", "collect", "tickets", "schedule", "machine", "settle", "undo"];
const CLOSERS = ["seal", "transcripts", "publish", "report", "result", "verify"];

let told = null;
let announced = new Set(); /* faults that were said to a screen reader */
let asked = null; /* the act in the dialog: {verb, inputs} */

function make(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
}

function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

/* The dialog of an act. */

function addField(form, given, value) {
    const label = make("label", "field", given.check ? " " + given.label : given.label);
    let input;
    if (given.choices) {
        input = make("select");
        for (const choice of given.choices) input.appendChild(make("option", "", choice));
    } else {
        input = make("input");
        input.type = given.check ? "checkbox" : "text";
        input.autocomplete = "off";
    }
    if (value !== undefined) input.value = value;
    input.required = Boolean(given.needed);
    if (given.pattern) input.pattern = given.pattern;
    if (given.check) label.prepend(input);
    else label.appendChild(input);
    form.appendChild(label);
    return { given, input };
}

function ask(verb, words = []) {
    const act = ACTS[verb], fields = $("fields");
    fields.textContent = "";
    setText($("dialog-title"), act.title);
    setText($("dialog-text"), act.text);
    setText($("do"), act.title);
    setText($("lacks"), "");
    asked = { verb,
        words: act.words.map((given, i) => addField(fields, given, words[i])),
        options: act.options.map((given) => addField(fields, given)),
        typed: act.typed && addField(fields, act.typed) };
    $("dialog").showModal();
    const first = asked.words.concat(asked.options, asked.typed || []).find((field) => field.input.type !== "checkbox" && !field.input.value);
    (first ? first.input : $("do")).focus();
}

function send(verb, words, options, typed) {
    if (socket && socket.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify({ verb, words, options, typed }));
}

function onSubmit(event) {
    event.preventDefault();
    const words = asked.words.map((field) => field.input.value.trim());
    const options = {};
    for (const { given, input } of asked.options) options[given.name] = given.check ? input.checked : input.value.trim();
    while (words.length && !words[words.length - 1]) words.pop();
    send(asked.verb, words, options, asked.typed && asked.typed.input.value);
    $("dialog").close();
}

function button(text, verb, words, label) {
    const element = make("button", "", text);
    element.type = "button";
    if (label) element.setAttribute("aria-label", label);
    element.addEventListener("click", () => ask(verb, typeof words === "function" ? words() : words));
    return element;
}

/* The tiles. */

function clock(seconds) {
    const minutes = Math.floor(seconds / 60);
    return minutes + ":" + String(seconds % 60).padStart(2, "0");
}

function ago(seconds) {
    return seconds < 120 ? seconds + " s ago" : Math.floor(seconds / 60) + " min ago";
}

function drawAlarms(list, alarms) {
    const text = JSON.stringify(alarms);
    if (list.dataset.alarms === text) return;
    list.dataset.alarms = text;
    list.textContent = "";
    for (const alarm of alarms) {
        const item = list.appendChild(make("li", "grade" + alarm.grade, alarm.text + " "));
        item.appendChild(make("span", "todo", alarm.todo));
    }
}

function drawSides(table, body, sides) {
    const rows = sides.map((side) => [side.name, side.who, side.judge + " + " + side.entity,
        side.quiet === undefined ? "" : ago(side.quiet)]);
    while (body.rows.length > rows.length) body.deleteRow(-1);
    rows.forEach((row, i) => {
        let at = body.rows[i];
        if (!at) {
            at = body.insertRow();
            const head = at.appendChild(make("th"));
            head.scope = "row";
            at.insertCell();
            at.insertCell().className = "number";
            at.insertCell().className = "number";
        }
        row.forEach((text, k) => setText(at.cells[k], text));
    });
    table.hidden = !rows.length;
}

function makeTile(booth) {
    const tile = make("article", "tile");
    const parts = { tile };
    const head = tile.appendChild(make("h3"));
    head.id = "booth-" + booth;
    head.appendChild(make("span", "", "Booth " + booth));
    tile.setAttribute("aria-labelledby", head.id);
    parts.clock = head.appendChild(make("span", "clock"));
    parts.state = tile.appendChild(make("p", "state"));
    parts.alarms = tile.appendChild(make("ul", "alarms"));
    parts.judge = tile.appendChild(make("p"));
    parts.sides = tile.appendChild(make("table"));
    const names = parts.sides.createTHead().insertRow();
    for (const [name, label] of [["Side"], ["Entity"], ["Keys", "Keys: judge + entity"], ["Last key"]]) {
        const head = names.appendChild(make("th", "", name));
        head.scope = "col";
        if (label) head.setAttribute("aria-label", label);
    }
    parts.rows = parts.sides.createTBody();
    parts.missing = tile.appendChild(make("div"));
    parts.next = tile.appendChild(make("p", "soft"));
    parts.machines = tile.appendChild(make("p", "soft"));
    parts.row = tile.appendChild(make("div", "row"));
    for (const [text, verb] of [["Hold again", "repeat"], ["Exclude", "exclude"]])
        parts.row.appendChild(button(text, verb, () => [parts.session], text + ": the session in booth " + booth));
    return parts;
}

function drawMissing(box, missing) {
    const text = JSON.stringify(missing);
    if (box.dataset.missing === text) return;
    box.dataset.missing = text;
    box.textContent = "";
    if (!missing.length) return;
    box.appendChild(make("p", "", "Not at the desk yet:"));
    const list = box.appendChild(make("ul", "plain"));
    for (const line of missing) list.appendChild(make("li", "", line));
}

const tiles = new Map();

function drawTile(given) {
    if (!tiles.has(given.booth)) tiles.set(given.booth, makeTile(given.booth));
    const parts = tiles.get(given.booth);
    parts.session = given.session || "";
    parts.tile.className = "tile grade" + given.grade;
    setText(parts.clock, given.clock === undefined ? "" : clock(given.clock));
    setText(parts.state, given.session ? given.session + ": " + given.state : "No session yet");
    drawAlarms(parts.alarms, given.alarms);
    setText(parts.judge, given.judge ? "Judge: " + given.judge : "");
    drawSides(parts.sides, parts.rows, given.sides || []);
    drawMissing(parts.missing, given.missing);
    setText(parts.next, given.next ? "Then: " + given.next : "");
    setText(parts.machines, given.machines.map((machine) => machine.name.replace("the ", "") + ": " +
        (machine.records === 1 ? "1 record" : machine.records + " records") +
        (machine.heard === undefined ? ", not heard yet" : ", heard " + ago(machine.heard))).join("; "));
    parts.row.hidden = !given.session;
}

/* Faults come first; the focus stays. */
function drawTiles() {
    const box = $("tiles"), sorted = told.tiles.slice().sort((a, b) => b.grade - a.grade || a.booth - b.booth);
    for (const given of sorted) drawTile(given);
    const order = sorted.map((given) => given.booth).join();
    if (box.dataset.order === order) return;
    box.dataset.order = order;
    const focus = document.activeElement;
    for (const given of sorted) box.appendChild(tiles.get(given.booth).tile);
    if (focus && box.contains(focus)) focus.focus();
}

/* The page around the tiles. */

function drawNext() {
    const box = $("next"), text = told.next || "";
    if (box.dataset.next === text) return;
    box.dataset.next = text;
    box.textContent = "";
    for (const line of text.split("\n").filter(Boolean)) {
        const [command, why] = line.replace(/^Next: /, "").split("  # ");
        const item = box.appendChild(make("li"));
        if (why) item.appendChild(make("span", "", why[0].toUpperCase() + why.slice(1) + ": "));
        item.appendChild(make("code", "", command));
    }
}

function drawPeople() {
    const box = $("persons"), text = JSON.stringify(told.people || []);
    if (box.dataset.people === text) return;
    box.dataset.people = text;
    box.textContent = "";
    $("people").hidden = !told.people;
    for (const person of told.people || []) {
        const item = box.appendChild(make("li"));
        const who = person.code + " " + person.name;
        item.appendChild(make("span", "name", who));
        if (person.gone) item.appendChild(make("span", "soft", ", has left"));
        if (person.limit) item.appendChild(make("p", "soft", "Limited: " + person.limit));
        const row = item.appendChild(make("div", "row"));
        if (person.gone) {
            row.appendChild(button("Take back", "undo", ["withdraw", person.code], "Take back: " + who + " has left"));
            continue;
        }
        if (person.code[0] !== "E") row.appendChild(button("Substitute", "substitute", [person.code], "Substitute " + who));
        row.appendChild(button("Withdraw", "withdraw", [person.code], "Withdraw " + who));
        if (person.code[0] === "C") row.appendChild(button("Limit", "limit", [person.code], "Limit " + who));
    }
}

function drawOutcome() {
    const act = told.act;
    const busy = Boolean(act) && act.status === undefined;
    $("outcome").hidden = !act;
    $("do").disabled = busy;
    setText($("lacks"), busy ? "Another act is being done." : "");
    if (!act) return;
    setText($("outcome-title"), busy ? "Being done" : act.status === 0 ? "Done" : "Not done");
    setText($("command"), act.command);
    setText($("said"), act.said);
    $("said").hidden = !act.said;
    $("outcome").className = busy || act.status === 0 ? "" : "failed";
    if (busy || announced.has("act " + act.number)) return;
    announced.add("act " + act.number);
    $("heard").appendChild(make("p", "", $("outcome-title").textContent + ": " + act.said));
}

/* Each fault is said once, until it is over. */
function announce() {
    const now = new Set([...announced].filter((text) => text.startsWith("act ")));
    for (const tile of told.tiles) {
        for (const alarm of tile.alarms) {
            const text = "Booth " + tile.booth + ": " + alarm.text + " " + alarm.todo;
            const fault = text.replace(/\d+ s\b/g, ""); /* that time runs on is no other fault */
            if (alarm.grade < 2) continue;
            if (!announced.has(fault)) $("heard").appendChild(make("p", "", text));
            now.add(fault);
        }
    }
    announced = now;
    while ($("heard").childElementCount > 20) $("heard").firstElementChild.remove();
}

function onMessage(event) {
    told = JSON.parse(event.data);
    const wrong = told.tiles.filter((tile) => tile.grade === 2).length;
    const fault = told.server || told.fault || "";
    setText($("contest"), told.contest || "boothlink desk");
    setText($("round"), told.begun === undefined ? "" : told.begun ? "Round " + told.begun + " of " + told.rounds + " has begun" :
        "No round has begun");
    setText($("wrong"), !wrong ? STATES.good : wrong === 1 ? STATES.one : wrong + STATES.more);
    $("wrong").className = wrong ? "alarm" : "";
    $("server").hidden = !fault;
    setText($("server"), fault);
    document.title = (wrong ? "(" + wrong + ") " : "") + (told.contest || "boothlink") + " desk";
    drawNext();
    drawTiles();
    drawPeople();
    drawOutcome();
    announce();
    document.body.dataset.drawn = Number(document.body.dataset.drawn || 0) + 1;
}

function offline(text) {
    $("offline").hidden = !text;
    setText($("offline"), text || "");
    document.body.classList.toggle("off", Boolean(text));
    if (text && $("dialog").open) $("dialog").close();
}

for (const verb of BUTTONS) $("buttons").appendChild(button(ACTS[verb].title, verb,
    () => verb === "begin" && told ? [String(told.begun + 1)] : []));
for (const verb of CLOSERS) $("closers").appendChild(button(ACTS[verb].title, verb, []));
$("dialog").querySelector("form").addEventListener("submit", onSubmit);
$("leave").addEventListener("click", () => $("dialog").close());

enter({ opened: () => offline(""), heard: onMessage,
    closed: () => { offline(OFF); return true; },
    away: () => offline(OFF), stranger: () => offline(STRANGER),
    incomplete: () => offline("This address is not complete: open the one that the desk has said.") });
