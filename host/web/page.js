"use strict";
/* Draws what boothlink says, and sends what is typed as the bytes that a terminal would send. It
 * decides nothing: which keys there are, where they stand and what they do is boothlink's. Text is
 * only ever put into text nodes. */
const $ = (id) => document.getElementById(id);
const keys = $("keys");
const JUDGE = 0;
const WIDE = 1, ODD = 2, WAITING = 4;
const CHUNK = 1000; /* bytes of a message at most */
const RETRY_MS = 300;
const KEYS = {
    Enter: "\r", Backspace: "\x7f", Tab: "\t", Escape: "\x1b",
    ArrowUp: "\x1b[A", ArrowDown: "\x1b[B", ArrowRight: "\x1b[C", ArrowLeft: "\x1b[D",
    F1: "\x1bOP", F2: "\x1bOQ", F3: "\x1bOR", F8: "\x1b[19~", F9: "\x1b[20~", F10: "\x1b[21~",
    F12: "\x1b[24~",
};
const NAMED = { Return: "\r", Space: " ", PgUp: "PageUp", "PgUp PgDn": "PageUp", End: "End" };

let socket = null;
let other = false;
let scene = null;
let sides = []; /* elements of each: {panes: [{rows, first}], ...} */
let shape = "";
let cursor = null;

function make(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
}

function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

/* Up. */

function send(text) {
    if (!socket || socket.readyState !== WebSocket.OPEN) return;
    const encoder = new TextEncoder();
    let chunk = "", size = 0;
    for (const point of text) {
        const bytes = encoder.encode(point).length;
        if (size + bytes > CHUNK) {
            socket.send(chunk);
            chunk = "";
            size = 0;
        }
        chunk += point;
        size += bytes;
    }
    if (chunk) socket.send(chunk);
}

function takeTyped() {
    const text = keys.value;
    keys.value = "";
    if (text) {
        toNewest();
        send(text.replace(/\r\n|\n/g, "\r"));
    }
}

function activeSide() {
    const at = scene && scene.sides ? scene.sides.findIndex((side) => side.active) : -1;
    return at < 0 ? 0 : at;
}

/* Who looks at the newest rows goes on doing so, whatever changes its size; who looks back is left
 * there. */
function pin(pane) {
    if (pane.pinned) pane.rows.scrollTop = pane.rows.scrollHeight;
}

const sizes = new ResizeObserver(() => sides.forEach((side) => side.panes.forEach(pin)));

function toNewest() {
    if (!sides[activeSide()]) return;
    for (const pane of sides[activeSide()].panes) {
        pane.pinned = true;
        pin(pane);
    }
}

function lookBack(key) {
    if (!sides[activeSide()]) return;
    for (const pane of sides[activeSide()].panes) {
        const page = pane.rows.clientHeight * 0.9;
        pane.rows.scrollTop = { PageUp: pane.rows.scrollTop - page, PageDown: pane.rows.scrollTop + page,
            Home: 0, End: pane.rows.scrollHeight }[key];
    }
}

function onKey(event) {
    if (event.isComposing || event.keyCode === 229) return;
    if (other) {
        other = false;
        connect();
    }
    if (event.ctrlKey || event.altKey || event.metaKey) {
        if (event.ctrlKey && event.key === "l") {
            event.preventDefault();
            send("\f");
        }
        return;
    }
    if (["PageUp", "PageDown", "Home", "End"].includes(event.key)) {
        event.preventDefault();
        lookBack(event.key);
    } else if (KEYS[event.key]) {
        event.preventDefault();
        if (["Enter", "Backspace", "Tab"].includes(event.key)) toNewest();
        send(KEYS[event.key]);
    }
}

function press(name) {
    const key = NAMED[name.replace(/^(\S+) \1$/, "$1")] || KEYS[name] || name[0];
    if (["PageUp", "End"].includes(key)) lookBack(key);
    else send(key);
}

