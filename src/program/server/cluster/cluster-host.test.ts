import { equal, throws } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../config/read-config.ts';
import { showConfig } from '../config/show-config.ts';
import { readClusterUrl } from './cluster-host.ts';

const url = 'postgres://gatehouse:hidden-word@db.internal/gatehouse';

test('readClusterUrl takes the URL from the environment or from a file, and neither is shown', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-cluster-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const read = (flags: Record<string, string>, environment = {}) =>
    readConfig({ flags, environment, directory });
  equal(readClusterUrl(read({})), undefined);
  const named = read({}, { GATEHOUSE_CLUSTER: url });
  equal(readClusterUrl(named), url);
  equal(showConfig(named).includes('hidden-word'), false);
  writeFileSync(join(directory, 'url'), `${url}\n`);
  equal(readClusterUrl(read({ 'cluster-file': 'url' })), url);
  writeFileSync(join(directory, 'url'), 'mysql://gatehouse:hidden-word@db.internal');
  throws(
    () => readClusterUrl(read({ 'cluster-file': 'url' })),
    (error: Error) =>
      error.message.startsWith('--cluster-file must contain the address of a database') &&
      !error.message.includes('hidden'),
  );
  throws(
    () => readClusterUrl(read({ 'cluster-file': 'missing' })),
    /^ConfigurationError: --cluster-file cannot be read/,
  );
});

test('readConfig refuses settings that a cluster has no use for', () => {
  const read = (flags: Record<string, string>) =>
    readConfig({ flags: { cluster: url, ...flags }, environment: {}, directory: tmpdir() });
  throws(() => read({ 'object-hosts': '2' }), /--object-hosts must be 1 with a cluster/);
  throws(() => read({ 'data-bytes': '5' }), /--data-bytes cannot be used with a cluster/);
  throws(() => read({ 'cluster-file': 'url' }), /--cluster-file and --cluster set the same thing/);
  throws(() => read({ 'cluster-listen': 'here' }), /--cluster-listen must be a host and a port/);
  for (const every of ['0.0.0.0:7400', '[::]:7400']) {
    throws(
      () => read({ 'cluster-listen': every }),
      /--cluster-listen is every address .* set cluster_advertise/,
    );
    read({ 'cluster-listen': every, 'cluster-advertise': '10.0.0.1:7400' });
  }
  throws(() => read({ 'cluster-lease': '100ms' }), /--cluster-lease must be a time .* at least 200ms/);
  throws(
    () => read({ cluster: 'https://user:hidden-word@db' }),
    (error: Error) =>
      error.message.startsWith('--cluster must be the address of a database') &&
      !error.message.includes('hidden'),
  );
});
