"use strict";
/* Draws boothlink's messages, and sends typed keys as the bytes of a terminal. The page decides
 * nothing: keys, their places and their effects are boothlink's. Text goes into text nodes alone.
 * door.js connects the page. */
const $ = (id) => document.getElementById(id);
const keys = $("keys");
const JUDGE = 0;
const WIDE = 1, ODD = 2, WAITING = 4;
const CHUNK = 1000; /* bytes of a message at most */
const KEPT_MAX = 4096; /* points, as a terminal keeps while nobody reads it */
const KEYS = {
    Enter: "\r", Backspace: "\x7f", Tab: "\t", Escape: "\x1b",
    ArrowUp: "\x1b[A", ArrowDown: "\x1b[B", ArrowRight: "\x1b[C", ArrowLeft: "\x1b[D",
    F1: "\x1bOP", F2: "\x1bOQ", F3: "\x1bOR", F8: "\x1b[19~", F9: "\x1b[20~", F10: "\x1b[21~",
    F12: "\x1b[24~",
};
const NAMED = { Return: "\r", Space: " ", PgUp: "PageUp", "PgUp PgDn": "PageUp", End: "End",
    Down: KEYS.ArrowDown };

const OFF = "boothlink does not answer. What is typed now waits here; what was shown is kept.";
const STRANGER = "Another program answers in boothlink's place, and is told nothing. What is typed waits " +
    "here. If this stays, call an attendant: boothlink has another address by now.";

let sent = []; /* messages that boothlink has not acknowledged: it may have been killed */
let taken = 0;
let kept = []; /* keys typed while boothlink did not answer */
let other = false;
let scene = null;
let sides = []; /* elements of each side: {panes: [{rows, first}], ...} */
let shape = "";
let settled = false; /* all rows from before the sides were made have come */
let cursor = null;
let formAsks = ""; /* the questions of the ballot's present elements */
let formParts = null;
const keysLabel = keys.getAttribute("aria-label");

function make(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
}

function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

/* Up: keys. */

/* Keeps typed keys; without room the newest are lost. */
function keep(text) {
    for (const point of text) if (kept.length < KEPT_MAX) kept.push(point);
}

const encoder = new TextEncoder();

/* Keys that waited here go as a binary message: as with keys that a keyboard kept, nobody knows the
 * time of their typing, and they must not come as fast as a paste. */
function give(message, waited) {
    socket.send(waited ? encoder.encode(message) : message);
    sent.push(message);
}

function send(text, waited = false) {
    if (!socket || socket.readyState !== WebSocket.OPEN) {
        if (!other) keep(text);
        return;
    }
    let chunk = "", size = 0;
    for (const point of text) {
        const bytes = encoder.encode(point).length;
        if (size + bytes > CHUNK) {
            give(chunk, waited);
            chunk = "";
            size = 0;
        }
        chunk += point;
        size += bytes;
    }
    if (chunk) give(chunk, waited);
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
    const at = scene && scene.sides ? scene.sides.findIndex((side) => side.here) : -1;
    return at < 0 ? 0 : at;
}

/* A reader at the newest rows stays there, whatever changes the pane's size; a reader who looks
 * back is left there. */
function pin(pane) {
    if (pane.pinned) pane.rows.scrollTop = pane.rows.scrollHeight;
}

/* Shows whole rows alone: the rest of a pane's height is below the last row. */
function fitRows(pane) {
    const box = pane.rows;
    box.style.paddingBottom = "";
    if (pane.grows) return;
    const style = getComputedStyle(box);
    const least = parseFloat(style.paddingBottom);
    box.style.paddingBottom = least + Math.max(0, box.clientHeight - least) % parseFloat(style.lineHeight) + "px";
}

function fitPanes() {
    for (const side of sides) {
        for (const pane of side.panes) {
            fitRows(pane);
            pin(pane);
        }
    }
}

