/** `gatehouse crs`, with a small rule set of the project; `npm run crs` runs it with the OWASP Core Rule Set itself. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { runCaptured } from '../../src/program/cli/testing.ts';
import { testRulesDirectory } from '../../src/rules/seclang/crs/testing.ts';

interface Place {
  readonly folder: string;
  /** A copy of the rules that the test may change. */
  readonly rules: string;
  crs(...args: string[]): ReturnType<typeof runCaptured>;
}

function open(t: TestContext): Place {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-crs-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const rules = join(folder, 'rules-to-install');
  cpSync(testRulesDirectory, rules, { recursive: true });
  return {
    folder,
    rules,
    crs: (command, ...args) => runCaptured('crs', command, ...args, '--data', join(folder, 'data')),
  };
}

function edit(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replaceAll(from, to));
}

test('crs install puts the first version in force; crs use switches to others and back, and shows the changes', async (t) => {
  const { rules, crs } = open(t);
  match((await crs('list')).stdout, /^no version is installed: gatehouse crs install\n$/);
  const first = await crs('install', rules);
  deepEqual([first.code, first.stderr], [0, '']);
  match(
    first.stdout,
    /^installed 1\.0\.0 from .*: 17 rules that score \(12 at level 1, 3 at level 2, 1 at level 3, 1 at level 4\)\n/,
  );
  match(first.stdout, /\nin force: 1\.0\.0 /);
  match((await crs('install', rules)).stdout, /it is already in force/);

  edit(join(rules, 'crs-setup.conf'), '1.0.0', '1.1.0');
  edit(join(rules, 'rules', '20-level-1.conf'), '50520', '50530');
  edit(join(rules, 'rules', 'scanners.data'), 'nikto', 'nikto\nmasscan');
  const second = await crs('install', rules);
  match(second.stdout, /in force is 1\.0\.0; changes against it: 1 rules added, 1 removed, 1 changed\n/);
  match(second.stdout, /gatehouse crs use 1\.1\.0\n$/);
  const changes = [
    '~ 50120 A scanner by its user agent',
    '- 50520 A lookup in another directory',
    '+ 50530 A lookup in another directory',
    '1.0.0 -> 1.1.0: 1 rules added, 1 removed, 1 changed',
  ].join('\n');
  equal((await crs('use', '1.1', '--dry-run')).stdout, `${changes}\nnot activated: 1.1.0\n`);
  match((await crs('list')).stdout, /^ {2}1\.1\.0 .*\n\* 1\.0\.0 /);
  equal(
    (await crs('use', '1.1')).stdout,
    `${changes}\nin force: 1.1.0 (a running server switches to it automatically)\n`,
  );
  match((await crs('use', '1.0.0')).stdout, /\nin force: 1\.0\.0 /);
  const [{ version, isCurrent }] = JSON.parse((await crs('list', '--json')).stdout) as [
    { version: string; isCurrent: boolean },
  ];
  deepEqual([version, isCurrent], ['1.1.0', false]);
  match((await crs('remove', '1.0.0')).stderr, /1\.0\.0 is in force/);
  equal((await crs('remove', '1.1')).stdout, 'removed 1.1.0\n');
  equal((await crs('use', 'none')).stdout, 'no version is in force\n');
});

test('crs install refuses a broken rule file whole, with the line, and the version in force stays', async (t) => {
  const { rules, crs } = open(t);
  await crs('install', rules);
  const file = join(rules, 'rules', '40-end.conf');
  writeFileSync(file, `${readFileSync(file, 'utf8')}\nSecRule ARGS "@rx (" "id:59999"\n`);
  const broken = await crs('install', rules, '--name', 'broken', '--use');
  equal(broken.code, 1);
  match(broken.stderr, /40-end\.conf:5: @rx: the pattern is invalid/);
  match((await crs('list')).stdout, /^\* 1\.0\.0 [^\n]*\n$/);
});

