"use strict";
/* Types the keys again, at their own times. */
(() => {
    const told = JSON.parse(document.getElementById("keys").textContent);
    const root = document.getElementById("player");
    const make = (tag, parent, className, text) => {
        const element = parent.appendChild(document.createElement(tag));
        if (className) element.className = className;
        if (text !== undefined) element.textContent = text;
        return element;
    };
    const clock = (ms) => {
        const s = Math.floor(ms / 1000);
        return String(Math.floor(s / 60)).padStart(2, "0") + ":" + String(s % 60).padStart(2, "0");
    };

    function play(part) {
        const at = [];
        let length = 0;
        for (const key of part.keys) at.push(length += key[0]);
        const both = part.keys.some((key) => key[1] !== part.keys[0][1]);
        const box = make("section", root);
        make("p", box, "about", [part.judge && "judge " + part.judge, part.program && "program " + part.program,
            part.round && "round " + part.round, part.left && "on the left the " + part.left].filter(Boolean).join(", "));
        const controls = make("div", box, "controls");
        const button = make("button", controls, "main", "Play");
        const time = make("time", controls);
        const slide = make("input", controls);
        slide.type = "range";
        slide.max = length;
        slide.setAttribute("aria-label", "time in the conversation");
        const skip = make("button", controls, "", "Next key");
        const speed = make("select", controls);
        speed.setAttribute("aria-label", "speed");
        for (const times of [0.5, 1, 2, 4, 8, 16]) make("option", speed, "", times + "\u00d7").value = times;
        speed.value = 1;
        const sides = make("div", box, "sides");
        const panes = {};
        for (const side of both ? [0, 1] : [part.keys.length ? part.keys[0][1] : 0]) {
            const section = make("div", sides, "side");
            if (both) make("h2", section, "", side ? "RIGHT" : "LEFT");
            for (const party of [1, 0]) {
                const pane = make("div", section, "pane");
                make("h3", pane, "", party ? "Entity" : "Judge");
                panes[side + " " + party] = make("pre", pane, party ? "text entity" : "text judge", "");
                panes[side + " " + party].tabIndex = 0;
            }
        }
        let now = 0, done = 0, frame = 0, before = 0;
        const texts = {};

        function show(ms) {
            now = Math.max(0, Math.min(ms, length));
            if (done && at[done - 1] > now) {
                for (const name in panes) texts[name] = [];
                done = 0;
            }
            const touched = new Set(done === 0 ? Object.keys(panes) : []);
            for (; done < at.length && at[done] <= now; done++) {
                const [, side, party, point] = part.keys[done];
                const name = side + " " + party;
                const text = texts[name] || (texts[name] = []);
                if (point !== "\b") text.push(point);
                else if (told.over || text[text.length - 1] !== "\n") text.pop();
                touched.add(name);
            }
            for (const name of touched) {
                panes[name].textContent = (texts[name] || []).join("");
                panes[name].scrollTop = panes[name].scrollHeight;
            }
            time.textContent = clock(now) + " / " + clock(length);
            slide.value = now;
        }
        function pause() {
            cancelAnimationFrame(frame);
            frame = 0;
            button.textContent = "Play";
        }
        function step(stamp) {
            show(now + (before ? (stamp - before) * speed.value : 0));
            before = stamp;
            if (now >= length) pause();
            else frame = requestAnimationFrame(step);
        }
        function toggle() {
            if (frame) return pause();
            if (now >= length) show(0);
            before = 0;
            button.textContent = "Pause";
            frame = requestAnimationFrame(step);
        }
        button.addEventListener("click", toggle);
        slide.addEventListener("input", () => show(Number(slide.value)));
        skip.addEventListener("click", () => show(at[done] === undefined ? length : at[done]));
        box.addEventListener("keydown", (event) => {
            if (event.target === speed || event.target === slide) return;
            const jump = { ArrowLeft: -10000, ArrowRight: 10000 }[event.key];
            if (jump) show(now + jump);
        });
        show(0);
    }

    for (const part of told.parts) play(part);
})();