const sizes = new ResizeObserver(fitPanes);

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
        const row = parseFloat(getComputedStyle(pane.rows).lineHeight);
        const page = Math.max(row, Math.floor(pane.rows.clientHeight * 0.9 / row) * row);
        pane.rows.scrollTop = { PageUp: pane.rows.scrollTop - page, PageDown: pane.rows.scrollTop + page,
            Home: 0, End: pane.rows.scrollHeight }[key];
    }
}

function onKey(event) {
    if (event.isComposing || event.keyCode === 229) return;
    if (!socket && (event.key === "F5" || (event.ctrlKey && event.key.toLowerCase() === "r"))) {
        event.preventDefault(); /* a reload would give the address to any program that answers */
        return;
    }
    if (other) {
        other = false;
        event.preventDefault();
        connect();
        return;
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
        if (kind & WIDE) {
            /* No font has both a wide character and the marks of another script: each gets a font
             * and a box of its own, as letters of one line are set together. */
            const [base, ...marks] = text;
            const cell = at.appendChild(make("i", "wide", base));
            if (marks.length) cell.appendChild(make("span", "", marks.join("")));
        } else if (kind & ODD) at.appendChild(make("i", "", text));
        else at.appendChild(document.createTextNode(text));
    }
}

/* Replaces the rows from number `from` on; rows before `base`, and from `end` on, are gone. */
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

/* Moves the field over the cursor, where an input method shows its words. */
function placeKeys() {
    const row = document.querySelector(".row.cursor");
    const box = row && row.getBoundingClientRect();
    const ch = cursor && row ? cursor[3] * charWidth() : 0;
    keys.style.left = (box ? Math.min(box.left + ch, innerWidth - 40) : 0) + "px";
    keys.style.top = (box ? Math.max(0, Math.min(box.top, innerHeight - 40)) : 0) + "px";
}

/* Says the other party's words, each once, when it is whole. The screen reader echoes a user's own
 * typing already, and rows from before the page was opened are not said. */
function announce(told) {
    sides.forEach((side) => {
        const partner = scene.role === "judge" ? "1" : "0";
        const rows = side.panes.flatMap((pane) => [...pane.rows.children]);
        const text = rows.filter((row) => row.dataset.party === partner).map((row) => row.textContent)
            .join("\n").replace(/\s+/g, " ");
        const done = text.replace(/\S*$/, "").length;
        if (!settled || !text.startsWith(side.text.slice(0, side.heard))) side.heard = done;
        if (done > side.heard) {
            side.live.textContent = text.slice(side.heard, done).trim(); /* also if it was said just before */
            side.heard = done;
        }
        side.text = text;
    });
    settled = !told.more;
}

/* Down: the parts around the pages. */

