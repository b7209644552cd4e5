/**
 * Checks the promises about the OWASP Core Rule Set with its real rules, which are not part of this repository. They
 * come from the Debian package modsecurity-crs, downloaded by apt-get without root; the package is kept in the folder
 * for temporary files, so that it is fetched once. Without apt or a network this says so and fails.
 *
 *     npm run crs                                  install, load, migrate
 *     npm run crs -- --suite ../crs/tests          the regression tests of that version as well
 *     npm run crs -- --source ../crs-4.25.0        another version: a directory or a .deb file
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type CoreRules,
  downloadDebianPackage,
  type FoundRules,
  listScoringRules,
  loadRules,
  readDebianPackage,
  readRuleDirectory,
  toRuleSource,
  VersionStore,
} from '#seclang';
import { CompiledZone, type ZoneConfiguration } from '#firewall';
import { managedParts, managedRulesets, replaceCoreRules } from '#managed';
import { type RequestDescription, requestFrom } from '#request';
import { owaspId } from '../control/migrating-zone.ts';
import { listAttacks } from '../detection/corpus/attacks.ts';
import { listHarmlessValues } from '../detection/corpus/harmless-values.ts';
import { listOrdinaryRequests } from '../detection/corpus/ordinary.ts';
import { createConfiguration, judgeWith, rulesetIds } from '../detection/corpus/zone.ts';
import { textKinds } from '../uploads/kinds.ts';
import { ordinaryRequests } from '../managed/ordinary-requests/all.ts';
import { runCli } from '#cli';
import { carryScores } from '../../src/api/control/migration/carried-scores.ts';
import { checkOwaspMigration } from '../edge/owasp-migration.ts';
import { countByEvidence } from './evidence.ts';
import { findInCache } from '../../tools/cache-folder.ts';

const { values } = parseArgs({
  options: { suite: { type: 'string' }, source: { type: 'string' } },
});

const statement = "-1'%20UNION%20SELECT%20table_name,NULL%20FROM%20information_schema.tables--%20-";
const script = '%3Cscript%3Ealert(document.cookie)%3C/script%3E';
const traversal = '../../../../etc/passwd';

async function readRules(): Promise<FoundRules> {
  const { source } = values;
  if (source !== undefined) {
    return statSync(source).isDirectory() ? readRuleDirectory(source) : await readDebianPackage(source);
  }
  const cache = findInCache('crs-package');
  mkdirSync(cache, { recursive: true });
  const cached = readdirSync(cache).find((name) => name.endsWith('.deb'));
  return await readDebianPackage(
    cached === undefined ? await downloadDebianPackage(cache) : join(cache, cached),
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** CPU time and memory: the wall clock depends on the load of the machine. */
function measureLoading(rules: FoundRules): void {
  globalThis.gc?.();
  const [cpuBefore, before] = [process.cpuUsage(), process.memoryUsage()];
  const loaded = loadRules(toRuleSource(rules));
  const { user, system } = process.cpuUsage(cpuBefore);
  const after = process.memoryUsage();
  globalThis.gc?.();
  const kept = process.memoryUsage();
  const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
  say(
    `loaded and compiled ${loaded.rules.length} rules in ${Math.round((user + system) / 1_000)} ms of CPU; resident memory grows by ${megabytes(after.rss - before.rss)}, of which ${megabytes(kept.heapUsed + kept.arrayBuffers - before.heapUsed - before.arrayBuffers)} are kept`,
  );
}

