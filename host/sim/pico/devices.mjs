// Parts of the RP2040 that rp2040js has not, or not with their times: a UART with two FIFOs and
// bits of their length, the SSI with its select line, the register that tells of a reset.
import { BasePeripheral } from '../../../build-npm/node_modules/rp2040js/dist/esm/peripherals/peripheral.js';

const FIFO = 32;
const RX = 1 << 4;
const TX = 1 << 5;
const TIMEOUT = 1 << 6;
const LEVEL = 4; // IFLS 0: an eighth

// RP2040 data sheet, 4.2. at(us, fn) calls it then; out(byte) takes what has passed the line.
export class Uart extends BasePeripheral {
    constructor(mcu, name, irq, at, out) {
        super(mcu, name);
        Object.assign(this, { irq, at, out, rx: [], tx: [], line: [], registers: new Map() });
        this.raw = 0;
        this.shifting = this.receiving = false;
    }

    get byteUs() {
        const divisor = (this.registers.get(0x24) ?? 0) * 64 + (this.registers.get(0x28) ?? 0);
        return divisor ? 10 * 16 * divisor * 1e6 / 64 / this.rp2040.clkPeri : 1e6;
    }

    get on() {
        return ((this.registers.get(0x30) ?? 0) & 0x301) === 0x301;
    }

    interrupts() {
        this.rp2040.setInterrupt(this.irq, (this.raw & (this.registers.get(0x38) ?? 0)) !== 0);
    }

    // From the host, at 38,400 baud; another rate here makes garbage of it.
    feed(bytes) {
        this.line.push(...bytes);
        this.next();
    }

    next() {
        if (this.receiving || this.line.length === 0)
            return;
        this.receiving = true;
        this.at(1e7 / 38400, () => {
            const byte = this.line.shift();
            this.receiving = false;
            if (this.on && this.rx.length < FIFO)
                this.rx.push(Math.abs(this.byteUs * 38400 / 1e7 - 1) < 0.03 ? byte : byte ^ 0x55);
            if (this.rx.length >= LEVEL)
                this.raw |= RX;
            else
                this.idle(this.rx.length);
            this.interrupts();
            this.next();
        });
    }

    // Nothing has come for 32 bits, and something waits.
    idle(length) {
        this.at(3.2 * this.byteUs, () => {
            if (this.rx.length !== length || this.receiving && this.line.length > 1)
                return;
            this.raw |= TIMEOUT;
            this.interrupts();
        });
    }

    shift() {
        if (this.shifting || this.tx.length === 0)
            return;
        this.shifting = true;
        const byte = this.tx.shift();
        if (this.tx.length === LEVEL) {
            this.raw |= TX;
            this.interrupts();
        }
        this.at(this.byteUs, () => {
            this.shifting = false;
            this.out(byte);
            this.shift();
        });
    }

    readUint32(offset) {
        switch (offset) {
        case 0x00: {
            const byte = this.rx.shift() ?? 0;
            if (this.rx.length < LEVEL)
                this.raw &= ~RX;
            if (this.rx.length === 0)
                this.raw &= ~TIMEOUT;
            this.interrupts();
            return byte;
        }
        case 0x18:
            return (this.rx.length ? 0 : 1 << 4) | (this.tx.length >= FIFO ? 1 << 5 : 0) |
                (this.tx.length ? 0 : 1 << 7) | (this.shifting ? 1 << 3 : 0);
        case 0x3c:
            return this.raw;
        case 0x40:
            return this.raw & (this.registers.get(0x38) ?? 0);
        default:
            return this.registers.get(offset) ?? 0;
        }
    }

    writeUint32(offset, value) {
        if (offset === 0x00) {
            if (this.on && this.tx.length < FIFO)
                this.tx.push(value & 0xff);
            if (this.tx.length > LEVEL)
                this.raw &= ~TX;
            this.shift();
        } else if (offset === 0x44) {
            this.raw &= ~value;
        } else {
            this.registers.set(offset, value);
        }
        this.interrupts();
    }
}

// 4.10: whole bytes, to and fro, while it is on and a device is chosen.
export class Ssi extends BasePeripheral {
    constructor(mcu, flash) {
        super(mcu, 'SSI');
        Object.assign(this, { flash, rx: [], registers: new Map() });
    }

    readUint32(offset) {
        switch (offset) {
        case 0x24:
            return this.rx.length;
        case 0x28:
            return 0x06 | (this.rx.length ? 0x08 : 0);
        case 0x60:
            return this.rx.shift() ?? 0;
        default:
            return this.registers.get(offset) ?? 0;
        }
    }

    writeUint32(offset, value) {
        this.registers.set(offset, value);
        if (offset === 0x08 && !(value & 1))
            this.rx = [];
        if (offset !== 0x60)
            return;
        if (this.registers.get(0x00) >> 16 !== 7 || !this.registers.get(0x08) || !this.registers.get(0x10))
            throw new Error('SSI: a byte is sent in another mode');
        if (this.rx.length === 16)
            throw new Error('SSI: its receive FIFO runs over');
        this.rx.push(this.flash.exchange(value & 0xff));
    }
}

// The select line's override, 2.19.6.2.
export class QspiPins extends BasePeripheral {
    constructor(mcu, flash) {
        super(mcu, 'IO_QSPI');
        Object.assign(this, { flash, registers: new Map() });
    }

    readUint32(offset) {
        return this.registers.get(offset) ?? 0;
    }

    writeUint32(offset, value) {
        const before = this.readUint32(offset) >> 8 & 3;
        const after = value >> 8 & 3;
        this.registers.set(offset, value);
        if (offset !== 0x0c || before === after)
            return;
        if (after === 2)
            this.flash.select();
        else if (before === 2)
            this.flash.deselect();
    }
}

// 2.12.8: what the last reset but the watchdog's was.
export class ChipReset extends BasePeripheral {
    constructor(mcu, reason) {
        super(mcu, 'VREG_AND_CHIP_RESET');
        this.reason = reason;
    }

    readUint32(offset) {
        return offset === 0x08 ? this.reason : 0;
    }

    writeUint32() {}
}
