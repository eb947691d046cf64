// An Entry of 2016 to 2019 as an entrant would write it: a client of socket.io-client 2.x, nothing
// of ours. entry.js URL NAME SECRET TRANSPORTS: answers each line of the judge's.
const io = require('socket.io-client');
const [url, id, secret, transports] = process.argv.slice(2);
const socket = io(url, { transports: transports.split(','), reconnectionDelay: 100, reconnectionDelayMax: 200 });
let partner, heard = 0;
const say = (event, map) => socket.emit(event, JSON.stringify(Object.assign(map, { id, secret })));
const log = (...words) => console.log(words.join(' '));

socket.on('connect', () => {
    log('connect');
    say('control', { status: 'register' });
    say('control', { status: 'roundInformation' });
});
socket.on('disconnect', (why) => log('disconnect', why));
socket.on('roundInformation', (text) => {
    const round = JSON.parse(text);
    log('round', round.roundNumber, round.status);
    if (round.roundNumber >= 0) partner = round.partners[id][0];
    if (round.status === 'Running') say('control', { status: 'recap' });
});
socket.on('control', (text) => {
    const control = JSON.parse(text);
    log('control', control.status);
    if (control.status === 'newRound') partner = control.partners[id][0];
});
socket.on('message', (text) => {
    const message = JSON.parse(text);
    log('message', JSON.stringify(message));
    say('message', { content: `Answer ${++heard}: you said "${message.content}".`, to: partner });
});
socket.on('recap', (text) => log('recap', text));
['AuthError', 'TargetError'].forEach((name) => socket.on(name, (text) => log(name, text)));
