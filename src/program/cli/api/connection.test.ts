import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import type { Arguments } from '../command.ts';
import { readConnection, repeatConnection } from './connection.ts';

function givenOptions(values: Readonly<Record<string, string>>): Arguments {
  return { positionals: [], values, repeated: {}, switches: new Set() };
}

const url = 'http://127.0.0.1:1/client/v4';

test('readConnection reads the variables of tools for Cloudflare, and options override them', () => {
  const bearer = { authorization: 'Bearer t' };
  const withKey = { 'x-auth-email': 'e', 'x-auth-key': 'k' };
  const cases: [environment: Record<string, string>, headers: object][] = [
    [{ CLOUDFLARE_API_BASE_URL: `${url}/`, CLOUDFLARE_API_TOKEN: 't' }, bearer],
    [{ CLOUDFLARE_BASE_URL: url, CF_API_TOKEN: 't' }, bearer],
    [{ CF_API_URL: url, CLOUDFLARE_EMAIL: 'e', CLOUDFLARE_API_KEY: 'k' }, withKey],
    [{ CF_API_URL: url, CF_API_EMAIL: 'e', CF_API_KEY: 'k' }, withKey],
    [{ CF_API_URL: url, CF_API_EMAIL: 'e', CF_API_KEY: 'k', CF_API_TOKEN: 't' }, bearer],
  ];
  for (const [environment, headers] of cases)
    deepEqual(readConnection(givenOptions({}), 'zones list', environment), { url, headers });
  const options = givenOptions({ api: url, token: 't' });
  const environment = { CF_API_URL: 'http://elsewhere/client/v4', CF_API_TOKEN: 'other' };
  deepEqual(readConnection(options, 'zones list', environment), { url, headers: bearer });
});

test('readConnection names the option and the variable that are missing', () => {
  throws(() => readConnection(givenOptions({}), 'zones list', {}), {
    message:
      'gatehouse zones list needs --ready-file, --api or CLOUDFLARE_BASE_URL, which eval "$(gatehouse env --for curl --ready-file FILE)" sets',
  });
  throws(() => readConnection(givenOptions({ api: url }), 'zones list', {}), /needs credentials: --token/);
  throws(() => readConnection(givenOptions({ api: 'x' }), 'zones list', {}), /--api must be a URL such as/);
});

test('repeatConnection repeats what names the server, quoted for a shell, and no token', () => {
  equal(repeatConnection(givenOptions({})), '');
  equal(repeatConnection(givenOptions({ api: url, token: 't' })), ` --api ${url}`);
  equal(
    repeatConnection(givenOptions({ 'ready-file': "it's.json" })),
    String.raw` --ready-file 'it'\''s.json'`,
  );
});
