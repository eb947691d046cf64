// The RP2040 with the firmware's own image, for host/sim/pico/chip.c: commands on standard input, a
// line each, and to each an answer on standard output. Time passes in `run` alone.
//
// rp2040js 1.4.1 has gaps that matter here. It has no boot ROM: what that does for a program in the
// flash memory is done in boot(). It leaves a watchdog's reset to its caller, and forgets why it
// was: see reset(). Its UART has no times, and there is no flash memory: devices.mjs, flash.mjs. Its
// processor always runs at the same speed, here the crystal's.
import { readFileSync, readSync, writeSync } from 'node:fs';

import { SimulationClock } from '../../../build-npm/node_modules/rp2040js/dist/esm/clock/simulation-clock.js';
import { RP2040 } from '../../../build-npm/node_modules/rp2040js/dist/esm/rp2040.js';
import { LogLevel, ConsoleLogger } from '../../../build-npm/node_modules/rp2040js/dist/esm/utils/logging.js';
import { ChipReset, QspiPins, Ssi, Uart } from './devices.mjs';
import { Flash, SIZE } from './flash.mjs';

const HZ = 12e6;
const NS = 1e9 / HZ;
const RAM = 0x20000000;
const STAGE = 0x41f00; // where the boot ROM puts the second stage
const LOOP = 0x41e00; // memory that the firmware does not use: it sleeps there for ever
const STORE = 8192;
const HAD_POR = 1 << 8;
const HAD_RUN = 1 << 16;
const [, , image, seed, watchdogAt, watchdogSize, outPins, inPins] = process.argv;
const pumps = outPins.split(',').slice(0, 2).map(Number);
const lamps = outPins.split(',').slice(2).map(Number);
const [keyPin, buttonPin] = inPins.split(',').map(Number);
const ram = Number(watchdogAt) - RAM;

// xorshift32
let state = Number(seed) % 0xffffffff + 1;
function word() {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
}
const dice = (below) => word() % below;

let mcu = null;
let uart = null;
let clock = new SimulationClock(HZ);
let before = 0; // ns of the clocks that were
let off = false;
let hung = false;
let resets = 0;
let key = true;
let button = false;
let events = [];
let waits = []; // bytes from the host that a reset has left on the line

const now = () => before + clock.nanos;
function at(us, fn) {
    const alarm = clock.createAlarm(fn);
    alarm.schedule(us * 1000);
}

const flash = new Flash(readFileSync(image), dice, at, now);
flash.powerLost = () => powerOff();

function note(kind, value) {
    events.push([now(), kind, value]);
}

function inputs() {
    mcu.gpio[keyPin].setInputValue(!key);
    mcu.gpio[buttonPin].setInputValue(!button);
}

function crc32(bytes) {
    let sum = 0xffffffff;
    for (const byte of bytes) {
        sum ^= byte << 24;
        for (let bit = 0; bit < 8; bit++)
            sum = sum & 0x80000000 ? sum << 1 ^ 0x04c11db7 : sum << 1;
    }
    return sum >>> 0;
}

// The boot ROM: the second stage into memory, if its checksum is right. A memory that is busy with what a
// reset has left gives nothing, so it is asked again, for 0.5 s (data sheet, 2.8.1).
function boot() {
    const busy = flash.busy ? flash.busy.until - now() : 0;
    if (busy > 0.5e9)
        throw new Error(`${image}: the flash memory is busy for too long: the boot ROM waits for a UF2`);
    if (busy > 0)
        clock.tick(busy + 1000); // its end is an alarm of the same clock
    const stage = flash.bytes.subarray(0, 252);
    mcu.flash.set(flash.bytes);
    if (crc32(stage) !== new DataView(flash.bytes.buffer).getUint32(252, true))
        throw new Error(`${image}: the checksum of the second stage is wrong`);
    mcu.sram.set(stage, STAGE);
    mcu.core.PC = RAM + STAGE;
    mcu.core.SP = RAM + 0x42000;
}

// Everything but the memory, the crystal and what tells of the reset begins anew.
function reset(reason, watchdogs) {
    const memory = mcu?.sram;
    waits = uart?.line ?? waits;
    before += clock.nanos;
    clock = new SimulationClock(HZ);
    mcu = new RP2040(clock);
    mcu.logger = new ConsoleLogger(LogLevel.Error, true);
    mcu.clkSys = mcu.clkPeri = HZ;
    if (memory && (reason !== HAD_POR || watchdogs))
        mcu.sram.set(memory);
    else
        for (let i = 0; i < mcu.sram.length; i += 4)
            mcu.sramView.setUint32(i, word());
    uart = new Uart(mcu, 'UART0', 20, at, (byte) => note(0, byte));
    mcu.uart[0] = mcu.peripherals[0x40034] = uart;
    mcu.peripherals[0x18000] = new Ssi(mcu, flash);
    mcu.peripherals[0x40018] = new QspiPins(mcu, flash);
    mcu.peripherals[0x40064] = new ChipReset(mcu, reason);
    const watchdog = mcu.peripherals[0x40058];
    watchdog.reason = watchdogs ? 1 : 0;
    watchdog.onWatchdogTrigger = () => {
        watchdog.alarm.enable = watchdog.timer.enable = false; // or it triggers for ever at this instant
        pending = () => reset(lastReason, true);
    };
    lastReason = reason;
    flash.wasReset(reason === HAD_POR && !watchdogs);
    pumps.forEach((pin, line) => {
        note(1 + line, 0);
        mcu.gpio[pin].addListener((value) => note(1 + line, value === 1 ? 1 : 0));
    });
    inputs();
    boot();
    uart.feed(waits.splice(0));
    hung = off = false;
    resets++;
}
let lastReason = HAD_POR;
let pending = null;

