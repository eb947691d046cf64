"use strict";
/* The sessions' keys as the desk has them, drawn by conversation.js; in the back room the entity of
 * each side, and the wish to limit a confederate. door.js connects the page. */
const OFF = "boothlink-referee does not answer. Start it again on this machine. Sessions go on without it.";
const STRANGER = "Another program answers in its place, and is told nothing. Open the address that boothlink-referee has said.";
const SILENT = "The desk does not answer. Sessions go on without it, and their keys come when it is back. Tell the manager.";
const FULL = "More has come than this machine keeps. Start boothlink-referee again.";
let back = false;
let chosen = ""; /* the session that is shown alone, also before it comes again */

/* Follows the text, unless the referee has scrolled up. */
function draw(given) {
    const { box } = sideOf(given.place, given.session, given.side);
    const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 8;
    const side = take(given);
    box.tabIndex = 0;
    if (given.who) side.head.textContent = SIDES[given.side] + ": " + given.who;
    if (atEnd) box.scrollTop = box.scrollHeight;
    if (given.who && given.who[0] === "C") offer(given.who);
}

/* A confederate of a session, once. */
function offer(who) {
    if ([...$("who").options].some((option) => option.text === who)) return;
    const option = $("who").appendChild(make("option", "", who));
    option.value = who.split(" ")[0];
}

/* All sessions, or the one that was chosen. */
function choose() {
    for (const [name, { box }] of sessions) box.hidden = sessions.has(chosen) && chosen !== name;
}

/* The last round first, whatever comes first; in the choice, too. */
function listSessions() {
    if ($("shown").options.length === sessions.size + 1) return;
    const focus = document.activeElement;
    const sorted = [...sessions].sort(([a], [b]) => b.split(":")[1].localeCompare(a.split(":")[1], "en", { numeric: true }));
    for (const option of [...$("shown").options].slice(1)) option.remove();
    for (const [name, { box }] of sorted) {
        $("sessions").appendChild(box);
        $("shown").appendChild(make("option", "", box.querySelector("h2").textContent)).value = name;
    }
    $("shown").value = sessions.has(chosen) ? chosen : "";
    if (focus) focus.focus();
    choose();
}

function clear() {
    sessions.clear();
    $("sessions").textContent = "";
    for (const option of [...$("shown").options].slice(1)) option.remove();
}

function showFault(text) {
    $("fault").hidden = !text;
    if ($("fault").textContent !== text) $("fault").textContent = text;
}

function onMessage(event) {
    const told = JSON.parse(event.data);
    back = Boolean(told.back);
    if (told.first === 0 && sessions.size) clear();
    for (const given of told.keys) {
        if (given.done) $("outcome").textContent = (given.status === 0 ? "Done: " : "Not done: ") + given.said;
        else draw(given);
    }
    listSessions();
    $("limits").hidden = !back;
    $("do").disabled = Boolean(told.wish);
    if (told.wish) $("outcome").textContent = "On its way to the desk, which takes one wish in ten seconds.";
    else if (told.note) $("outcome").textContent = told.note;
    $("standing").textContent = sessions.size ? "" : "Nothing is to be seen yet.";
    showFault(told.silent ? SILENT : told.full ? FULL : "");
}

$("shown").addEventListener("change", () => {
    chosen = $("shown").value;
    choose();
});
$("limit").addEventListener("submit", (event) => {
    event.preventDefault();
    if (!socket || $("do").disabled) return;
    socket.send(JSON.stringify({ who: $("who").value, text: $("text").value, why: $("why").value }));
});

enter({ opened: () => showFault(""), heard: onMessage,
    closed: () => { showFault(OFF); return true; },
    away: () => showFault(OFF), stranger: () => showFault(STRANGER),
    incomplete: () => showFault("This address is not complete: open the one that boothlink-referee has said.") });