async function run(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'gatehouse-crs-run-'));
  try {
    const found = await readRules();
    measureLoading(found);
    const rules = new VersionStore(data).install(found);
    const scoring = listScoringRules(rules);
    say(`installed ${rules.version} from ${found.source}: ${scoring.length} rules that score`);
    ok(scoring.length > 200);
    await countOrdinaryRequests(rules);
    for await (const line of countByEvidence()) say(line);
    checkScoresAct();
    checkResponses();
    await checkBulkJson();
    await checkOwaspMigration(rules, {
      path: `/?id=${statement}&file=${traversal}&q=${script}`,
      paths: {
        60: `/?id=${statement}&file=${traversal}&q=${script}`,
        40: `/?q=${script}&file=${traversal}`,
        25: `/?id=${statement}`,
      },
      checkLedger(lines) {
        for (const argument of ['id', 'file', 'q'])
          ok(lines.some(({ place, score }) => place === `argument ${argument}` && score === 5));
      },
    });
    say(
      'migrated a zone with sensitivity medium and action simulate: level 1, threshold 25, log; 60, 40 and 25 differ',
    );
    if (values.suite !== undefined)
      await runSuite(join(data, 'crs', 'versions', rules.version), values.suite);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** Of the legacy package; the first is its default as well. The result of their migration is asserted. */
const sensitivities = [
  { sensitivity: 'high', name: 'high, and the default', level: 2, threshold: 40 },
  { sensitivity: 'medium', name: 'medium', level: 1, threshold: 25 },
  { sensitivity: 'low', name: 'low', level: 1, threshold: 40 },
] as const;

type UnconfirmedScores = NonNullable<ZoneConfiguration['edge']['unconfirmedScores']>;

/** As the migration makes it. */
function toExecuted({ sensitivity, level, threshold }: (typeof sensitivities)[number]): object {
  const { overrides } = carryScores({
    id: 'owasp',
    name: 'OWASP',
    settings: { sensitivity, actionMode: 'challenge' },
    groups: [],
    rules: [],
  });
  const off = [1, 2, 3, 4].filter((each) => each > level);
  deepEqual(
    overrides!.categories,
    off.map((each) => ({ category: `paranoia-level-${each}`, enabled: false })),
  );
  equal(overrides!.rules![0]!.score_threshold, threshold);
  return { id: owaspId, overrides };
}

function listStopped(
  zone: CompiledZone,
  requests: readonly RequestDescription[],
): readonly RequestDescription[] {
  return requests.filter(
    (request) => zone.judge({ view: requestFrom(addLength(request)) }).verdict.kind !== 'pass',
  );
}

/**
 * How many ordinary requests and how many attacks are stopped, by the OWASP rules with each sensitivity, and by the
 * default configuration of a zone and that after a migration. A score acts by itself, so these numbers are properties
 * of the CRS rules; docs/rules/owasp.md shows them. A zone that chooses to log scores that no detector confirms stops
 * no ordinary request that detectors alone would not stop, and that is asserted.
 */
async function countOrdinaryRequests(rules: CoreRules): Promise<void> {
  await replaceCoreRules(rules);
  const ordinary: readonly (readonly [name: string, requests: readonly RequestDescription[]])[] = [
    ['ordinary requests', ordinaryRequests.map(({ request }) => request)],
    ['requests of the corpus', listOrdinaryRequests().map(({ request }) => request)],
    ['texts with code, markup and quotes', listHarmlessValues().map(({ request }) => request)],
  ];
  const attacks = listAttacks().map(({ request }) => request);
  const detectors = new CompiledZone(createConfiguration('paid', [{ id: rulesetIds.paid }]), managedParts);
  const sure = new Set(ordinary.flatMap(([, requests]) => listStopped(detectors, requests)));
  const tell = (what: string, zone: CompiledZone, allows: 'some' | 'sure'): void => {
    const counts = ordinary.map(([name, requests]) => {
      const stopped = listStopped(zone, requests);
      if (allows === 'sure')
        deepEqual(
          stopped.filter((request) => !sure.has(request)),
          [],
          `${what}: ${name}`,
        );
      return `${stopped.length} of ${requests.length} ${name}`;
    });
    say(
      `${what} stops ${counts.join(', ')}; ${listStopped(zone, attacks).length} of ${attacks.length} attacks`,
    );
  };
  tell('detectors alone', detectors, 'sure');
  for (const sensitivity of sensitivities)
    for (const unconfirmedScores of ['act', 'log'] satisfies UnconfirmedScores[]) {
      const { name, level, threshold } = sensitivity;
      const edge = { origin: undefined, overInspectionLimit: 'default', unconfirmedScores } as const;
      const zone = createConfiguration('paid', [toExecuted(sensitivity)], { edge });
      const what = `sensitivity ${name} (level ${level}, threshold ${threshold}), unconfirmed scores ${unconfirmedScores},`;
      tell(what, new CompiledZone(zone, managedParts), unconfirmedScores === 'log' ? 'sure' : 'some');
    }
  const migrated = createConfiguration('paid', [{ id: rulesetIds.paid }, toExecuted(sensitivities[0])]);
  tell('the migrated default, both rulesets,', new CompiledZone(migrated, managedParts), 'some');
  const { previous } = migrated;
  const legacy = createConfiguration('paid', [], {
    migration: 'start',
    previous: { ...previous, waf: 'on' },
  });
  tell('the legacy default', new CompiledZone(legacy, managedParts), 'some');
}

/** Unusual in ways that no detector covers: a method, an extension, a session id, the name of a class. */
const oddRequest: RequestDescription = {
  method: 'PROPFIND',
  url: 'https://shop.example/x.sys?PHPSESSID=1&q=java.lang.Runtime',
};

/** A score that reaches its threshold acts, whatever the detectors say, after a migration and before it. */
function checkScoresAct(): void {
  const judge = (zone: ZoneConfiguration): string => {
    const { verdict, triggered } = new CompiledZone(zone, managedParts).judge({
      view: requestFrom(oddRequest),
    });
    const { total, threshold } = triggered.find(({ score }) => score !== undefined)!.score!;
    return `${verdict.kind} at ${total} of ${threshold}`;
  };
  const [, medium] = sensitivities;
  const executed = [{ id: rulesetIds.paid }, toExecuted(medium)];
  const migrated = createConfiguration('paid', executed);
  const edge = { ...migrated.edge, unconfirmedScores: 'log' } as const;
  const previous = { ...migrated.previous, waf: 'on' } as const;
  const verdicts = {
    migrated: judge(migrated),
    legacy: judge(createConfiguration('paid', [], { migration: 'start', previous })),
    unconfirmedLogged: judge(createConfiguration('paid', executed, { edge })),
  };
  say(`${oddRequest.method} ${oddRequest.url}: ${JSON.stringify(verdicts)}`);
  ok(verdicts.migrated.startsWith('challenge at '), verdicts.migrated);
  ok(verdicts.legacy.startsWith('challenge at '), verdicts.legacy);
  ok(verdicts.unconfirmedLogged.startsWith('pass at '), verdicts.unconfirmedLogged);
}

/** Plain JSON of the maximum inspectable size passes both rulesets with the default level, within its budget. */
async function checkBulkJson(): Promise<void> {
  const executed = [{ id: rulesetIds.paid }, toExecuted(sensitivities[0])];
  const judge = judgeWith(new CompiledZone(createConfiguration('paid', executed), managedParts));
  const [{ headers, listPieces }] = textKinds as [(typeof textKinds)[number]];
  const sizes = [65_000, 98_000, 128_000, 300_000, 1_000_000];
  for (const size of sizes) {
    const [body] = [...listPieces(size)] as [Buffer];
    const fields = [...Object.entries(headers), ['content-length', String(body.length)]] as const;
    const request = { method: 'POST', url: '/bulk', headers: fields, body } as unknown as RequestDescription;
    equal(await judge(request), undefined, `JSON of ${body.length} bytes`);
  }
  say(`plain JSON of ${sizes.join(', ')} bytes passes within its budget`);
}

/** Server responses that leak information, and the CRS rule that detects it; an ordinary page scores nothing. */
const responses: readonly (readonly [rule: string | undefined, status: number, body: string])[] = [
  [
    '951230',
    200,
    'You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version',
  ],
  ['953120', 200, '<?php $password = "x"; echo $password; ?>'],
  ['950130', 200, '<html><title>Index of /backup</title><h1>Index of /backup</h1>'],
  [undefined, 200, '<h1>Blue shoes</h1><p>In stock. Select a size, or ask us.</p>'],
  [undefined, 404, 'Not found'],
];

/** The rules about responses, with the level that the migration chooses by default. */
function checkResponses(): void {
  const { rules: listed, engine } = managedRulesets.get(owaspId)!;
  const descriptions = new Map(listed.map(({ id, description }) => [id, description]));
  const program = engine!.select(
    new Set(listed.flatMap(({ id, categories }) => (isWithin(categories, 2) ? [id] : []))),
  );
  for (const [rule, status, body] of responses) {
    const request = requestFrom({ url: 'https://shop.example/', headers: { 'user-agent': 'Mozilla/5.0' } });
    const { judgeResponse } = program.judge(request, { isResponseAwaited: true });
    const { findings, threshold } = judgeResponse!({
      status,
      headers: [['Content-Type', 'text/html']],
      body,
    });
    const found = findings.map(({ ruleId }) => descriptions.get(ruleId)!.slice(0, 6));
    equal(threshold, 4);
    if (rule === undefined) deepEqual(found, [], body);
    else ok(found.includes(rule), `${rule}: ${found.join(' ')}`);
  }
  say(`${responses.length} responses are judged as they should be`);
}

/** Descriptions omit it, and a CRS rule misses it. */
function addLength(request: RequestDescription): RequestDescription {
  if (request.body === undefined) return request;
  const { headers: given = {}, body } = request;
  const headers = (Array.isArray(given) ? given : Object.entries(given)) as [string, string][];
  return { ...request, headers: [...headers, ['content-length', String(Buffer.byteLength(body))]] };
}

function isWithin(categories: readonly string[], level: number): boolean {
  return [1, 2, 3, 4].some((each) => each <= level && categories.includes(`paranoia-level-${each}`));
}

async function runSuite(rules: string, suite: string): Promise<void> {
  ok(existsSync(suite), `there is no suite ${suite}`);
  const code = await runCli(['waf', 'test', suite, '--rules', rules]);
  say(`gatehouse waf test ended with ${code}`);
}

await run();
