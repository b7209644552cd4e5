import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '#contract';
import { hashSecret } from '../context/secrets.ts';
import { Directory } from '../context/directory.ts';
import { anyAddress } from '../context/address-condition.ts';
import { authenticate } from './authenticate.ts';

const [keyOfAnn, keyOfBob, tokenOfAnn] = ['a'.repeat(37), 'b'.repeat(37), 'the-token-of-ann'];

const directory = new Directory();
directory.apply({
  revision: 1,
  zones: [],
  zonesToErase: [],
  account: { id: 'account', name: 'Home', createdAtMs: 0 },
  users: [
    { id: 'ann', email: 'ann@example.com', keyHash: hashSecret(keyOfAnn) },
    { id: 'bob', email: 'bob@example.com', keyHash: hashSecret(keyOfBob) },
  ],
  tokens: [
    {
      id: 'token',
      facts: {
        id: 'token',
        hash: hashSecret(tokenOfAnn),
        name: 'of Ann',
        owner: { kind: 'user', id: 'ann' },
        email: 'ann@example.com',
        isDisabled: false,
        policies: [],
        addresses: anyAddress,
        notBeforeMs: null,
        expiresAtMs: null,
        issuedAtMs: 0,
        modifiedAtMs: 0,
      },
    },
  ],
});

function callerWith(headers: Readonly<Record<string, string>>) {
  const request = { headers, address: '127.0.0.1' };
  return authenticate(directory, { request, nowMs: 1, isVerification: false });
}

test('authenticate counts a token and a key as the same user', () => {
  const byKey = callerWith({ 'x-auth-email': 'ann@example.com', 'x-auth-key': keyOfAnn });
  const byToken = callerWith({ authorization: `bearer ${tokenOfAnn}` });
  equal(byKey.countedAs, byToken.countedAs);
  deepEqual(byToken.actor, {
    kind: 'token',
    userId: 'ann',
    email: 'ann@example.com',
    tokenId: 'token',
    address: '127.0.0.1',
  });
});

test('authenticate refuses a token of one user with the key of another', () => {
  const headers = {
    authorization: `Bearer ${tokenOfAnn}`,
    'x-auth-email': 'bob@example.com',
    'x-auth-key': keyOfBob,
  };
  throws(
    () => callerWith(headers),
    (error: Fault) => error.status === 400 && error.entries[0]!.error_chain![0]!.code === 6112,
  );
});
