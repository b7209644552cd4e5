import { deepEqual } from 'node:assert/strict';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { parseNetworkSet } from '#addresses';
import { readEdgeVisitor, readLocalVisitor, type ReadVisitor, readVisitorBehind } from './visitor.ts';

/** The facts that a Worker gets about a request from a peer with these headers. */
function read(readVisitor: ReadVisitor, peer: string, headers: IncomingHttpHeaders): unknown[] {
  const incoming = { headers, httpVersion: '1.1', socket: { remoteAddress: peer } };
  const { scheme, address, cf } = readVisitor(incoming as unknown as IncomingMessage);
  return [scheme, address, Reflect.get(cf(), 'country') ?? null, headers];
}

const claims = {
  'cf-connecting-ip': '1.2.3.4',
  'cf-ray': 'x',
  'x-forwarded-for': '9.9.9.9, 5.6.7.8',
  'x-forwarded-proto': 'https',
  'gatehouse-cf': '{"country":"XX"}',
};

test('readVisitorBehind believes nobody but proxies that are trusted', () => {
  const behind = readVisitorBehind(parseNetworkSet(['10.0.0.0/8']));
  const { 'x-forwarded-for': forwarded, 'x-forwarded-proto': proto } = claims;
  deepEqual(read(behind, '::ffff:192.0.2.1', { ...claims }), [
    'http',
    '192.0.2.1',
    null,
    { 'x-forwarded-for': forwarded, 'x-forwarded-proto': proto, 'cf-connecting-ip': '192.0.2.1' },
  ]);
  deepEqual(read(behind, '10.1.1.1', { ...claims }).slice(0, 3), ['https', '1.2.3.4', null]);
  deepEqual(read(behind, '10.1.1.1', { 'x-forwarded-for': forwarded }).slice(0, 2), ['http', '5.6.7.8']);
  deepEqual(read(behind, '10.1.1.1', { 'cf-connecting-ip': 'nobody' }).slice(0, 2), ['http', '10.1.1.1']);
});

test('readEdgeVisitor takes what the edge says, and takes it off', () => {
  const { 'gatehouse-cf': _, ...rest } = claims;
  deepEqual(read(readEdgeVisitor, '', { ...claims }), ['https', '1.2.3.4', 'XX', rest]);
});

test('readLocalVisitor believes the header, and makes up a place', () => {
  deepEqual(read(readLocalVisitor, '127.0.0.1', {}).slice(0, 3), ['http', '127.0.0.1', 'PT']);
  deepEqual(read(readLocalVisitor, '127.0.0.1', { 'cf-connecting-ip': '1.2.3.4' })[1], '1.2.3.4');
});
