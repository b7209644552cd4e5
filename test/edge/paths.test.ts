/** The table of paths, with origins that read paths in different ways: none bypasses a rule that should match it. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { otherCaseTargets, pathForms } from './paths/path-forms.ts';
import { origins, writeFiles } from './paths/path-origins.ts';
import { addRules, findPassed, findSurprises, PathSender, setOrigin } from './paths/path-table.ts';
import { ServedEdge } from './served-edge.ts';

let served: ServedEdge;
let files: string;
before(async () => {
  files = await mkdtemp(join(tmpdir(), 'gatehouse-paths-'));
  await writeFiles(files);
  served = await ServedEdge.open();
  await addRules(served);
});
after(async () => {
  await served[Symbol.asyncDispose]();
  await rm(files, { recursive: true });
});

test('the edge does with each of the paths what the table says', async () => {
  ok(pathForms.length >= 80);
  await served.serve('enterprise');
  deepEqual(await findSurprises(served, pathForms), []);
});

for (const [name, start] of Object.entries(origins)) {
  test(`no path reaches what is protected behind a rule: ${name}`, async () => {
    await using origin = await start(files);
    const targets = pathForms.map(({ target }) => target);
    // Without the edge, the origin alone protects nothing: the table has paths that are relevant to it.
    using direct = new PathSender(Number(new URL(origin.url).port), 'origin.example');
    let reached = 0;
    for (const target of targets) if ((await direct.send(target)).isProtectedServed) reached++;
    ok(reached >= 10, `only ${reached} paths reach what is protected`);
    await setOrigin(served, origin.url);
    deepEqual(await findPassed(served, targets), []);
  });
}

test('no path in other letters reaches what is protected behind a rule that ignores case', async () => {
  await using origin = await origins['Express']!(files);
  await setOrigin(served, origin.url);
  ok((await findPassed(served, otherCaseTargets, ['enterprise'])).length > 0);
  deepEqual(await findPassed(served, otherCaseTargets, ['business', 'pro']), []);
});

interface Normalization {
  readonly type: string;
  readonly scope: string;
}

/** The path and query that the origin got, or the action of the edge. */
async function follow(target: string, normalization: Normalization): Promise<string> {
  const zone = `/zones/${served.control.zone('enterprise')}`;
  await served.do(`PUT ${zone}/url_normalization`, normalization);
  served.origin.take();
  using sender = new PathSender(served.port, served.host('enterprise'));
  const { outcome } = await sender.send(target);
  const [received] = served.origin.take();
  return received === undefined ? outcome : received.url;
}

test('url_normalization decides what the origin gets, and rules judge the same', async () => {
  await served.serve('enterprise');
  const cases: readonly (readonly [target: string, type: string, scope: string, expected: string])[] = [
    ['/%68ello//pa\\th?q=\\a//b', 'cloudflare', 'both', '/hello/pa/th?q=\\a//b'],
    ['/%68ello//pa\\th', 'rfc3986', 'both', '/hello//pa%5Cth'],
    ['/%68ello//path', 'cloudflare', 'incoming', '/%68ello//path'],
    ['/%68ello//pa\\th', 'cloudflare', 'incoming', 'refused'],
    ['/hello/../path', 'cloudflare', 'incoming', 'refused'],
    ['/%61dmin', 'cloudflare', 'incoming', 'blocked'],
    ['//x/%61dmin', 'rfc3986', 'incoming', 'blocked'],
    ['/%61dmin//pa\\th/../x;y', 'cloudflare', 'none', '/%61dmin//pa\\th/../x;y'],
    ['/admin/../x', 'rfc3986', 'none', 'blocked'],
    ['/admin/../x', 'rfc3986', 'both', '/x'],
  ];
  for (const [target, type, scope, expected] of cases) {
    deepEqual([target, type, scope, await follow(target, { type, scope })], [target, type, scope, expected]);
  }
  equal(
    (await served.control.call(`DELETE /zones/${served.control.zone('enterprise')}/url_normalization`))
      .status,
    204,
  );
  await served.inForce();
});

test('a refused path leaves an event with its reason', async () => {
  await served.serve('enterprise');
  const answer = await served.send('/x/..;/admin');
  equal(answer.status, 400);
  const [event, ...others] = await served.eventsOf(answer);
  deepEqual([event?.action, event?.ruleId, event?.edgeResponseStatus], ['block', 'ambiguous-path', 400]);
  match(event!.description, /dot segments/);
  deepEqual(others, []);
});

test('an event names the rule that only another reading of the path meets', async () => {
  await served.serve('enterprise');
  const answer = await served.send('/x%2fadmin');
  const [event] = await served.eventsOf(answer);
  deepEqual([answer.status, event?.action, event?.clientRequestPath], [403, 'block', '/x%2fadmin']);
});
