import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import Cloudflare from 'cloudflare';
import { type Client, clients, writeClientSetup, type Reachable } from './client-setup.ts';

const http: Reachable = {
  api: 'http://127.0.0.1:8787/client/v4',
  email: 'me@example.com',
  token: "to'ken",
  key: 'key',
  account_id: 'account',
};
const https: Reachable = {
  ...http,
  api_https: 'https://127.0.0.1:8443/client/v4',
  ca_file: '/data/tls/ca.crt',
};

/** The variables that a shell has after running the setup. */
function variables(client: Client, reachable: Reachable): Record<string, string> {
  const output = execFileSync('/bin/sh', ['-c', `${writeClientSetup(client, reachable)}\nenv -0`], {
    env: {},
  });
  const pairs = output
    .toString()
    .split('\0')
    .filter((line) => line !== '');
  return Object.fromEntries(
    pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2)).filter(([name]) => name !== 'PWD' && name !== '_'),
  ) as Record<string, string>;
}

test('writeClientSetup writes what each client needs, for a shell', () => {
  const credentials = { CLOUDFLARE_API_TOKEN: "to'ken" };
  assert.deepEqual(variables('sdk', http), { CLOUDFLARE_BASE_URL: http.api, ...credentials });
  assert.deepEqual(variables('terraform-v5', http), { CLOUDFLARE_BASE_URL: http.api, ...credentials });
  assert.deepEqual(variables('terraform-v4', https), {
    CLOUDFLARE_API_HOSTNAME: '127.0.0.1:8443',
    CLOUDFLARE_API_BASE_PATH: '/client/v4',
    SSL_CERT_FILE: '/data/tls/ca.crt',
    ...credentials,
  });
  assert.deepEqual(variables('wrangler', http), {
    CLOUDFLARE_API_BASE_URL: http.api,
    CLOUDFLARE_ACCOUNT_ID: 'account',
    ...credentials,
  });
  // Includes the variables of gatehouse's own commands, so that one line sets up a shell for both.
  assert.deepEqual(variables('curl', http), {
    API: http.api,
    AUTHORIZATION: "Authorization: Bearer to'ken",
    CLOUDFLARE_BASE_URL: http.api,
    ...credentials,
  });
});

test('writeClientSetup names the authority to trust if the URL is HTTPS', () => {
  const only: Reachable = { api: https.api_https!, ca_file: https.ca_file! };
  for (const [client, variable] of [
    ['sdk', 'NODE_EXTRA_CA_CERTS'],
    ['wrangler', 'NODE_EXTRA_CA_CERTS'],
    ['terraform-v4', 'SSL_CERT_FILE'],
    ['terraform-v5', 'SSL_CERT_FILE'],
    ['curl', 'CURL_CA_BUNDLE'],
  ] as const) {
    assert.equal(variables(client, only)[variable], '/data/tls/ca.crt', client);
  }
});

test('writeClientSetup falls back to the key, and says where a token comes from if there is neither', () => {
  const { token: _token, ...withKey } = http;
  const { key: _key, ...without } = withKey;
  const keyed = { CLOUDFLARE_API_KEY: 'key', CLOUDFLARE_EMAIL: 'me@example.com' };
  assert.deepEqual(variables('sdk', withKey), { CLOUDFLARE_BASE_URL: http.api, ...keyed });
  assert.equal(variables('curl', withKey)['AUTH_KEY'], 'X-Auth-Key: key');
  for (const client of clients.filter((each) => each !== 'terraform-v4')) {
    assert.match(
      writeClientSetup(client, without),
      /^# export (?:CLOUDFLARE_API_TOKEN|AUTHORIZATION)=.*shown only once, at the first start/m,
    );
  }
});

test('writeClientSetup refuses what a client cannot do', () => {
  assert.throws(
    () => writeClientSetup('terraform-v4', http),
    /require HTTPS, which is off: start the server with --https-port/,
  );
});

test('writeClientSetup uses the names that the official SDK reads', (t) => {
  const set = variables('sdk', http);
  for (const [name, value] of Object.entries(set)) process.env[name] = value;
  t.after(() => Object.keys(set).forEach((name) => delete process.env[name]));
  const client = new Cloudflare();
  assert.deepEqual([client.baseURL, client.apiToken], [http.api, "to'ken"]);
});