keys.addEventListener("keydown", onKey);
keys.addEventListener("input", (event) => { if (!event.isComposing) takeTyped(); });
keys.addEventListener("compositionstart", () => { placeKeys(); keys.classList.add("composing"); });
keys.addEventListener("compositionend", () => { keys.classList.remove("composing"); takeTyped(); });
keys.addEventListener("paste", (event) => {
    event.preventDefault();
    toNewest();
    send(event.clipboardData.getData("text/plain").replace(/\r\n|\n/g, "\r"));
});
document.addEventListener("drop", (event) => event.preventDefault());
document.addEventListener("mouseup", () => { if (String(getSelection()) === "") keys.focus(); });
document.addEventListener("keydown", (event) => {
    if (document.activeElement !== keys && !event.ctrlKey) {
        keys.focus();
        if (event.key.length > 1) onKey(event);
    }
});
window.addEventListener("focus", () => keys.focus());
window.addEventListener("resize", () => { fit(); placeKeys(); });

/* Down: the pages. */

function drawRow(element, row, role) {
    const own = row[0] === (role === "judge" ? JUDGE : 1);
    const ink = scene.ink[row[0]];
    element.className = "row" + (own ? " own" : "") + (ink ? (row[0] === JUDGE ? " judge" : " entity") + ink : "");
    element.dataset.party = row[0];
    element.textContent = "";
    for (const run of row.slice(1)) {
        const kind = typeof run === "string" ? 0 : run[0];
        const text = typeof run === "string" ? run : run[1];
        let at = element;
        if (kind & WAITING) at = element.appendChild(make("span", "waiting"));
        if (kind & (WIDE | ODD)) at.appendChild(make("i", kind & WIDE ? "wide" : "", text));
        else at.appendChild(document.createTextNode(text));
    }
}

/* Rows from number `from` on are these; those before `base`, and from `end` on, are gone. */
function drawRows([side, which, from, base, end, rows]) {
    const pane = sides[side] && sides[side].panes[which === 0 ? sides[side].lower : sides[side].upper];
    if (!pane) return;
    const box = pane.rows;
    while (box.firstChild && pane.first < base) {
        box.firstChild.remove();
        pane.first++;
    }
    if (!box.firstChild) pane.first = base;
    rows.forEach((row, i) => {
        let element = box.children[from + i - pane.first];
        if (!element) element = box.appendChild(make("div", "row"));
        drawRow(element, row, scene.role);
    });
    while (box.children.length > end - pane.first) box.lastChild.remove();
    pin(pane);
}

function drawCursor() {
    for (const old of document.querySelectorAll(".row.cursor")) old.classList.remove("cursor");
    if (cursor) {
        const side = sides[cursor[0]];
        const pane = side && side.panes[cursor[1] === 0 ? side.lower : side.upper];
        const row = pane && pane.rows.children[cursor[2] - pane.first];
        if (row) row.classList.add("cursor");
    }
}

/* Over the cursor, for that is where an input method shows its words. */
function placeKeys() {
    const row = document.querySelector(".row.cursor");
    const box = row && row.getBoundingClientRect();
    const ch = cursor && row ? cursor[3] * charWidth() : 0;
    keys.style.left = (box ? Math.min(box.left + ch, innerWidth - 40) : 0) + "px";
    keys.style.top = (box ? Math.max(0, Math.min(box.top, innerHeight - 40)) : 0) + "px";
}

/* What the other party says, once, when a word of it is whole: what one types oneself is echoed by
 * the screen reader already. */
function announce() {
    sides.forEach((side) => {
        const partner = scene.role === "judge" ? "1" : "0";
        let text = "";
        for (const pane of side.panes)
            for (const row of pane.rows.children)
                if (row.dataset.party === partner) text += row.textContent + "\n";
        const whole = text.replace(/\S*$/, "").length;
        const done = text.endsWith("\n") ? text.replace(/\S+\n$/, "").length : whole;
        if (side.heard === null || !text.startsWith(side.text.slice(0, side.heard))) side.heard = done;
        if (done > side.heard) {
            setText(side.live, text.slice(side.heard, done).replace(/\s+/g, " ").trim());
            side.heard = done;
        }
        side.text = text;
    });
}

/* Down: what stands around them. */

