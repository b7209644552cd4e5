/**
 * The script of the challenge page. It is identical on every page, so that a content security policy can name its hash;
 * what differs is in attributes of the page. It contains its own SHA-256 because `crypto.subtle` is unavailable on
 * pages without TLS and would have to be awaited for each of thousands of hashes.
 */
import { sliceMs } from './limits.ts';

export const pageScript = `
'use strict';
(() => {
  const { puzzle, bits, path } = document.getElementById('challenge').dataset;
  const state = document.getElementById('state');
  const start = document.getElementById('start');
  const prefix = puzzle.slice(puzzle.lastIndexOf('.') + 1) + ':';

  const fraction = (number) => ((number - Math.floor(number)) * 2 ** 32) | 0;
  const initial = [];
  const round = [];
  for (let number = 2; round.length < 64; number++) {
    let divisor = 2;
    while (number % divisor !== 0) divisor++;
    if (divisor !== number) continue;
    if (initial.length < 8) initial.push(fraction(Math.sqrt(number)));
    round.push(fraction(Math.cbrt(number)));
  }

  const words = new Int32Array(64);
  const turn = (word, by) => (word >>> by) | (word << (32 - by));

  /* The first word of the hash of up to 55 characters of ASCII. */
  function firstWord(text) {
    words.fill(0, 0, 16);
    for (let i = 0; i < text.length; i++) words[i >> 2] |= text.charCodeAt(i) << (24 - 8 * (i & 3));
    words[text.length >> 2] |= 0x80 << (24 - 8 * (text.length & 3));
    words[15] = text.length * 8;
    for (let i = 16; i < 64; i++) {
      const x = words[i - 15];
      const y = words[i - 2];
      const small0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
      const small1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      words[i] = words[i - 16] + small0 + words[i - 7] + small1;
    }
    let [a, b, c, d, e, f, g, h] = initial;
    for (let i = 0; i < 64; i++) {
      const large1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const first = h + large1 + ((e & f) ^ (~e & g)) + round[i] + words[i];
      const large0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const second = large0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    return (initial[0] + a) | 0;
  }

  function say(text) {
    state.textContent = text;
  }

  async function send(solution) {
    const body = new URLSearchParams({ puzzle, solution }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    try {
      const answer = await fetch(path, { method: 'POST', headers, body, credentials: 'same-origin' });
      if (answer.ok) return location.reload();
    } catch {
      /* The network failed: the same advice holds. */
    }
    say('That did not work. Load the page again.');
  }

  function work(number) {
    const end = performance.now() + ${sliceMs};
    do {
      for (const last = number + 64; number < last; number++) {
        if (firstWord(prefix + number) >>> (32 - bits) === 0) return void send(number);
      }
    } while (performance.now() < end);
    setTimeout(work, 0, number);
  }

  function begin() {
    if (start) start.disabled = true;
    if (!navigator.cookieEnabled) return say('This page needs cookies to go on.');
    say('Checking. This takes a moment.');
    work(0);
  }

  if (start) start.addEventListener('click', begin, { once: true });
  else begin();
})();
`;
