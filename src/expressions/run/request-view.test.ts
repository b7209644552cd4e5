import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheme } from '../full-scheme.ts';
import type { Value } from '../values.ts';
import { requestOf, RequestView, slotOf } from './request-view.ts';

const host = slotOf(scheme.fields.get('http.host')!);

test('RequestView asks its source for a field once, when it is needed', () => {
  const asked: string[] = [];
  const request = new RequestView({ read: (key): Value => (asked.push(key), 'example.com') });
  assert.deepEqual(asked, []);
  assert.equal(request.get(host), 'example.com');
  assert.equal(request.get(host), 'example.com');
  assert.deepEqual(asked, ['http.host']);
});

test('RequestView answers the default of a field that its source does not know', () => {
  const request = requestOf(new Map());
  assert.equal(request.get(host), '');
  assert.equal(request.get(slotOf(scheme.fields.get('cf.waf.score')!)), 100);
});

test('RequestView keeps values that look like nothing', () => {
  let asked = 0;
  const request = new RequestView({ read: (): Value => (asked++, '') });
  assert.equal(request.get(host), '');
  assert.equal(request.get(host), '');
  assert.equal(asked, 1);
});

test('slotOf gives a deprecated name the slot of the one that replaced it', () => {
  const old = scheme.fields.get('ip.geoip.country')!;
  assert.equal(slotOf(old), slotOf(scheme.fields.get('ip.src.country')!));
});

test('RequestView serves fields that got their slot after it was made', () => {
  const request = requestOf(new Map<string, Value>([['http.referer', 'r']]));
  assert.equal(request.get(slotOf(scheme.fields.get('http.referer')!)), 'r');
});
