import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { defaultLimits } from '../../wire/limits.ts';
import { Refusal } from '../../wire/refusal.ts';
import { Admission } from './admission.ts';
import type { Slot } from './slot.ts';

const peer = (network: string, isTrusted = false) => ({ address: network, network, isTrusted });

/** Takes slots until one is refused or evicted. */
function fill(take: () => Slot | Refusal | undefined, max = 100_000): Slot[] {
  const slots: Slot[] = [];
  while (slots.length < max) {
    const slot = take();
    if (slot === undefined || slot instanceof Refusal) break;
    slots.push(slot);
  }
  return slots;
}

test('Admission leaves room when several addresses take all they can get', () => {
  const admission = new Admission({ ...defaultLimits, requestsMax: 1_000, requestsPerAddressMax: 1_000 });
  const held: number[] = [];
  for (let address = 0; address < 6; address++) {
    held.push(fill(() => admission.admitRequest(`192.0.2.${address}`, () => {})).length);
  }
  equal(held[0], 500);
  // Each takes half of what those before it left free.
  deepEqual(held.slice(0, 4), [500, 250, 125, 63]);
  const newcomer = admission.admitRequest('192.0.2.99', () => {});
  ok(!(newcomer instanceof Refusal));
});

test('Admission refuses without room, and names the limit', () => {
  const limits = { ...defaultLimits, requestsMax: 4, requestsPerAddressMax: 1, requestsPerZoneMax: 1 };
  const admission = new Admission(limits);
  const codeOf = (given: Slot | Refusal | undefined): string | undefined =>
    given instanceof Refusal ? given.code : undefined;
  const first = admission.admitRequest('a', () => {}) as Slot;
  equal(codeOf(admission.admitRequest('a', () => {})), 'address_too_busy');
  equal(admission.admitToZone(first, 'zone'), undefined);
  const second = admission.admitRequest('b', () => {}) as Slot;
  equal(codeOf(admission.admitToZone(second, 'zone')), 'zone_too_busy');
  admission.admitRequest(undefined, () => {});
  admission.admitRequest(undefined, () => {});
  equal(codeOf(admission.admitRequest(undefined, () => {})), 'too_busy');
  first.release();
  first.release();
  equal(admission.requests, 3);
  equal(admission.admitToZone(second, 'zone'), undefined);
});

test('Admission evicts the one that has waited longest since its last progress', () => {
  const admission = new Admission({ ...defaultLimits, connectionsMax: 4 });
  const evicted: string[] = [];
  const enter = (name: string): Slot | undefined =>
    admission.admitConnection(peer(name), () => evicted.push(name));
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => enter(name)!);
  for (const slot of [a!, b!, c!, d!]) slot.wait();
  a!.wait();
  b!.proceed();
  for (const name of ['e', 'f', 'g']) enter(name);
  deepEqual(evicted, ['c', 'd', 'a']);
  // No request waits for its client: the one that is served keeps its slot.
  equal(enter('h'), undefined);
  equal(admission.connections, 4);
  b!.release();
  ok(enter('h') !== undefined);
});

test('Admission: a full share replaces its own idlest, not that of others', () => {
  const admission = new Admission({ ...defaultLimits, connectionsMax: 10, connectionsPerAddressMax: 2 });
  const evicted: string[] = [];
  for (const [index, network] of ['a', 'b', 'b', 'b', 'b'].entries()) {
    admission.admitConnection(peer(network), () => evicted.push(`${network}${index}`))!.wait();
  }
  deepEqual(evicted, ['b1', 'b2']);
  equal(admission.connections, 3);
});

test('Admission counts a share of one slot correctly when it is replaced', () => {
  const admission = new Admission({ ...defaultLimits, connectionsPerAddressMax: 1 });
  for (let round = 0; round < 5; round++) admission.admitConnection(peer('a'), () => {})!.wait();
  equal(admission.connections, 1);
});

test('Admission counts the connections of a trusted proxy in total only', () => {
  const admission = new Admission({ ...defaultLimits, connectionsMax: 8, connectionsPerAddressMax: 1 });
  equal(fill(() => admission.admitConnection(peer('proxy', true), () => {})).length, 8);
});
