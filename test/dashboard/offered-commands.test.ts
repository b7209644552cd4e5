/**
 * Every command that a page offers is run by a shell as printed, against the server of the page: with the variables of
 * `gatehouse env`, the files that it names, and ids in place of words such as POOL. Those of Wrangler are run by `npm
 * run wrangler`.
 */
import { deepEqual, equal, match } from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createAuthority, issueCertificate } from '#certificates';
import { DevSite } from './dev-site.ts';
import { collectOffers, type OfferingSite, openOfferingSite } from './offering-site.ts';
import { type Offer, readOffers, Shell } from './offers.ts';
import { listEmptyTitles } from './walk/titles.ts';

/** The output of commands that run until they are interrupted. */
const lasting: readonly (readonly [command: RegExp, until: RegExp])[] = [
  [/^gatehouse events tail /, /waiting for events/],
  // Another program of this machine may listen on the port that they take.
  [/^gatehouse dev\b/, /ready on http|in use/],
  [/^gatehouse run \.$/, /"ready"|in use/],
  [/^gatehouse demo$/, /sign-in#/],
];

/** The folder of a reader: the ready file, a project, and the files that commands name. */
async function writeFiles(shell: Shell, { site, ids }: OfferingSite): Promise<void> {
  symlinkSync(site.data, join(shell.directory, 'data'));
  symlinkSync(join(import.meta.dirname, '../../examples'), join(shell.directory, 'examples'));
  const issued = issueCertificate(
    createAuthority('Test authority', Date.now()),
    ['empty.example'],
    Date.now(),
  );
  const { result: groups } = await site.call('GET /user/tokens/permission_groups?name=Zone%20Read');
  const policy = {
    effect: 'allow',
    resources: { 'com.cloudflare.api.account.zone.*': '*' },
    permission_groups: [{ id: groups[0].id }],
  };
  shell.write({
    'ready.json': site.program.ready,
    'gatehouse.toml': 'port = 0\ndata = "run-data"\n',
    'wrangler.json': { name: 'plain', main: 'index.js', compatibility_date: '2026-03-01' },
    'index.js': "export default { fetch: () => new Response('ok') };",
    'chain.pem': issued.certificate.toString(),
    'key.pem': String(issued.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    'items.json': [{ ip: '192.0.2.1' }],
    'token.json': { name: 'Reads', policies: [policy] },
    'zone.json': (await site.call(`GET /zones/${ids.old}/export`)).result,
    'access.log': '192.0.2.1 - - [01/Nov/2026:10:00:00 +0000] "GET /?q=1 HTTP/1.1" 200 10 "-" "curl"\n',
  });
}

/** With ids in place of the words in capitals. */
async function fillWords(command: string, { site, ids }: OfferingSite): Promise<string> {
  const account = `/accounts/${ids.account}`;
  const find = async (path: string): Promise<string> => (await site.call(`GET ${path}`)).result[0].id;
  const words: Readonly<Record<string, () => Promise<string>>> = {
    EVENT: async () => ids.event,
    RULE: async () => '100001',
    POOL: () => find(`${account}/load_balancers/pools`),
    WEBHOOK: () => find(`${account}/alerting/v3/destinations/webhooks`),
  };
  let filled = command;
  for (const [word, read] of Object.entries(words))
    if (command.includes(word)) filled = filled.replaceAll(word, await read());
  return filled;
}

async function run(shell: Shell, command: string): Promise<string> {
  const until = lasting.find(([pattern]) => pattern.test(command))?.[1];
  const { code, said } = await shell.run(command, { until });
  if (until === undefined) equal(code, 0, `${command}\n${said}`);
  else match(said, until, command);
  if (command.includes('"$API')) equal(JSON.parse(said.slice(said.indexOf('{"'))).success, true, said);
  return said;
}

/**
 * Commands name resources that other commands create: the commands of each group run one after the other, in the order
 * of the pages.
 */
const chains: readonly RegExp[] = [
  /\bshop\.example\b/,
  /\b(?:POOL|create-monitor|create-pool)\b/,
  /\b(?:WEBHOOK|create-webhook)\b/,
  // These take the same port.
  /^gatehouse (?:dev|run)\b/,
];
/** One for each core of a small machine. */
const chainsAtOnce = 2;

/** A command that names a resource comes after the one that creates it. */
function order(commands: readonly string[]): readonly string[] {
  const isLate = (command: string): boolean => /\b(?:POOL|WEBHOOK)\b/.test(command);
  return commands.toSorted((one, other) => Number(isLate(one)) - Number(isLate(other)));
}

async function runAll(shell: Shell, commands: readonly string[], offering: OfferingSite): Promise<void> {
  const groups = Map.groupBy(order(commands), (command) => {
    const chain = chains.findIndex((pattern) => pattern.test(command));
    return chain === -1 ? command : chain;
  });
  // The longest first, so that no core waits for its end.
  const waiting = [...groups.values()].toSorted((one, other) => other.length - one.length);
  const runChains = async (): Promise<void> => {
    for (let chain = waiting.shift(); chain !== undefined; chain = waiting.shift())
      for (const command of chain) await run(shell, await fillWords(command, offering));
  };
  await Promise.all(Array.from({ length: chainsAtOnce }, runChains));
}

const seen: Offer[] = [];

async function checkServer(): Promise<void> {
  await using offering = await openOfferingSite();
  await using shell = new Shell();
  await writeFiles(shell, offering);
  // Once, as a reader does.
  shell.setup = (await shell.run('gatehouse env --for curl --ready-file ready.json')).said;
  match(shell.setup, /AUTHORIZATION/);
  const offers = await collectOffers(offering);
  seen.push(...offers);
  const commands = offers
    .map(({ command }) => command)
    .filter((command) => !command.includes('npx wrangler'));
  await runAll(shell, commands, offering);
  const { result: rules } = await offering.site.call(`GET /zones/${offering.ids.empty}/pagerules`);
  deepEqual(
    rules.map(({ status }: { status: string }) => status),
    ['active'],
  );
}

/** Fails at once. */
const simulation = `
import { defineSimulation, DurableObject } from 'gatehouse/testing';
class Account extends DurableObject {}
export const deposits = defineSimulation({ classes: { Account } }, async () => { throw new Error('lost'); });
`;
const worker = `
import { DurableObject } from 'cloudflare:workers';
export class Tally extends DurableObject {
  async add() { await this.ctx.storage.put('seen', 1); return 1; }
}
export default { fetch: async (_, env) => Response.json(await env.Tally.getByName('daily').add()) };
`;

async function checkDev(): Promise<void> {
  await using dev = await DevSite.open({
    'index.js': worker,
    'wrangler.json': JSON.stringify({
      name: 'tally',
      main: 'index.js',
      durable_objects: { bindings: [{ name: 'Tally', class_name: 'Tally' }] },
      migrations: [{ tag: 'v1', new_sqlite_classes: ['Tally'] }],
    }),
    'my account.simulation.js': simulation,
  });
  await (await fetch(dev.url)).text();
  // Where commands without a directory look for objects.
  symlinkSync(dev.state, join(dev.directory, 'data'));
  await using shell = new Shell({ directory: dev.directory });
  const page = await dev.openSignedIn('/objects?view=stories');
  const [simulate, ...others] = await readOffers(page);
  equal(simulate?.command, 'gatehouse simulate');
  equal(others.length, 0);
  const { code, said } = await shell.run(simulate.command);
  equal(code, 1, said);
  await page.getByRole('link', { name: 'deposits' }).click();
  const [replay] = await readOffers(page);
  const replayed = await shell.run(replay!.command);
  match(replayed.said, /lost/, replay!.command);
  await page.goto(`${dev.pageUrl}/objects?class=Tally&object=daily&view=tables`);
  const [get] = await readOffers(page);
  await run(shell, get!.command);
  seen.push(simulate, get!);
}

// Each of them mostly waits: for its browser, and for what its commands start.
describe('commands of pages', { concurrency: 2 }, () => {
  test('every command of gatehouse and curl that the page of a server offers works', checkServer);
  test('every command that the page of gatehouse dev offers works', checkDev);
});

test('every empty state of the page was among them', () => {
  deepEqual(
    listEmptyTitles().filter(({ pattern }) => !seen.some(({ title }) => pattern.test(title))),
    [],
  );
});
