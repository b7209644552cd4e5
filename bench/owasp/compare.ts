/**
 * Which rules of the OWASP Core Rule Set match, in two engines: nginx with libmodsecurity, and ours. The requests of a
 * test suite of CRS are sent to nginx byte for byte, and read here as the edge reads them. Every test whose rules differ
 * is printed with the reason; one without a known reason makes the command fail. Needs nginx and apt.
 *
 *     npm run verify -- crs:compare ../crs/tests/regression/tests [--count 300]
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { realClock } from '../../src/foundation/base.ts';
import { loadRuleDirectory } from '../../src/program/rehearsal/rule-tests/rule-directory.ts';
import { beginTransaction } from '../../src/program/rehearsal/rule-tests/begin-transaction.ts';
import { readSuite, suiteValues } from '../../src/program/rehearsal/rule-tests/suite.ts';
import type { SuiteTest } from '../../src/program/rehearsal/rule-tests/suite-file.ts';
import { readRawRequest, Refusal } from '../../src/traffic/edge.ts';
import { PersistentCollections, type RuleSet, runRequest } from '../../src/rules/seclang.ts';
import { startNginx, startScript } from '../edge/children.ts';
import { AuditLog } from './audit-log.ts';
import { explainDifference, isCompared } from './differences.ts';
import { configureModsecurity, unpackModsecurity } from './modsecurity.ts';
import { sendBytes } from './send-bytes.ts';

const { values: options, positionals } = parseArgs({
  options: { count: { type: 'string', default: '0' } },
  allowPositionals: true,
});

interface Comparison {
  readonly test: SuiteTest;
  readonly theirs: ReadonlySet<number>;
  readonly ours: ReadonlySet<number>;
  /** Why they differ; `undefined` if the reason is unknown. */
  readonly reason: string | undefined;
}

/** Undefined if the edge would refuse the request before any rule sees it. */
function judge(rules: RuleSet, request: string): ReadonlySet<number> | undefined {
  const read = readRawRequest(Buffer.from(request, 'latin1'));
  if (read instanceof Refusal) return undefined;
  const transaction = beginTransaction(read, rules, {
    collections: new PersistentCollections(realClock),
    engine: 'detection-only',
  });
  runRequest(transaction);
  return new Set(transaction.matched.map(({ rule }) => rule.id).filter(isCompared));
}

/** Evenly spread, so that every file has its share. */
function pick<T>(all: readonly T[], count: number): readonly T[] {
  if (count === 0 || count >= all.length) return all;
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]!);
}

interface Skipped {
  readonly test: SuiteTest;
  readonly by: string;
}

async function run(directory: string, suite: string): Promise<boolean> {
  const root = unpackModsecurity();
  const rules = loadRuleDirectory(join(root, 'usr/share/modsecurity-crs'), {
    setup: join(root, 'etc/modsecurity/crs/crs-setup.conf'),
    values: new Map(suiteValues),
  });
  const auditFile = join(directory, 'audit.log');
  const firewall = configureModsecurity(root, join(directory, 'modsecurity.conf'), {
    engine: 'DetectionOnly',
    values: new Map(suiteValues),
    auditLog: auditFile,
  });
  await using origin = await startScript('origin.ts', []);
  await using nginx = await startNginx(join(directory, 'nginx'), origin.port, { firewall });
  if (nginx === undefined) throw new Error('nginx is not installed: apt-get install nginx');
  const log = new AuditLog(auditFile, nginx.port);
  const compared: Comparison[] = [];
  const skipped: Skipped[] = [];
  for (const test of pick(readSuite(suite), Number(options.count))) {
    const { request } = test.stages[0]!;
    const ours = judge(rules, request);
    const status = await sendBytes(nginx.port, request);
    const theirs = await log.readNext(isCompared);
    if (ours === undefined) skipped.push({ test, by: 'our edge' });
    else if (theirs === undefined) skipped.push({ test, by: `nginx, with ${status ?? 'no answer'}` });
    else {
      const different = theirs.symmetricDifference(ours);
      const reason = explainDifference(
        request,
        rules.rules.filter(({ id }) => different.has(id)),
      );
      compared.push({ test, theirs, ours, reason });
    }
  }
  return printResult(compared, skipped);
}

function printResult(compared: readonly Comparison[], skipped: readonly Skipped[]): boolean {
  const different = compared.filter(({ theirs, ours }) => theirs.symmetricDifference(ours).size > 0);
  for (const { test, theirs, ours, reason } of different) {
    const [missing, added] = [theirs.difference(ours), ours.difference(theirs)];
    const parts = [
      ...(missing.size > 0 ? [`only libmodsecurity: ${[...missing].join(' ')}`] : []),
      ...(added.size > 0 ? [`only here: ${[...added].join(' ')}`] : []),
    ];
    console.log(`${test.title}: ${parts.join('; ')} (${reason ?? 'NOT EXPLAINED'})`);
  }
  console.log('');
  for (const [reason, group] of Map.groupBy(different, (each) => each.reason ?? 'not explained'))
    console.log(`${group.length} differ: ${reason}`);
  for (const [by, group] of Map.groupBy(skipped, (each) => each.by))
    console.log(`${group.length} not compared: refused by ${by} before any rule`);
  console.log(
    `${compared.length - different.length} of ${compared.length} tests match the same rules in both`,
  );
  return different.every(({ reason }) => reason !== undefined);
}

const [suite] = positionals;
if (suite === undefined || !existsSync(suite)) {
  console.error(
    'Name the directory with the regression tests of CRS: npm run verify -- crs:compare DIRECTORY',
  );
  process.exit(2);
}
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-crs-compare-'));
try {
  process.exitCode = (await run(directory, suite)) ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
