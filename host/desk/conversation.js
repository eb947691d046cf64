"use strict";
/* Draws conversations into #sessions, from lines of keys as they come. Text is only ever put into text
 * nodes. */
const $ = (id) => document.getElementById(id);
const SIDES = ["LEFT", "RIGHT"];
const sessions = new Map(); /* by place and name: {box, sides, side} */

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

/* The name is the booth's, so another one may have it. */
function sideOf(place, session, number) {
    const name = place + ":" + session;
    if (!sessions.has(name)) {
        const box = make("section");
        const head = box.appendChild(make("h2", "", title(session)));
        head.id = name;
        box.setAttribute("aria-labelledby", name);
        const sides = box.appendChild(make("div", "sides"));
        $("sessions").prepend(box);
        sessions.set(name, { box, sides, side: [] });
    }
    const { sides, side } = sessions.get(name);
    if (!side[number]) {
        const box = make("div");
        const head = box.appendChild(make("h3", "", SIDES[number]));
        side[number] = { box, head, count: 0, last: null };
        sides.append(...side.filter(Boolean).map((each) => each.box));
    }
    return side[number];
}

/* A new line for the other party, and behind a Return. */
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
    if (given.first + points.length - 1 <= side.count) return side; /* written again behind a restart */
    side.count = given.first + points.length - 1;
    for (const point of points) {
        const line = lineOf(side, given.party);
        if (point === "\r") line.ended = true;
        else if (point === "\b") line.text = [...line.text].slice(0, -1).join("");
        else line.text += point === "\t" ? " " : point;
        line.node.data = line.text;
    }
    return side;
}
