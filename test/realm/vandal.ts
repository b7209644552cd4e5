/**
 * A Worker that breaks everything it can reach: it starts at the globals, its modules and the arguments of a handler,
 * and deletes, replaces or freezes everything it finds, in an order that depends on a seed. The same text runs in a
 * handler and at the top of a module.
 */

/** Defines `vandalise(seed, count, starts)`, which returns its changes. */
const vandalise = `
import * as streams from 'node:stream';
import * as events from 'node:events';
import * as http from 'node:http';
import * as fs from 'node:fs';
import processModule from 'node:process';
function vandalise(seed, count, starts) {
  const { ownKeys, apply, getPrototypeOf, getOwnPropertyDescriptor, defineProperty, deleteProperty } = Reflect;
  const { freeze } = Object;
  // None of what it breaks may stop it.
  const has = Set.prototype.has, add = Set.prototype.add;
  let state = seed >>> 0;
  const next = (n) => { state = (state + 0x6d2b79f5) >>> 0; let x = state; x = (x ^ (x >>> 15)) * (x | 1) >>> 0; x ^= x + ((x ^ (x >>> 7)) * (x | 61) >>> 0); return ((x ^ (x >>> 14)) >>> 0) % n; };
  const seen = new Set();
  const found = [globalThis, streams, events, http, fs, processModule, ...starts];
  const targets = [];
  for (let i = 0; i < found.length && found.length < 6000; i++) {
    const each = found[i];
    if ((typeof each !== 'object' || each === null) && typeof each !== 'function') continue;
    if (apply(has, seen, [each])) continue;
    apply(add, seen, [each]);
    let keys = [];
    try { found[found.length] = getPrototypeOf(each); keys = ownKeys(each); } catch {}
    for (let k = 0; k < keys.length; k++) {
      let described;
      try { described = getOwnPropertyDescriptor(each, keys[k]); } catch {}
      if (described === undefined) continue;
      targets[targets.length] = [each, keys[k]];
      if ('value' in described) found[found.length] = described.value;
      else { found[found.length] = described.get; found[found.length] = described.set; }
    }
  }
  const garbage = [() => { throw new TypeError('vandalised'); }, () => undefined, undefined, () => new Promise(() => {}), 7];
  let changed = 0;
  for (let n = 0; n < count; n++) {
    const pair = targets[next(targets.length)];
    const owner = pair[0], key = pair[1];
    const way = next(4);
    const value = garbage[next(garbage.length)];
    try {
      if (way === 0) changed += deleteProperty(owner, key) ? 1 : 0;
      else if (way === 1) { owner[key] = value; changed++; }
      else if (way === 2) changed += defineProperty(owner, key, { value, configurable: true, writable: true }) ? 1 : 0;
      else { freeze(owner); changed++; }
    } catch {}
  }
  return changed;
}`;

/** Breaks what it can on request. */
export const handlerVandal = `
import { DurableObject } from 'cloudflare:workers';
${vandalise}
export class Room extends DurableObject {
  vandalise(seed, count) { return vandalise(seed, count, [this.ctx, this.env]); }
}
export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    const seed = Number(searchParams.get('seed'));
    const count = Number(searchParams.get('count'));
    if (pathname === '/object') return new Response('changed ' + (await env.Room.getByName('a').vandalise(seed, count)));
    if (pathname === '/vandalise') return new Response('changed ' + vandalise(seed, count, [request, env, ctx, request.headers]));
    return new Response('fine');
  },
};`;

/** Breaks what it can when it is loaded. */
export function loadVandal(seed: number, count: number): string {
  return `
import { env, exports } from 'cloudflare:workers';
${vandalise}
vandalise(${seed}, ${count}, [env, exports]);
export default { fetch: () => new Response('fine') };`;
}