function buildSide(given, style) {
    const side = { panes: [], text: "", heard: null };
    const root = make("section", "side");
    const head = root.appendChild(make("h2", "head"));
    side.title = head.appendChild(make("span", "title"));
    side.here = head.appendChild(make("span", "here"));
    side.word = head.appendChild(make("span", "word"));
    const panes = root.appendChild(make("div", "panes " + style));
    for (const which of given.lower === undefined ? ["upper"] : ["upper", "lower"]) {
        const pane = panes.appendChild(make("div", "pane"));
        const label = pane.appendChild(make("h3", "label"));
        const entry = { name: label.appendChild(make("span")), state: label.appendChild(make("span")), first: 0 };
        entry.rows = pane.appendChild(make("div", "rows"));
        entry.rows.setAttribute("role", "group");
        entry.pinned = true;
        entry.rows.addEventListener("scroll", () => {
            entry.pinned = entry.rows.scrollTop + entry.rows.clientHeight >= entry.rows.scrollHeight - 4;
        });
        sizes.observe(entry.rows);
        side[which] = side.panes.length;
        side.panes.push(entry);
        if (style === "web" && which === "lower") {
            const button = pane.appendChild(make("button", "send", "Send"));
            button.tabIndex = -1;
            button.addEventListener("click", () => press("Return"));
        }
    }
    side.live = root.appendChild(make("div", "live"));
    side.live.setAttribute("role", "status");
    side.live.setAttribute("aria-live", "polite");
    side.root = root;
    $("sides").appendChild(root);
    return side;
}

function drawSides() {
    const now = JSON.stringify([scene.style, scene.columns, scene.sides.map((side) => side.lower !== undefined)]);
    if (now !== shape) {
        shape = now;
        $("sides").textContent = "";
        sides = scene.sides.map((side) => buildSide(side, scene.style));
        fit();
    }
    scene.sides.forEach((given, i) => {
        const side = sides[i];
        side.root.classList.toggle("active", Boolean(given.active));
        side.root.setAttribute("aria-label", given.title);
        setText(side.title, given.title);
        setText(side.here, given.active ? "\u00bb you type here" : "");
        setText(side.word, given.who !== undefined ? given.who : given.word);
        side.word.className = "word" + (given.who === undefined ? " reach" + given.reach : "");
        side.panes.forEach((pane, at) => {
            const name = at === side.upper ? given.upper : given.lower;
            const own = at === side.lower || side.lower === undefined;
            setText(pane.name, name);
            pane.rows.setAttribute("aria-label", given.title + ", " + name);
            setText(pane.state, [at === side.upper ? given.state : "", own && given.waiting
                ? given.waiting + (given.waiting === 1 ? " key waits" : " keys wait") : ""].filter(Boolean).join(", "));
        });
    });
}

function drawNotices() {
    const grades = ["soon", "alarm", "call"];
    const box = $("notices");
    if (box.dataset.now === JSON.stringify(scene.notices)) return;
    box.dataset.now = JSON.stringify(scene.notices);
    box.textContent = "";
    for (const [grade, text] of scene.notices) box.appendChild(make("div", "notice " + grades[grade], text));
}

function drawHints() {
    const box = $("hints");
    if (box.dataset.now === JSON.stringify(scene.hints)) return;
    box.dataset.now = JSON.stringify(scene.hints);
    box.textContent = "";
    for (const [key, does] of scene.hints) {
        const button = box.appendChild(make("button"));
        button.appendChild(make("kbd", "", key));
        button.appendChild(document.createTextNode(" " + does));
        button.tabIndex = -1;
        button.addEventListener("mousedown", (event) => event.preventDefault());
        button.addEventListener("click", () => press(key));
    }
}

function drawForm() {
    const box = $("form"), form = scene.form;
    box.hidden = !form;
    box.textContent = "";
    if (!form) return;
    const head = box.appendChild(make("h2"));
    head.appendChild(make("span", "", form.title));
    head.appendChild(make("span", form.good ? "standing good" : "standing", form.standing));
    box.appendChild(make("p", "", form.question));
    const fields = box.appendChild(make("div", "fields"));
    (form.fields || []).forEach(([label, value], i) => {
        const field = fields.appendChild(make("div", form.open && form.field === i ? "field here" : "field"));
        field.appendChild(make("span", "", label));
        field.appendChild(make("span", "value", value));
    });
    for (const [key, label, chosen] of form.choices || []) {
        const field = fields.appendChild(make("div", form.open && form.field === 0 ? "field here" : "field"));
        field.appendChild(make("span", "value", chosen ? "\u2715" : key));
        field.appendChild(make("span", "", label));
    }
    if (form.anchors.length) {
        const anchors = box.appendChild(make("div", "anchors"));
        for (const text of form.anchors) anchors.appendChild(make("span", "", text));
    }
    const notes = make("div", form.open && form.field === -1 ? "notes here" : "notes", form.notes);
    notes.setAttribute("aria-label", "Notes");
    box.appendChild(make("p", "", "Notes"));
    box.appendChild(notes);
    box.appendChild(make("p", form.hint ? "foot hint" : "foot", form.foot));
}

