// A W25Q16JV on the RP2040's SSI, as far as the firmware uses it (data sheet, 8.2 and 9.6): read,
// status, write enable, page program, sector erase. rp2040js has no model of it. Its times are drawn
// between typical and longest; a power cut leaves what was being written anywhere in between.
export const SIZE = 2 * 1024 * 1024;
const PAGE = 256;
const SECTOR = 4096;

export class Flash {
    // image: what a programmer has put there. dice(n): a number below n. at(us, fn): calls it then, by
    // the processor's clock, which a reset makes anew. now(): ns, by one that goes on.
    constructor(image, dice, at, now) {
        this.bytes = new Uint8Array(SIZE).fill(0xff);
        this.bytes.set(image);
        this.dice = dice;
        this.at = at;
        this.now = now;
        this.writes = 0;
        this.wear = new Uint32Array(SIZE / SECTOR);
        this.sticks = false;
        this.cut = null;
        this.busy = null;
        this.deselect();
    }

    select() {
        this.input = [];
    }

    // A byte from the processor; returns the one that comes back.
    exchange(byte) {
        if (this.input === null)
            return 0xff;
        this.input.push(byte);
        const [command, a, b, c] = this.input;
        const n = this.input.length;
        if (command === 0x05)
            return n > 1 ? (this.busy ? 1 : 0) | (this.enabled ? 2 : 0) : 0xff;
        if (command === 0x03 && n > 4 && !this.busy)
            return this.bytes[((a << 16 | b << 8 | c) + n - 5) % SIZE];
        return this.dice(256);
    }

    deselect() {
        const input = this.input ?? [];
        const command = input[0];
        const address = (input[1] << 16 | input[2] << 8 | input[3]) % SIZE;
        this.input = null;
        if (this.busy)
            return;
        if (command === 0x06 && input.length === 1)
            this.enabled = true;
        else if (command === 0x02 && input.length > 4 && this.enabled)
            this.program(address, input.slice(4));
        else if (command === 0x20 && input.length === 4 && this.enabled)
            this.erase(address - address % SECTOR);
    }

    program(address, bytes) {
        const page = address - address % PAGE;
        const cells = bytes.map((byte, i) => [page + (address + i) % PAGE, byte]);
        this.begin(1000 + this.dice(2000), (tear) => {
            for (const [at, byte] of cells) {
                const noise = this.dice(256);
                if (tear !== 'none')
                    this.bytes[at] &= tear === 'some' ? byte | noise : byte;
            }
        });
    }

    erase(sector) {
        this.wear[sector / SECTOR]++;
        this.begin(45000 + this.dice(355000), (tear) => {
            for (let at = sector; at < sector + SECTOR; at++) {
                const noise = this.dice(256);
                if (tear === 'none')
                    this.bytes[at] |= at % 2 ? 0xff : 0;
                else
                    this.bytes[at] |= tear === 'some' ? noise : 0xff;
            }
        });
    }

    // finish('all', 'some' or 'none') leaves the memory so.
    begin(us, finish) {
        this.enabled = false;
        this.writes++;
        this.busy = { finish, until: this.now() + us * 1000 };
        this.wait();
    }

    wait() {
        const operation = this.busy;
        this.at((operation.until - this.now()) / 1000, () => this.end(operation, 'all'));
        this.armed();
    }

    // The processor was reset: what was begun goes on; without power it stops anywhere.
    wasReset(power) {
        this.input = null;
        if (power)
            this.enabled = false;
        if (this.busy && power)
            this.end(this.busy, ['all', 'some', 'none'][this.dice(3)]);
        else if (this.busy)
            this.wait();
    }

    end(operation, tear) {
        if (this.busy !== operation)
            return;
        this.busy = null;
        if (!this.sticks)
            operation.finish(tear);
        if (this.cut !== null && this.writes > this.cut.write)
            this.off();
    }

    // A write that is to be cut: at its end, or before.
    armed() {
        const operation = this.busy;
        if (this.cut === null || operation === null || this.writes <= this.cut.write)
            return;
        if (this.cut.tear !== 'all')
            this.at(200 + this.dice(700), () => this.end(operation, this.cut?.tear ?? 'all'));
        else
            this.at(900, () => this.end(operation, 'all'));
    }

    off() {
        this.cut = null;
        this.powerLost();
    }

    powerLost() {}
}
