import { deepEqual, equal, match, throws } from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { compareVersions } from './compare-versions.ts';
import { CrsError } from './problem.ts';
import { chooseFiles, type FoundRules } from './sources/choose-files.ts';
import { testRulesDirectory } from './testing.ts';
import { readRuleDirectory } from './sources/directory.ts';
import { VersionStore } from './version-store.ts';

function openStore(t: TestContext): { readonly store: VersionStore; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-crs-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return { store: new VersionStore(folder), folder };
}

function rulesOf(version: string, text: string, data: Readonly<Record<string, string>> = {}): FoundRules {
  return chooseFiles(
    [
      { path: 'rules/REQUEST-1.conf', text: `SecComponentSignature "OWASP_CRS/${version}"\n${text}` },
      ...Object.entries(data).map(([name, words]) => ({ path: `rules/${name}`, text: words })),
    ],
    'a test',
  );
}

const oldRules = `SecRule ARGS "@rx a" "id:1,phase:2,pass,msg:'One'"
SecRule ARGS "@pmFromFile words.data" "id:2,phase:2,pass,msg:'Two'"
SecRule ARGS "@rx c" "id:3,phase:2,pass,msg:'Three'"
`;
const newRules = oldRules.replace('@rx a', '@rx A').replace('id:3', 'id:4');

test('VersionStore keeps versions side by side, and one of them in force', (t) => {
  const { store } = openStore(t);
  deepEqual([store.list(), store.readCurrent()], [[], undefined]);
  const words = { 'words.data': 'x\n' };
  store.install(rulesOf('1.0.0', oldRules, words), { now: new Date(1) });
  store.install(rulesOf('1.1.0', newRules, words), { now: new Date(2) });
  equal(store.readCurrent(), undefined);
  store.use('1.0.0');
  deepEqual(
    store.list().map(({ version, isCurrent, source }) => [version, isCurrent, source]),
    [
      ['1.1.0', false, 'a test'],
      ['1.0.0', true, 'a test'],
    ],
  );
  // Forward and back.
  store.use(store.find('1.1'));
  equal(store.readCurrent()!.version, '1.1.0');
  store.use('1.0.0');
  equal(store.readCurrent()!.version, '1.0.0');
  throws(() => store.find('1'), /^CrsError: 1 can be 1\.0\.0 or 1\.1\.0$/);
  throws(() => store.find('2'), /there is no version 2: installed are 1\.0\.0, 1\.1\.0/);
  throws(() => store.remove('1.0.0'), /1\.0\.0 is in force/);
  store.remove('1.1.0');
  store.useNone();
  store.remove('1.0.0');
  deepEqual([store.list(), store.readCurrent()], [[], undefined]);
});

test('VersionStore knows which version is in force while one of its two files says it', (t) => {
  const { store } = openStore(t);
  store.install(rulesOf('1.0.0', oldRules, { 'words.data': 'x\n' }));
  store.use('1.0.0');
  const files = ['current', 'current.copy'].map((name) => join(store.directory, name));
  for (const file of files) {
    rmSync(file);
    equal(store.readCurrent()!.version, '1.0.0');
    match(store.mend()!, /current\S* is missing$/);
    writeFileSync(file, readFileSync(file, 'utf8').replace('1.0.0', '1.1.0'));
    equal(store.readCurrent()!.version, '1.0.0');
    match(store.mend()!, /current\S* is damaged$/);
  }
  equal(store.mend(), undefined);
  // The format of older versions.
  rmSync(files[1]!);
  writeFileSync(files[0]!, '{"version":"1.0.0"}\n');
  equal(store.readCurrent()!.version, '1.0.0');
  store.mend();
  for (const file of files) writeFileSync(file, '');
  throws(
    () => store.readCurrent(),
    /it is not known which version is in force: .* gatehouse crs use VERSION$/,
  );
  store.use('1.0.0');
  equal(store.readCurrent()!.version, '1.0.0');
});