function drawDialog() {
    const box = $("dialog"), dialog = scene.dialog;
    box.hidden = !dialog;
    box.textContent = "";
    if (!dialog) return;
    const title = box.appendChild(make("h2", "", dialog.title));
    title.id = "dialog-title";
    box.appendChild(make("pre", "", dialog.lines.join("\n")));
    if (dialog.typed !== undefined) box.appendChild(make("div", "typed", "> " + dialog.typed));
}

function drawBoard() {
    const box = $("board"), board = scene.board;
    box.hidden = !board;
    for (const id of ["sides", "top", "status", "hints"]) $(id).hidden = Boolean(board);
    if (!board) return;
    box.textContent = "";
    box.appendChild(make("h1", "", board.title));
    box.appendChild(make("p", board.alarm ? "strong alarm" : "strong", board.strong));
    for (const text of board.text) box.appendChild(make("p", "", text));
    box.appendChild(make("p", "keys", board.keys));
    document.title = board.title;
}

function drawScene() {
    drawBoard();
    if (!scene.board) {
        setText($("segment"), scene.segment);
        setText($("clock"), scene.clock);
        setText($("aside"), scene.clock && !scene.enforced ? "not enforced" : "");
        drawSides();
        drawNotices();
        drawHints();
        setText($("message"), [scene.message, scene.entry && "Program: " + scene.entry.split("\n")[0]].filter(Boolean).join("  \u00b7  "));
        document.title = [scene.segment, "boothlink"].filter(Boolean).join(" \u00b7 ");
        drawForm();
    }
    drawDialog();
}

/* As large as its columns fit side by side, and a dozen rows in each pane. */
function charWidth() {
    const probe = document.body.appendChild(make("span", "rows live", "0".repeat(100)));
    const width = probe.scrollWidth / 100;
    probe.remove();
    return width;
}

function fit() {
    const root = document.documentElement.style;
    if (!sides.length) return;
    root.setProperty("--type", "20px");
    const em = charWidth() / 20;
    const box = sides[0].panes[0].rows;
    const pad = parseFloat(getComputedStyle(box).paddingLeft) * 2 + 14;
    const across = (sides[0].root.clientWidth - pad) / (scene.columns * em);
    const down = $("sides").clientHeight / (scene.style === "split" ? 18 : 16) / 1.45;
    root.setProperty("--type", Math.max(9, Math.floor(Math.min(across, down, 34) * 4) / 4) + "px");
    sides.forEach((side) => side.panes.forEach(pin));
}

/* The connection. */

function offline(text) {
    $("offline").hidden = !text;
    setText($("offline"), text || "");
    document.body.classList.toggle("off", Boolean(text));
}

function onMessage(event) {
    const told = JSON.parse(event.data);
    if (told.other) {
        other = true;
        return;
    }
    if (told.scene) {
        scene = told.scene;
        drawScene();
    }
    for (const rows of told.rows || []) drawRows(rows);
    if (told.cursor !== undefined) {
        cursor = told.cursor;
        drawCursor();
    }
    if (told.rows && told.rows.length) announce();
    document.body.dataset.drawn = Number(document.body.dataset.drawn || 0) + 1;
}

function connect() {
    socket = new WebSocket(location.href.replace(/^http/, "ws").replace(/[#?].*$/, "") + "socket");
    socket.addEventListener("open", () => {
        shape = "";
        scene = null;
        offline("");
        keys.value = "";
        keys.focus();
    });
    socket.addEventListener("message", onMessage);
    socket.addEventListener("close", () => {
        if (other) {
            offline("This page is open in another window. A key here takes it back.");
            return;
        }
        offline("boothlink does not answer. What is typed now is not taken; what was shown is kept.");
        setTimeout(connect, RETRY_MS);
    });
}

connect();