function powerOff() {
    off = true;
    pumps.forEach((_, line) => note(1 + line, 0));
}

function step(end) {
    const { core } = mcu;
    if (hung && core.IPSR === 0 && core.PC !== RAM + LOOP && core.PC !== RAM + LOOP + 2) {
        mcu.writeUint32(RAM + LOOP, 0xe7fdbf30); // wfi, and back
        core.PC = RAM + LOOP;
        core.waiting = false;
    }
    if (core.waiting)
        clock.tick(Math.max(Math.min(clock.nanosToNextAlarm || NS, end - now()), NS / 4));
    else
        clock.tick(core.executeInstruction() * NS);
    if (pending) {
        const what = pending;
        pending = null;
        what();
    }
}

// Until then, or until a byte of memory changes.
function run(cycles, watched) {
    const end = now() + cycles * NS;
    const was = watched === undefined ? 0 : mcu.sram[watched];
    while (now() < end - 1e-3 && !off) {
        step(end);
        if (watched !== undefined && mcu.sram[watched] !== was)
            return true;
    }
    if (off && now() < end)
        before += end - now();
    return false;
}

// Cycles, power, resets, writes, lamps, bytes that wait, whether it changed; events; the watchdog.
function answer(changed, more) {
    const memory = mcu.sram.subarray(ram, ram + Number(watchdogSize));
    const size = 48 + 16 * events.length + memory.length + more.length;
    const out = Buffer.alloc(size);
    out.writeUInt32LE(size, 0);
    out.writeUInt32LE(events.length, 4);
    out.writeDoubleLE(now() / NS, 8);
    out.writeUInt32LE(off ? 1 : 0, 16);
    out.writeUInt32LE(resets, 20);
    out.writeUInt32LE(flash.writes, 24);
    out.writeUInt32LE(lamps.reduce((all, pin, i) => all | (!off && mcu.gpio[pin].value === 1 ? 1 << i : 0), 0), 28);
    out.writeUInt32LE(uart.line.length, 32);
    out.writeUInt32LE(changed ? 1 : 0, 36);
    flash.wear.slice(-2).forEach((times, i) => out.writeUInt32LE(times, 40 + 4 * i));
    events.forEach(([when, kind, value], i) => {
        out.writeDoubleLE(when / NS, 48 + 16 * i);
        out.writeUInt32LE(kind, 56 + 16 * i);
        out.writeUInt32LE(value, 60 + 16 * i);
    });
    out.set(memory, 48 + 16 * events.length);
    out.set(more, 48 + 16 * events.length + memory.length);
    events = [];
    for (let done = 0; done < size;)
        done += writeSync(1, out, done);
}

const tears = ['all', 'none', 'some'];
const commands = {
    run: ([cycles]) => run(Number(cycles)),
    change: ([cycles, where]) => run(Number(cycles), Number(where) - RAM),
    send: ([hex]) => uart.feed(Buffer.from(hex, 'hex')),
    key: ([on]) => { key = on === '1'; inputs(); },
    button: ([on]) => { button = on === '1'; inputs(); },
    reset: ([power]) => reset(power === '1' ? HAD_POR : HAD_RUN, false),
    off: () => powerOff(),
    hang: () => { hung = true; },
    cut: ([write, tear]) => { flash.cut = { write: Number(write), tear: tears[tear] }; flash.armed(); },
    stick: ([on]) => { flash.sticks = on === '1'; },
    poke: ([where, byte]) => { mcu.sram[Number(where) - RAM] = Number(byte); },
    dump: () => {},
    put: ([hex]) => { flash.bytes.set(Buffer.from(hex, 'hex'), SIZE - STORE); },
};

reset(HAD_POR, false);
answer(false, Buffer.alloc(0));
let text = '';
const input = Buffer.alloc(65536);
for (;;) {
    const end = text.indexOf('\n');
    if (end < 0) {
        const count = readSync(0, input);
        if (count === 0)
            break;
        text += input.toString('latin1', 0, count);
        continue;
    }
    const [name, ...words] = text.slice(0, end).split(' ');
    text = text.slice(end + 1);
    const changed = commands[name](words);
    answer(changed === true, name === 'dump' ? flash.bytes.subarray(SIZE - STORE) : Buffer.alloc(0));
}