test('VersionStore refuses broken rules whole, with file and line, and the version in force stays', (t) => {
  const { store, folder } = openStore(t);
  store.install(rulesOf('1.0.0', oldRules, { 'words.data': 'x' }));
  store.use('1.0.0');
  throws(
    () => store.install(rulesOf('1.1.0', `${oldRules}SecRule ARGS "@rx (" "id:9"\n`, { 'words.data': 'x' })),
    {
      name: 'CrsError',
      message: /^REQUEST-1\.conf:5: @rx: the pattern is invalid/,
    },
  );
  throws(
    () => store.install(rulesOf('1.1.0', oldRules)),
    /REQUEST-1\.conf:3: .*there is no file words\.data/,
  );
  deepEqual(
    [readdirSync(join(folder, 'crs', 'versions')), store.readCurrent()!.version],
    [['1.0.0'], '1.0.0'],
  );
  // Files that were modified after installation are not the checked ones.
  store.install(rulesOf('1.1.0', newRules, { 'words.data': 'x' }));
  writeFileSync(join(folder, 'crs', 'versions', '1.1.0', 'words.data'), 'y');
  throws(() => store.use('1.1.0'), /are not those that were installed/);
  equal(store.readCurrent()!.version, '1.0.0');
});

test('VersionStore installs the same again without a change, and something else only under another name', (t) => {
  const { store } = openStore(t);
  const found = rulesOf('1.0.0', oldRules, { 'words.data': 'x' });
  const { installedAt } = store.install(found, { now: new Date(1) });
  equal(store.install(found).installedAt, installedAt);
  throws(
    () => store.install(rulesOf('1.0.0', newRules, { 'words.data': 'x' })),
    /another 1\.0\.0 is installed/,
  );
  store.install(rulesOf('1.0.0', newRules, { 'words.data': 'x' }), { version: 'mine' });
  throws(() => store.install(found, { version: '../up' }), /cannot be the name of a version/);
  const nameless = chooseFiles([{ path: 'a.conf', text: oldRules.split('\n')[0]! }], 'there');
  throws(() => store.install(nameless), /the rules in there do not name their version/);
});

test('compareVersions tells rules that came, went and changed, lists of words included', () => {
  const before = rulesOf('1.0.0', oldRules, { 'words.data': 'x' });
  const after = rulesOf('1.1.0', newRules, { 'words.data': 'x\ny' });
  const { added, removed, changed } = compareVersions(before, after);
  deepEqual(
    [added, removed, changed],
    [
      [{ number: 4, description: 'Three' }],
      [{ number: 3, description: 'Three' }],
      [
        { number: 1, description: 'One' },
        { number: 2, description: 'Two' },
      ],
    ],
  );
  deepEqual(compareVersions(before, rulesOf('2.0.0', oldRules, { 'words.data': 'x' })).changed, []);
});

test('chooseFiles finds rules, set-up file and exclusions wherever a package keeps them', () => {
  const found = chooseFiles(
    [
      { path: 'etc/crs/crs-setup.conf', text: '' },
      { path: 'usr/crs/crs-setup.conf.example', text: 'example' },
      { path: 'etc/crs/REQUEST-900-MINE.conf', text: '' },
      { path: 'usr/crs/rules/REQUEST-901.conf', text: "ver:'OWASP_CRS/3.3.4'" },
      { path: 'usr/crs/rules/REQUEST-902.conf', text: '' },
      { path: 'usr/crs/rules/b.data', text: '' },
      { path: 'usr/crs/util/other.data', text: '' },
      { path: 'usr/crs/plugins/empty.conf', text: '' },
    ],
    'a package',
  );
  deepEqual(
    found.files.map(({ name }) => name),
    ['crs-setup.conf', 'REQUEST-900-MINE.conf', 'REQUEST-901.conf', 'REQUEST-902.conf'],
  );
  deepEqual(
    found.data.map(({ name }) => name),
    ['b.data'],
  );
  equal(found.version, '3.3.4');
  throws(() => chooseFiles([], 'nothing'), CrsError);
});

test('readRuleDirectory reads an unpacked rule set', () => {
  const { files, version } = readRuleDirectory(testRulesDirectory);
  equal(files[0]!.name, 'crs-setup.conf');
  match(files[1]!.text, /SecRule/);
  equal(version, '1.0.0');
  throws(() => readRuleDirectory(join(testRulesDirectory, 'absent')), /is not a directory/);
});