function buildSide(given, style) {
    const side = { panes: [], text: "", heard: 0 };
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
        entry.grows = style === "web" && which === "lower";
        sizes.observe(entry.rows, { box: "border-box" });
        side[which] = side.panes.length;
        side.panes.push(entry);
        if (entry.grows) {
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
        settled = false;
        $("sides").textContent = "";
        sides = scene.sides.map((side) => buildSide(side, scene.style));
        fit();
    }
    scene.sides.forEach((given, i) => {
        const side = sides[i];
        side.root.classList.toggle("active", Boolean(given.here));
        side.root.setAttribute("aria-label", given.title);
        setText(side.title, given.title);
        setText(side.here, given.here);
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
    const box = $("hints"), hints = scene.board ? scene.board.hints : scene.hints;
    if (box.dataset.now === JSON.stringify(hints)) return;
    box.dataset.now = JSON.stringify(hints);
    box.textContent = "";
    for (const [key, does] of hints) {
        const button = box.appendChild(make("button"));
        button.appendChild(make("kbd", "", key));
        button.appendChild(document.createTextNode(" " + does));
        button.tabIndex = -1;
        button.addEventListener("mousedown", (event) => event.preventDefault());
        button.addEventListener("click", () => press(key));
    }
}

/* The ballot's elements stay while its questions do, so a screen reader keeps its place. Typing
 * goes into the page's one field, whose aria-activedescendant names the element being filled. */
function buildForm(box, form) {
    const parts = { given: [] };
    box.textContent = "";
    box.setAttribute("aria-label", form.title);
    const head = box.appendChild(make("h2"));
    head.appendChild(make("span", "", form.title));
    parts.standing = head.appendChild(make("span"));
    parts.standing.setAttribute("role", "status");
    const question = box.appendChild(make("p", "", form.question));
    question.id = "form-question";
    const fields = box.appendChild(make("div", "fields"));
    fields.setAttribute("role", form.choices ? "radiogroup" : "group");
    fields.setAttribute("aria-labelledby", question.id);
    (form.choices || form.fields).forEach(([first, second], i) => {
        const field = fields.appendChild(make("div"));
        const given = { field, at: field };
        if (form.choices) {
            given.value = field.appendChild(make("span", "value"));
            field.appendChild(make("span", "", second));
            field.setAttribute("role", "radio");
            field.setAttribute("aria-label", second);
            field.setAttribute("aria-keyshortcuts", first);
        } else {
            field.appendChild(make("span", "", first));
            given.at = given.value = field.appendChild(make("span", "value"));
            given.at.setAttribute("role", "textbox");
            given.at.setAttribute("aria-label", form.unit ? first + ", " + form.unit : first);
        }
        given.at.id = "form-field" + i;
        parts.given.push(given);
    });
    if (form.anchors.length) {
        const anchors = box.appendChild(make("div", "anchors"));
        for (const text of form.anchors) anchors.appendChild(make("span", "", text));
    }
    parts.asked = form.asked.map(([label, , long], i) => {
        box.appendChild(make("p", "", label));
        const value = box.appendChild(make("div", "notes"));
        value.id = "form-asked" + i;
        value.setAttribute("role", "textbox");
        value.setAttribute("aria-multiline", String(Boolean(long)));
        value.setAttribute("aria-label", label);
        return value;
    });
    box.appendChild(make("p", "", "Notes"));
    parts.notes = box.appendChild(make("div", "notes"));
    parts.notes.id = "form-notes";
    parts.notes.setAttribute("role", "textbox");
    parts.notes.setAttribute("aria-multiline", "true");
    parts.notes.setAttribute("aria-label", "Notes");
    parts.foot = box.appendChild(make("p"));
    parts.foot.setAttribute("role", "status");
    return parts;
}

function drawForm() {
    const box = $("form"), form = scene.form;
    box.hidden = !form;
    keys.setAttribute("aria-label", form && form.open ? form.title : keysLabel);
    if (!form) {
        keys.removeAttribute("aria-activedescendant");
        return;
    }
    const asks = JSON.stringify([form.title, form.question, form.choices ? form.choices.map(([key]) => key) :
        form.fields.map(([label]) => label), form.anchors, form.asked.map(([label]) => label)]);
    if (formAsks !== asks) {
        formAsks = asks;
        formParts = buildForm(box, form);
    }
    let here = formParts.notes;
    formParts.given.forEach((given, i) => {
        const [key, value, chosen] = (form.choices || form.fields)[i];
        const typed = form.open && form.field === (form.choices ? 0 : i);
        const none = form.choices && !form.choices.some((choice) => choice[2]);
        given.field.className = "field" + (form.choices ? " choice" : "") + (chosen ? " chosen" : "") +
            (typed && (!form.choices || chosen || none) ? " here" : "");
        setText(given.value, !form.choices ? value : chosen ? "\u2713 " + key : key);
        if (form.choices) given.at.setAttribute("aria-checked", String(Boolean(chosen)));
        if (typed && (here === formParts.notes || chosen)) here = given.at;
    });
    const own = form.choices ? 1 : form.fields.length; /* the kind's own fields */
    form.asked.forEach(([, text], i) => {
        const typed = form.open && form.field === own + i;
        formParts.asked[i].className = typed ? "notes here" : "notes";
        setText(formParts.asked[i], text);
        if (typed) here = formParts.asked[i];
    });
    formParts.standing.className = form.good ? "standing good" : "standing";
    setText(formParts.standing, form.standing);
    formParts.notes.className = form.open && form.field === -1 ? "notes here" : "notes";
    setText(formParts.notes, form.notes);
    formParts.foot.className = form.hint ? "foot hint" : "foot";
    setText(formParts.foot, form.foot);
    if (form.open) keys.setAttribute("aria-activedescendant", here.id);
    else keys.removeAttribute("aria-activedescendant");
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
    for (const id of ["sides", "top", "status"]) $(id).hidden = Boolean(board);
    if (!board) return;
    box.textContent = "";
    box.appendChild(make("h1", "", board.title));
    box.appendChild(make("p", board.alarm ? "strong alarm" : "strong", board.strong));
    for (const text of board.text) box.appendChild(make("p", "", text));
    document.title = board.title;
}

function drawScene() {
    drawBoard();
    if (!scene.board) {
        setText($("segment"), scene.segment);
        setText($("clock"), scene.clock && scene.clock + " to go");
        setText($("aside"), scene.aside);
        drawSides();
        drawNotices();
        setText($("message"), [scene.message, scene.entry && "Program: " + scene.entry.split("\n").pop()].filter(Boolean).join("  \u00b7  "));
        document.title = [scene.segment, "boothlink"].filter(Boolean).join(" \u00b7 ");
    }
    drawHints();
    drawForm();
    drawDialog();
}

function charWidth() {
    const probe = document.body.appendChild(make("span", "rows probe", "0".repeat(100)));
    const width = probe.getBoundingClientRect().width / 100;
    probe.remove();
    return width;
}

/* Sets the largest type with which the sides' columns fit, and a dozen rows in each pane; the two
 * panes of an only side stand side by side where that allows larger type. A cell is a whole number
 * of eighths of a pixel: a browser rounds the widths of boxes and the size of type, but not the
 * widths of letters, so a gap between letters makes up for the difference. */

function fit() {
    const root = document.documentElement.style;
    if (!sides.length) return;
    root.setProperty("--type", "20px");
    root.setProperty("--gap", "0px");
    const em = charWidth() / 20;
    const box = sides[0].panes[0].rows;
    const pad = parseFloat(getComputedStyle(box).paddingLeft) * 2 + 14;
    const wide = sides[0].root.clientWidth;
    const tall = $("sides").clientHeight + ($("form").hidden ? 0 : $("form").offsetHeight);
    const size = (across, rows, most) => Math.min((across - pad) / (scene.columns * em), Math.max(12, tall / rows / 1.45), most);
    const stacked = size(wide, scene.style === "split" ? 18 : 16, 34);
    const beside = sides.length === 1 && scene.style === "split" ? size(wide / 2, 12, 44) : 0;
    document.querySelector(".panes").classList.toggle("beside", beside > stacked);
    const cell = Math.floor(Math.max(9, stacked, beside) * em * 8) / 8;
    root.setProperty("--type", cell / em + "px");
    root.setProperty("--cell", cell + "px");
    root.setProperty("--gap", cell - charWidth() + "px");
    fitPanes();
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
        sent = [];
        return;
    }
    sent.splice(0, told.took - taken);
    taken = told.took;
    if (told.scene) {
        scene = told.scene;
        drawScene();
    }
    for (const rows of told.rows || []) drawRows(rows);
    if (told.cursor !== undefined) {
        cursor = told.cursor;
        drawCursor();
    }
    if (!settled || (told.rows && told.rows.length)) announce(told);
    document.body.dataset.drawn = Number(document.body.dataset.drawn || 0) + 1;
}

/* A boothlink that was away gets the keys that it did not take once more. */
function onOpened() {
    shape = "";
    scene = null;
    offline("");
    keys.value = "";
    const again = sent.concat(kept).join("");
    sent = [];
    kept = [];
    taken = 0;
    send(again, true);
    keys.focus();
}

/* Another window has the page until a key is pressed here. */
function onClosed() {
    offline(other ? "This page is open in another window. A key here takes it back." : OFF);
    return !other;
}

enter({ opened: onOpened, heard: onMessage, closed: onClosed, away: () => offline(OFF),
    stranger: () => offline(STRANGER),
    incomplete: () => offline("This address is not complete: open the one that boothlink told.") });
