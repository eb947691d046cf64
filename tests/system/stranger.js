"use strict";
/* page.js without a browser, at a port that a stranger takes; prints "STATUS DESCRIPTION" for each check.
 * stranger.js SCRIPT... */
const fs = require("fs");
const vm = require("vm");

const TOKEN = "0123456789abcdef0123456789abcdef";
const encoder = new TextEncoder();
const lines = [], asked = [];
let fetched = null;

function result(good, description, why) {
    console.log((good ? 0 : 1) + " " + description);
    if (!good) console.log("# " + JSON.stringify(why));
}

/* Any element: it takes what it is given, and holds others. */
function element() {
    const listeners = {};
    return { value: "", textContent: "", hidden: true, dataset: {}, style: { setProperty() {} }, listeners,
        classList: { toggle() {}, add() {}, remove() {} }, getAttribute: () => "", setAttribute() {},
        removeAttribute() {}, focus() {}, appendChild: (child) => child,
        addEventListener: (name, listener) => { listeners[name] = listener; } };
}

const elements = {};
const document = { ...element(), body: element(), documentElement: element(), createElement: element,
    createTextNode: element, getElementById: (id) => (elements[id] ||= element()) };

class Line {
    static OPEN = 1;
    constructor(url) {
        Object.assign(this, { url, readyState: 1, sent: [], listeners: {} });
        lines.push(this);
    }
    addEventListener(name, listener) { this.listeners[name] = listener; }
    send(message) { this.sent.push(typeof message === "string" ? message : Buffer.from(message).toString()); }
    close() {
        if (this.readyState === 1) this.listeners.close({});
        this.readyState = 3;
    }
    say(message) { this.listeners.message({ data: JSON.stringify(message) }); }
}

const location = { host: "127.0.0.1:4711", port: "4711", pathname: "/", hash: "#" + TOKEN };
const sandbox = { document, location, WebSocket: Line, TextEncoder, ResizeObserver: class { observe() {} },
    crypto: globalThis.crypto, console, window: element(), getSelection: () => "",
    history: { replaceState: (state, title, url) => { location.hash = url.startsWith("#") ? url : ""; } },
    setTimeout: (act, ms) => (ms < 1000 ? setImmediate(act) : 0), clearTimeout() {},
    fetch: (url) => { asked.push(url); return new Promise((good) => { fetched = good; }); } };

async function mac(text, token = TOKEN) {
    const key = await crypto.subtle.importKey("raw", encoder.encode(token), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return Buffer.from(await crypto.subtle.sign("HMAC", key, encoder.encode(text))).toString("hex");
}

async function until(look) {
    for (let i = 0; i < 10000; i++) {
        if (look()) return true;
        await new Promise((good) => setImmediate(good));
    }
    return false;
}

/* The next line, once the page has opened it and asked; proved under this token, or not at all. */
async function serve(token, number) {
    await until(() => lines.length > number);
    const line = lines[number], drawn = "ab".repeat(16);
    line.listeners.open({});
    line.say({ drawn, proof: await mac(`boothlink server 4711 ${line.sent[0]} ${drawn}`, token) });
    if (token === TOKEN) await until(() => line.sent.length > 1);
    else await until(() => line.readyState !== 1);
    return { line, drawn };
}

function type(text) {
    const keys = elements.keys;
    keys.value = text;
    keys.listeners.input({});
}

/* The page looks again, and somebody answers. */
async function answered() {
    await until(() => fetched);
    const good = fetched;
    fetched = null;
    good({});
}

async function main() {
    vm.runInNewContext(process.argv.slice(2).map((name) => fs.readFileSync(name, "utf8")).join("\n"), sandbox);
    result(location.hash === "", "the address has no token before boothlink has proved itself", location);
    const first = await serve(TOKEN, 0);
    result(first.line.sent[1] === await mac(`boothlink page 4711 ${first.line.sent[0]} ${first.drawn}`),
        "boothlink proves itself, and then the page does", first.line.sent);
    result(await until(() => location.hash === "#" + TOKEN), "now a reload finds it", location);
    first.line.say({ took: 0 });
    type("ab");
    result(first.line.sent[2] === "ab", "what is typed goes to it", first.line.sent);
    first.line.close();
    result(location.hash === "", "when it is away the address has no token", location);
    type("secret");
    let kept = false;
    document.listeners.keydown({ key: "F5", ctrlKey: false, preventDefault: () => { kept = true; } });
    document.activeElement = elements.keys;
    elements.keys.listeners.keydown({ key: "F5", preventDefault: () => { kept = true; } });
    result(kept, "and no key loads it anew");

    await answered();
    const stranger = await serve("f".repeat(32), 1);
    result(stranger.line.readyState === 3, "a stranger's proof is none: the page leaves");
    result(stranger.line.sent.length === 1 && /^[0-9a-f]{32}$/.test(stranger.line.sent[0]) &&
        stranger.line.sent[0] !== first.line.sent[0], "a number of its own is all that he was told", stranger.line.sent);
    result(elements.offline.textContent.includes("Another program answers"), "the page says so", elements.offline.textContent);
    result(!lines.some((line) => line.url.includes(TOKEN)) && !asked.some((url) => url.includes(TOKEN)),
        "nobody was asked with the token", asked);
    await answered();
    stranger.line.listeners.message({ data: JSON.stringify({ scene: { board: { title: "mine" } } }) });
    result(document.title !== "mine", "nor does it show what he says");

    const again = await serve(TOKEN, 2);
    await until(() => again.line.sent.length > 2);
    result(again.line.sent[2] === "absecret", "boothlink is there again: it has what was kept, and what it took from nobody",
        again.line.sent);
    process.exit(0);
}

main();
