import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheme } from '../full-scheme.ts';
import type { Value } from '../values.ts';
import { createRequest, RequestView, getSlot } from './request-view.ts';

const host = getSlot(scheme.fields.get('http.host')!);

test('RequestView reads a field from its source once, when it is needed', () => {
  const asked: string[] = [];
  const request = new RequestView({ read: (key): Value => (asked.push(key), 'example.com') });
  assert.deepEqual(asked, []);
  assert.equal(request.get(host), 'example.com');
  assert.equal(request.get(host), 'example.com');
  assert.deepEqual(asked, ['http.host']);
});

test('RequestView returns the default of a field that its source does not know', () => {
  const request = createRequest(new Map());
  assert.equal(request.get(host), '');
  assert.equal(request.get(getSlot(scheme.fields.get('cf.waf.score')!)), 100);
});

test('RequestView keeps falsy values', () => {
  let asked = 0;
  const request = new RequestView({ read: (): Value => (asked++, '') });
  assert.equal(request.get(host), '');
  assert.equal(request.get(host), '');
  assert.equal(asked, 1);
});

test('getSlot returns the slot of the replacement for a deprecated name', () => {
  const old = scheme.fields.get('ip.geoip.country')!;
  assert.equal(getSlot(old), getSlot(scheme.fields.get('ip.src.country')!));
});

test('RequestView returns fields that got their slot after it was created', () => {
  const request = createRequest(new Map<string, Value>([['http.referer', 'r']]));
  assert.equal(request.get(getSlot(scheme.fields.get('http.referer')!)), 'r');
});
