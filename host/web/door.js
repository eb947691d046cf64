"use strict";
/* Connects a page to boothlink. Any user of this machine may answer at a port: the page gives
 * nothing to a server, and takes nothing from it, before its proof that it has the address's token
 * (proof.h). A page calls enter() with its functions. */
const [, token] = /^#([0-9a-f]{32})$/.exec(location.hash) || [];
const PROOF_MS = 10000; /* time for a server's proof */
const LOOK_MS = 20, LOOK_LATER_MS = 300, SOON = 150; /* a terminal that was killed is back at once */

let socket = null; /* to a server that has proved itself */
let looks = 0;
let page = null;

function hex(bytes) {
    return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function prove(party, asked, drawn) {
    const bytes = new TextEncoder();
    const key = await crypto.subtle.importKey("raw", bytes.encode(token), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const said = ["boothlink", party, location.port || 80, asked, drawn].join(" ");
    return hex(await crypto.subtle.sign("HMAC", key, bytes.encode(said)));
}

/* The token is in the address only while boothlink answers: a reload at any other moment would give
 * it to any program that answers. */
function setAddress(open) {
    history.replaceState(null, "", open ? "#" + token : location.pathname);
}

/* Checks the server's proof, and then sends this page's. */
async function meet(line, asked, text) {
    let told = {};
    try {
        told = JSON.parse(text);
    } catch { /* no proof */ }
    if (told.proof === await prove("server", asked, told.drawn)) {
        line.send(await prove("page", asked, told.drawn));
        socket = line;
        setAddress(true);
        looks = 0;
        page.opened();
        return;
    }
    page.stranger();
    line.close();
}

function wait() {
    return looks++ < SOON ? LOOK_MS : LOOK_LATER_MS;
}

function connect() {
    const line = new WebSocket("ws://" + location.host + "/socket");
    const asked = hex(crypto.getRandomValues(new Uint8Array(16)));
    let heard = false, waits = 0;
    line.addEventListener("open", () => {
        line.send(asked);
        waits = setTimeout(() => line.close(), PROOF_MS);
    });
    line.addEventListener("message", (event) => {
        if (socket === line) {
            page.heard(event);
        } else if (!heard) {
            heard = true;
            clearTimeout(waits);
            meet(line, asked, event.data);
        }
    });
    line.addEventListener("close", () => {
        let again = true;
        clearTimeout(waits);
        if (socket === line) {
            socket = null;
            setAddress(false);
            again = page.closed();
        } else if (!heard) {
            page.away();
        }
        if (again) setTimeout(comeBack, wait());
    });
}

/* Looks for a server by a fetch, which no browser delays; browsers delay WebSockets that failed. */
function comeBack() {
    fetch("page.css", { cache: "no-store" }).then(connect, () => setTimeout(comeBack, wait()));
}

/* Takes the page's opened(); heard(event); closed(), true to connect again; away(); stranger();
 * incomplete(). */
function enter(given) {
    page = given;
    if (token) {
        setAddress(false);
        connect();
    } else {
        page.incomplete();
    }
}
