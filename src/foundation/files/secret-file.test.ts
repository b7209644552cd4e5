import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSecretFile, mendSecretFile, readSecretFile, type SecretFile } from './secret-file.ts';

const secret = Buffer.alloc(32, 7);
const other = Buffer.alloc(32, 9);

function flip(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 4;
  writeFileSync(file, bytes);
}

const damages: Readonly<Record<string, (file: string) => void>> = {
  deleted: (file) => rmSync(file),
  emptied: (file) => truncateSync(file, 0),
  cut: (file) => truncateSync(file, 10),
  'a bit flipped': flip,
};

test('mendSecretFile makes a secret or its copy whole again from the other', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-secret-file-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const file: SecretFile = { path: join(directory, 'key'), isSecret: ({ length }) => length === 32 };
  equal(readSecretFile(file).state, 'absent');
  deepEqual(createSecretFile(file, secret), secret);
  deepEqual(createSecretFile(file, other), secret, 'the first one counts');
  const whole = { state: 'whole', content: secret, flaw: undefined, isCopied: true };
  deepEqual(readSecretFile(file), whole);
  for (const path of [file.path, `${file.path}.copy`]) {
    for (const [name, damage] of Object.entries(damages)) {
      damage(path);
      const said: string[] = [];
      mendSecretFile(file, (message) => void said.push(message));
      deepEqual(readSecretFile(file), whole, `${path} ${name}`);
      // Older versions made no copy.
      const isQuiet = path !== file.path && name === 'deleted';
      if (isQuiet) deepEqual(said, []);
      else match(said.join('\n'), new RegExp(`^${path} is (?:missing|damaged): written again$`));
    }
  }

  writeFileSync(file.path, other);
  mendSecretFile(file, () => {});
  deepEqual(readSecretFile(file), whole);
  const aside = readdirSync(directory).filter((name) => name.startsWith('key.damaged-'));
  ok(
    aside.some((name) => readFileSync(join(directory, name)).equals(other)),
    'another secret is set aside',
  );

  for (const path of [file.path, `${file.path}.copy`]) truncateSync(path, 10);
  equal(readSecretFile(file).state, 'damaged');
});
