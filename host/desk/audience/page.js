"use strict";
/* Draws the conversations as they come, a while after they were typed. Text is only ever put into text
 * nodes. */
const $ = (id) => document.getElementById(id);
const LOOK_MS = 2000;
const SIDES = ["LEFT", "RIGHT"];
const sessions = new Map(); /* by place and name: {sides: [{box, lines, placed}]} */
let next = 0, run = 0;

function make(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
}

function title(session) {
    const [, round, judge, again] = /^r(\d+)-j(\d+)(?:-(\d+))?$/.exec(session) || [];
    return round ? "Round " + round + ", judge " + judge + (again ? ", held again" : "") : session;
}

/* A booth names its sessions, so two booths may use one name. */
function sideOf(place, session, number) {
    const name = place + ":" + session;
    if (!sessions.has(name)) {
        const box = make("section");
        const head = box.appendChild(make("h2", "", title(session)));
        head.id = name;
        box.setAttribute("aria-labelledby", name);
        const sides = box.appendChild(make("div", "sides"));
        $("sessions").prepend(box);
        sessions.set(name, { sides, side: [] });
    }
    const { sides, side } = sessions.get(name);
    if (!side[number]) {
        const box = make("div");
        box.appendChild(make("h3", "", SIDES[number]));
        side[number] = { box, count: 0, last: null };
        sides.append(...side.filter(Boolean).map((each) => each.box));
    }
    return side[number];
}

/* Begins a new line for the other party, and after a Return. */
function lineOf(side, party) {
    if (!side.last || side.last.party !== party || side.last.ended) {
        const box = side.box.appendChild(make("p", party ? "said" : "said judge"));
        box.appendChild(make("span", "who", party ? "Entity: " : "Judge: "));
        side.last = { party, ended: false, text: "", node: box.appendChild(document.createTextNode("")) };
    }
    return side.last;
}

function take(given) {
    const side = sideOf(given.place, given.session, given.side);
    const points = [...given.text];
    if (given.first + points.length - 1 <= side.count) return; /* written again behind a restart */
    side.count = given.first + points.length - 1;
    for (const point of points) {
        const line = lineOf(side, given.party);
        if (point === "\r") line.ended = true;
        else if (point === "\b") line.text = [...line.text].slice(0, -1).join("");
        else line.text += point === "\t" ? " " : point;
        line.node.data = line.text;
    }
}

async function look() {
    let more = false;
    try {
        const answer = await (await fetch("keys?from=" + next)).json();
        if (run && answer.run !== run) location.reload(); /* the desk began again */
        run = answer.run;
        more = answer.next > next;
        next = answer.next;
        answer.keys.forEach(take);
        $("standing").textContent = next ? "" : "Nothing is to be seen yet.";
    } catch {
        $("standing").textContent = "The page is not reached. It goes on by itself.";
    }
    setTimeout(look, more ? 0 : LOOK_MS);
}

look();