test('crs install takes an archive with its checksum, and a Debian package where dpkg-deb is', async (t) => {
  const { folder, rules, crs } = open(t);
  const archive = join(folder, 'crs.tar.gz');
  execFileSync('tar', ['-czf', archive, '-C', rules, '.']);
  match((await crs('install', archive)).stderr, /an archive needs --checksum/);
  match(
    (await crs('install', archive, '--checksum', '00')).stderr,
    /is not the file that --checksum is about/,
  );
  const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex');
  match(
    (await crs('install', archive, '--checksum', sha256)).stdout,
    /^installed 1\.0\.0 from crs\.tar\.gz: 17 rules/,
  );

  const tree = join(folder, 'package');
  mkdirSync(join(tree, 'DEBIAN'), { recursive: true });
  writeFileSync(
    join(tree, 'DEBIAN', 'control'),
    'Package: modsecurity-crs\nVersion: 1.0.0-2\nArchitecture: all\nMaintainer: A <a@example.com>\nDescription: rules\n',
  );
  cpSync(join(rules, 'rules'), join(tree, 'usr', 'share', 'modsecurity-crs', 'rules'), { recursive: true });
  mkdirSync(join(tree, 'etc', 'modsecurity', 'crs'), { recursive: true });
  cpSync(join(rules, 'crs-setup.conf'), join(tree, 'etc', 'modsecurity', 'crs', 'crs-setup.conf'));
  const deb = join(folder, 'modsecurity-crs_1.0.0-2_all.deb');
  const hasDpkg = runsDpkg(['--root-owner-group', '--build', tree, deb]);
  if (!hasDpkg) writeFileSync(deb, 'nobody can read this');
  const installed = await crs('install', deb);
  if (hasDpkg)
    match(installed.stdout, /^installed 1\.0\.0-2 from modsecurity-crs_1\.0\.0-2_all\.deb: 17 rules/);
  else match(installed.stderr, /could not read the package with dpkg-deb: this system does not have it/);
});

function runsDpkg(args: readonly string[]): boolean {
  try {
    execFileSync('dpkg-deb', args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('crs says what is wrong with its arguments', async (t) => {
  const { folder, rules, crs } = open(t);
  match((await crs('install', join(folder, 'absent'))).stderr, /there is no file or directory/);
  writeFileSync(join(folder, 'a.zip'), '');
  match((await crs('install', join(folder, 'a.zip'))).stderr, /a directory, a \.deb or a \.tar\.gz file/);
  match((await crs('use', '1')).stderr, /no version is installed: gatehouse crs install/);
  await crs('install', rules);
  match((await crs('use', '2')).stderr, /there is no version 2: installed are 1\.0\.0/);
  mkdirSync(join(folder, 'other'));
  writeFileSync(join(folder, 'other', 'file'), '');
  const foreign = await runCaptured('crs', 'install', rules, '--data', join(folder, 'other'));
  match(foreign.stderr, /has other content/);
});

test('waf test judges a suite by the version in force in ./data when no rules are named', async (t) => {
  const { folder, rules, crs } = open(t);
  const before = process.cwd();
  t.after(() => process.chdir(before));
  process.chdir(folder);
  writeFileSync(
    'suite.yaml',
    `rule_id: 50120
tests:
  - test_id: 1
    stages:
      - input: { uri: /, headers: { Host: localhost, User-Agent: nikto } }
        output: { log: { expect_ids: [50120] } }
`,
  );
  const none = await runCaptured('waf', 'test', 'suite.yaml');
  deepEqual([none.code, none.stdout], [2, '']);
  match(none.stderr, /waf test needs --rules DIRECTORY.*no version of CRS is in force in .*data/);
  await crs('install', rules);
  const { code, stdout, stderr } = await runCaptured('waf', 'test', 'suite.yaml');
  deepEqual([code, stdout], [0, '1 of 1 tests pass (100.00 %)\n']);
  match(stderr, /^judged by CRS 1\.0\.0, which is in force in .*data\n$/);
  match((await runCaptured('waf', 'test', 'suite.yaml', '--setup', 'x')).stderr, /--setup needs --rules/);
});
