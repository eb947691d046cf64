"use strict";
/* Asks for the keys that have come, a while after they were typed; conversation.js draws them. */
const LOOK_MS = 2000;
let next = 0, run = 0;

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
