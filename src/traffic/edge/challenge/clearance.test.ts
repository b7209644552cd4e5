import { equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { Signer } from './clearance.ts';
import { clearanceMs, puzzleMs } from './limits.ts';

const signer = new Signer(new Uint8Array(32).fill(7));
const client = { zoneId: 'zone', address: '192.0.2.1', userAgent: 'a browser' };
const nowMs = 1_700_000_000_000;

test('Signer reads what it signed, until it expires', () => {
  for (const [purpose, validMs] of [
    ['puzzle', puzzleMs],
    ['clearance', clearanceMs],
  ] as const) {
    const text = signer.sign(purpose, client, 'content', nowMs);
    equal(signer.read(purpose, client, text, nowMs), 'content');
    equal(signer.read(purpose, client, text, nowMs + validMs - 1), 'content');
    equal(signer.read(purpose, client, text, nowMs + validMs), undefined);
  }
});

test('Signer refuses what was signed for a later time', () => {
  const text = signer.sign('puzzle', client, 'content', nowMs + 1);
  equal(signer.read('puzzle', client, text, nowMs), undefined);
});

test('Signer refuses what was signed for another purpose, zone, address, user agent, or with another secret', () => {
  const text = signer.sign('puzzle', client, 'content', nowMs);
  equal(signer.read('clearance', client, text, nowMs), undefined);
  for (const other of [
    { ...client, zoneId: 'other' },
    { ...client, address: '192.0.2.2' },
    { ...client, userAgent: 'another browser' },
    { ...client, userAgent: '' },
  ]) {
    equal(signer.read('puzzle', other, text, nowMs), undefined);
  }
  const stranger = new Signer(new Uint8Array(32).fill(8));
  equal(stranger.read('puzzle', client, text, nowMs), undefined);
});

test('Signer refuses every text that differs from the signed one, is truncated or extended', () => {
  const text = signer.sign('puzzle', client, 'content', nowMs);
  for (let index = 0; index < text.length; index++) {
    const other = text[index] === 'A' ? 'B' : 'A';
    equal(
      signer.read('puzzle', client, text.slice(0, index) + other + text.slice(index + 1), nowMs),
      undefined,
    );
    equal(signer.read('puzzle', client, text.slice(0, index), nowMs), undefined);
    equal(signer.read('puzzle', client, text.slice(index + 1), nowMs), undefined);
  }
  for (const odd of ['', '.', '..', '...', `${text}A`, `${text}.`, `.${text}`, `${text}\0`, 'é'.repeat(22)]) {
    equal(signer.read('puzzle', client, odd, nowMs), undefined, JSON.stringify(odd));
  }
});

test('Signer requires a secret of 32 bytes', () => {
  throws(() => new Signer(new Uint8Array(31)), RangeError);
});
