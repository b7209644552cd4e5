import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { type ConfigInput, ConfigurationError, readConfig } from './read-config.ts';
import { settingNames } from './settings.ts';
import { settingFlags, writeSettingsTable, showConfig } from './show-config.ts';

function temporary(t: TestContext, files: Readonly<Record<string, string>> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-config-'));
  t.after(() => rmSync(directory, { recursive: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  return directory;
}

function input(directory: string, given: Partial<ConfigInput> = {}): ConfigInput {
  return { flags: {}, environment: {}, directory, ...given };
}

test('readConfig has defaults for all settings', (t) => {
  const directory = temporary(t);
  const { settings, sources } = readConfig(input(directory));
  assert.equal(settings.data, join(directory, 'data'));
  assert.deepEqual(
    [settings.host, settings.port, settings.httpsPort, settings.adminPort, settings.durability],
    ['127.0.0.1', 8787, 'off', 'off', 'disk'],
  );
  assert.deepEqual([settings.rateLimitRequests, settings.rateLimitWindow], [1_200, 300_000]);
  assert.deepEqual(new Set(Object.values(sources).map(({ kind }) => kind)), new Set(['default']));
});

test('readConfig: flags override the environment, which overrides the file', (t) => {
  const directory = temporary(t, {
    'gatehouse.toml': 'port = 1\nhost = "::1"\naccess_log = true\nshutdown_grace = "1m"\n',
  });
  const environment = { GATEHOUSE_PORT: '2', GATEHOUSE_SHUTDOWN_GRACE: '500ms', PATH: '/bin' };
  const { settings, sources } = readConfig(input(directory, { environment, flags: { port: '3' } }));
  assert.deepEqual(
    [settings.port, settings.host, settings.accessLog, settings.shutdownGrace],
    [3, '::1', true, 500],
  );
  assert.deepEqual(sources.port, { kind: 'flag', flag: '--port' });
  assert.deepEqual(sources.shutdownGrace, { kind: 'environment', variable: 'GATEHOUSE_SHUTDOWN_GRACE' });
  assert.deepEqual(sources.host, { kind: 'file', file: join(directory, 'gatehouse.toml') });
});

test('readConfig reads JSON by extension, and resolves paths relative to the file', (t) => {
  const directory = temporary(t, { 'other.json': '{"data": "here", "tls_names": ["a.test", "::2"]}' });
  const given = { directory: '/somewhere', flags: { 'ready-file': 'ready.json' } };
  for (const named of [
    { ...given, file: join(directory, 'other.json') },
    { ...given, environment: { GATEHOUSE_CONFIG: join(directory, 'other.json') } },
  ]) {
    const { settings } = readConfig(input(directory, named));
    assert.equal(settings.data, join(directory, 'here'));
    assert.equal(settings.readyFile, '/somewhere/ready.json');
    assert.deepEqual(settings.tlsNames, ['a.test', '::2']);
  }
});

test('readConfig names the setting, where it is and what would be valid', (t) => {
  const directory = temporary(t, {
    'port.toml': 'port = 70000',
    'unknown.toml': 'https_prot = 1',
    'broken.toml': 'port = 1\ntls_key_passphrase = "hidden',
    'broken.json': '{"tls_key_passphrase": "hidden"',
    'list.json': '[]',
    'table.toml': '[port]\nvalue = 1',
    'secret.toml': 'tls_key_passphrase = 12345',
  });
  const cases: [Partial<ConfigInput>, RegExp][] = [
    [{ flags: { port: 'x' } }, /^--port must be a whole number from 0 to 65535: "x"$/],
    [
      { flags: { 'https-port': '1e3' } },
      /^--https-port must be a whole number from 0 to 65535, or off: "1e3"$/,
    ],
    [{ flags: { host: 'example.com' } }, /^--host must be an IP address or localhost/],
    [
      { flags: { 'tls-names': 'a b' } },
      /^--tls-names must be at most 50, .*: host names or addresses: "a b"$/,
    ],
    [{ flags: { 'tls-cert': 'a' } }, /^--tls-cert needs tls_key beside it$/],
    [{ flags: { 'tls-key': 'a' } }, /^--tls-key needs tls_cert beside it$/],
    [
      { flags: { 'tls-cert': 'a', 'tls-key': 'a' } },
      /^--tls-cert needs https_port: HTTPS is off without it$/,
    ],
    [{ environment: { GATEHOUSE_ACCESS_LOG: 'yes' } }, /^GATEHOUSE_ACCESS_LOG must be true or false: "yes"$/],
    [
      { environment: { GATEHOUSE_RATE_LIMIT_WINDOW: '25h' } },
      /a time such as 500ms, 10s or 5m, at most 24h: "25h"$/,
    ],
    [
      { environment: { GATEHOUSE_OWNER_EMAIL: 'me' } },
      /^GATEHOUSE_OWNER_EMAIL must be an e-mail address: "me"$/,
    ],
    [
      { environment: { GATEHOUSE_PROT: '1' } },
      /unknown variable GATEHOUSE_PROT: did you mean GATEHOUSE_PORT\?$/,
    ],
    [{ environment: { GATEHOUSE_DATA: '' } }, /^GATEHOUSE_DATA must be a path: ""$/],
    [{ file: 'port.toml' }, /^port in \S+port\.toml must be a whole number from 0 to 65535: 70000$/],
    [{ file: 'unknown.toml' }, /unknown\.toml has an unknown key https_prot: did you mean https_port\?$/],
    [{ file: 'broken.toml' }, /broken\.toml cannot be read: line 2, column \d+: /],
    [{ file: 'broken.json' }, /broken\.json cannot be read: it is not JSON$/],
    [{ file: 'list.json' }, /list\.json must contain an object of settings$/],
    [{ file: 'table.toml' }, /^port in \S+ must be a whole number .*: \{"value":1\}$/],
    [
      { file: 'secret.toml' },
      /^tls_key_passphrase in \S+ must be text .*: the given value is secret and not shown$/,
    ],
    [{ file: 'missing.toml' }, /^cannot read the configuration file: ENOENT: .*missing\.toml/],
  ];
  for (const [given, message] of cases) {
    assert.throws(
      () => readConfig(input(directory, given)),
      (error) => {
        assert.ok(error instanceof ConfigurationError, String(error));
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /hidden/);
        return true;
      },
    );
  }
});

test('showConfig writes an equivalent file, says where values come from and hides secrets', (t) => {
  const directory = temporary(t);
  const environment = { GATEHOUSE_TLS_KEY_PASSPHRASE: 'hidden', GATEHOUSE_TLS_NAMES: 'a.test,b.test' };
  const config = readConfig(input(directory, { environment, flags: { 'rate-limit': 'false' } }));
  const shown = showConfig(config);
  assert.doesNotMatch(shown, /hidden/);
  assert.match(shown, /^tls_key_passphrase = "\*{8}" +# from GATEHOUSE_TLS_KEY_PASSPHRASE$/m);
  assert.match(shown, /^rate_limit = false +# from --rate-limit$/m);
  assert.match(shown, /^port = 8787 +# default$/m);
  assert.match(shown, /^# tls_cert is not set$/m);
  writeFileSync(join(directory, 'gatehouse.toml'), shown);
  assert.deepEqual(readConfig(input(directory)).settings, {
    ...config.settings,
    tlsKeyPassphrase: '********',
  });
});

test('writeSettingsTable writes the table of docs/reference/configuration.md', () => {
  const page = readFileSync(new URL('../../../../docs/reference/configuration.md', import.meta.url), 'utf8');
  assert.ok(page.includes(writeSettingsTable()), `the page lacks:\n${writeSettingsTable()}`);
});

test('settingFlags and writeSettingsTable list every setting, and no flag for a secret', () => {
  assert.equal(writeSettingsTable().match(/^\| `/gm)!.length, settingNames.length);
  const secrets = [
    'tls-key-passphrase',
    'control-token',
    'acme-hmac-key',
    'acme-dns-key',
    'edge-secret',
    'otlp-headers',
    'mail-password',
    'geoip-credentials',
  ];
  assert.equal(Object.keys(settingFlags).length, settingNames.length - secrets.length);
  for (const flag of secrets) assert.equal(settingFlags[flag], undefined);
  assert.deepEqual(settingFlags['https-port'], {
    value: 'N|off',
    help: 'port of the API over HTTPS, 0 for any free one (off)',
  });
});

test('readConfig reads Workers as a table, as text, and refuses names that are none', (t) => {
  const directory = temporary(t, { 'gatehouse.toml': '[workers]\nchat = "chat"\napi = "/srv/api"\n' });
  const read = (flags: ConfigInput['flags'] = {}): unknown =>
    readConfig(input(directory, { flags })).settings.workers;
  assert.deepEqual(read(), { chat: join(directory, 'chat'), api: '/srv/api' });
  assert.deepEqual(read({ workers: 'a=x, b-1=/y=z' }), { a: join(directory, 'x'), 'b-1': '/y=z' });
  assert.deepEqual(read({ workers: '' }), {});
  for (const workers of ['A=x', 'a', 'a=', 'a=x,a=y', '-a=x', '=x']) {
    assert.throws(() => read({ workers }), ConfigurationError, workers);
  }
});
