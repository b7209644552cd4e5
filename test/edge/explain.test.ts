/** Requests that rules stop, their explanation by `explain`, and that its exceptions let them pass. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { ExplainedEvent } from '#events';
import { makeToken } from '../control/token-maker.ts';
import { type Answer, type Sent, ServedEdge } from './served-edge.ts';

const managedId = 'efb7b8c949ac4650a09736fc376e9aee';
const owaspId = '4814384a9e5d4991b9815dcfc25d2f1f';
const managedPhase = 'http_request_firewall_managed';

let served: ServedEdge;
let zone: string;

beforeEach(async () => {
  served = await ServedEdge.open();
  await served.serve('enterprise');
  zone = `/zones/${served.control.zone('enterprise')}`;
});
afterEach(() => served[Symbol.asyncDispose]());

async function explain(answer: Answer): Promise<ExplainedEvent> {
  const { id } = (await served.eventsOf(answer)).at(-1)!;
  return (await served.do(`GET ${zone}/security/events/${id}/explain`)).result;
}

/** Applies the exception of the explanation, and sends the request again. */
async function makeExceptions({ exceptions }: ExplainedEvent, path: string, sent: Sent): Promise<number> {
  for (const { request } of exceptions) {
    // Text that was copied, not an object.
    await served.do(`${request.method} ${request.path}`, JSON.parse(JSON.stringify(request.body)));
  }
  return (await served.send(path, sent)).status;
}

function effects({ exceptions }: ExplainedEvent): string[] {
  return exceptions.map(({ request }) => `${request.method} ${request.path.replace(/[0-9a-f]{32}/g, '…')}`);
}

for (const [plan, expected] of [
  ['enterprise', ['POST /zones/…/firewall/rules']],
  ['pro', ['PATCH /zones/…/firewall/waf/packages/…/rules/100001']],
] as const) {
  test(`explain: an exception for the legacy WAF of the ${plan} plan`, async () => {
    const id = `/zones/${served.control.zone(plan)}`;
    const host = served.host(plan);
    await served.serve(plan);
    await served.do(`PATCH ${id}/settings/waf`, { value: 'on' });
    const path = '/legacy?redirect:https://elsewhere.example/';
    const answer = await served.send(path, { host });
    equal(answer.status, 403);
    const event = (await served.eventsOf(answer, plan)).at(-1)!;
    equal(event.source, 'waf');
    const { result } = await served.do(`GET ${id}/security/events/${event.id}/explain`);
    const explained: ExplainedEvent = result;
    deepEqual(effects(explained), expected);
    equal(await makeExceptions(explained, path, { host }), 200);
    if (plan !== 'enterprise') return;
    equal((await served.send(path.replace('legacy', 'legacy2'), { host })).status, 403);
    // The exception offered first does not prevent a migration; the override that does says so.
    const [{ alternatives = [] }] = explained.exceptions as [ExplainedEvent['exceptions'][number]];
    deepEqual(
      alternatives.map(({ request, warning }) => [request.path.replace(id, ''), warning.slice(-7)]),
      [['/firewall/waf/overrides', '(10705)']],
    );
    const check = (): Promise<any> => served.do(`GET ${id}/waf_migration/check?phase_two=1`);
    equal((await check()).result.compatible, true);
    const { request } = alternatives[0]!;
    const { messages } = (await served.do(
      `POST ${request.path}`,
      JSON.parse(JSON.stringify(request.body)),
    )) as any;
    deepEqual(
      messages.map(({ code }: { code: number }) => code),
      [10747],
    );
    equal((await check()).result.compatible, false);
  });
}

for (const [plan, generation, expected] of [
  ['business', 'legacy', ['POST /zones/…/firewall/rules']],
  ['free', 'new', ['POST /zones/…/rulesets/…/rules']],
] as const) {
  test(`explain: a body that is too long for the ${generation} rules is excepted on its path first`, async () => {
    const id = `/zones/${served.control.zone(plan)}`;
    const sent: Sent = { host: served.host(plan), method: 'POST', body: 'x'.repeat(140_000) };
    await served.serve(plan);
    if (plan === 'free') {
      const rule = {
        action: 'execute',
        expression: 'true',
        action_parameters: { id: '77454fe2d30c4220b5701f6fdfb893ba' },
      };
      await served.do(`PUT ${id}/rulesets/phases/${managedPhase}/entrypoint`, { rules: [rule] });
    } else await served.do(`PATCH ${id}/settings/waf`, { value: 'on' });
    const answer = await served.send('/upload', sent);
    equal(answer.status, 403);
    const event = (await served.eventsOf(answer, plan)).at(-1)!;
    match(event.description, /longer than what rules can look at, which is 128 KiB at most/);
    const { result } = await served.do(`GET ${id}/security/events/${event.id}/explain`);
    const explained: ExplainedEvent = result;
    deepEqual(effects(explained), expected);
    deepEqual(
      explained.exceptions[0]!.alternatives!.map(({ request }) => request.body),
      [{ over_inspection_limit: 'log' }],
    );
    equal(await makeExceptions(explained, '/upload', sent), 200);
    equal((await served.send('/elsewhere', sent)).status, 403);
  });
}

test('explain: the exceptions for all rules that would have decided let the request pass, and no other', async () => {
  await served.do(`POST ${zone}/firewall/rules`, [
    { action: 'block', filter: { expression: 'http.request.uri.query contains "select"' } },
  ]);
  await served.do(`PUT ${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [{ action: 'block', expression: 'http.cookie contains "select"', description: 'cookies' }],
  });
  await served.do(
    `PUT ${zone}/rulesets/phases/${managedPhase}/entrypoint?waf_migration=pending&phase_two=1`,
    {
      rules: [
        { action: 'execute', expression: 'true', action_parameters: { id: managedId } },
        {
          action: 'execute',
          expression: 'true',
          action_parameters: {
            id: owaspId,
            overrides: {
              rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 5, action: 'block' }],
            },
          },
        },
      ],
    },
  );
  const path = "/a/../search?page=2&q=1'+union+select+password+from+users--+&x=select";
  const sent = { headers: { cookie: 'theme=dark; filter=select+all' } };
  const answer = await served.send(path, sent);
  equal(answer.status, 403);

  const explained = await explain(answer);
  match(
    explained.summary,
    /^block by firewallrules rule [0-9a-f]{32}; "select" in argument "q" at \d+; \d more rules would have decided$/,
  );
  const { alsoDeciding = [] } = explained.explanation!;
  deepEqual([...new Set(alsoDeciding.map(({ source }) => source))], ['firewallCustom', 'firewallManaged']);
  equal(alsoDeciding[0]!.found![0]!.where!.name, 'filter');
  equal(alsoDeciding[1]!.found![0]!.where!.name, 'q');
  deepEqual(effects(explained), [
    'POST /zones/…/firewall/rules',
    'POST /zones/…/rulesets/…/rules',
    'POST /zones/…/rulesets/…/rules',
  ]);
  equal(
    explained.exceptions[0]!.expression,
    `http.host eq "${served.host('enterprise')}" and http.request.uri.path eq "/search"`,
  );

  equal(await makeExceptions(explained, path, sent), 200);
  equal((await served.send(path.replace('search', 'other'), sent)).status, 403);
});

test('explain: the narrowest exception is for the argument, and rules see all others', async () => {
  await served.do(
    `PUT ${zone}/rulesets/phases/${managedPhase}/entrypoint?waf_migration=pending&phase_two=1`,
    { rules: [{ action: 'execute', expression: 'true', action_parameters: { id: managedId } }] },
  );
  const attack = "1' union select password from users-- ";
  const send = (fields: Readonly<Record<string, string>>): Promise<Answer> =>
    served.send('/posts', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ items: [{ id: 1 }, fields] }),
    });
  const answer = await send({ note: attack });
  equal(answer.status, 403);

  const [exception] = (await explain(answer)).exceptions;
  const [narrow] = exception!.narrower!;
  match(narrow!.effect, /do(?:es)? not look at JSON value "items\[\*\]\.note" of these requests$/);
  await served.do(`${narrow!.request.method} ${narrow!.request.path}`, narrow!.request.body);
  equal((await send({ note: attack })).status, 200);
  equal((await send({ title: attack })).status, 403);
  equal((await send({ note: 'harmless', title: attack })).status, 403);
});

const union = "1' union select password from users-- ";
const form = 'application/x-www-form-urlencoded';

/** One request for each kind of body, with the part that matches a rule, and another part. */
const bodies: readonly {
  readonly part: string;
  readonly type: string;
  readonly ruleset: string;
  readonly write: (found: string, other: string) => string;
}[] = [
  {
    part: 'XML text order/note',
    type: 'text/xml',
    ruleset: managedId,
    write: (found, other) => `<order id="${other}"><note>${found}</note></order>`,
  },
  {
    part: 'XML attribute order@id',
    type: 'application/soap+xml',
    ruleset: managedId,
    write: (found, other) => `<order id="${found}"><note>${other}</note></order>`,
  },
  {
    part: 'GraphQL argument addComment.input.text',
    type: 'application/json',
    ruleset: managedId,
    write: (found, other) =>
      JSON.stringify({
        query: `mutation { addComment(input: {text: "${found}"}) { id } }`,
        variables: { other },
      }),
  },
  {
    part: 'form field note',
    type: form,
    ruleset: owaspId,
    write: (note, other) => new URLSearchParams({ note, other }).toString(),
  },
  {
    part: 'JSON value items[0].note',
    type: 'application/json',
    ruleset: owaspId,
    write: (note, other) => JSON.stringify({ items: [{ note }], other }),
  },
];

test('explain: events name the part of the body, and an exception for it alone lets it pass', async () => {
  const overrides = { rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 15 }] };
  for (const { part, type, ruleset, write } of bodies) {
    const parameters = { id: ruleset, ...(ruleset === owaspId ? { overrides } : {}) };
    await served.do(
      `PUT ${zone}/rulesets/phases/${managedPhase}/entrypoint?waf_migration=pending&phase_two=1`,
      { rules: [{ action: 'execute', expression: 'true', action_parameters: parameters }] },
    );
    const send = (found: string, other: string): Promise<Answer> =>
      served.send('/posts', {
        headers: { 'content-type': type, 'user-agent': 'Mozilla/5.0' },
        body: write(found, other),
      });
    const answer = await send(union, 'x');
    equal(answer.status, 403, part);
    const explained = await explain(answer);
    const { metadata } = explained.event;
    deepEqual(
      metadata.filter(({ key }) => key === 'matched_part'),
      [{ key: 'matched_part', value: part }],
    );
    deepEqual(
      explained.arguments.map(({ kind, name }) => `${kind} ${name}`),
      [part.replace('[0]', '[*]')],
    );
    const { request } = explained.exceptions[0]!.narrower![0]!;
    await served.do(`${request.method} ${request.path}`, request.body);
    equal((await send(union, 'x')).status, 200, part);
    equal((await send('x', union)).status, 403, part);
  }
});

interface Proposed {
  readonly id: string;
  readonly title: string;
}

/** The choices, by their titles. */
async function listProposals(answer: Answer): Promise<{ path: string; ids: Map<string, string> }> {
  const { id } = (await served.eventsOf(answer)).at(-1)!;
  const path = `${zone}/security/events/${id}/exceptions`;
  const { result } = (await served.do(`GET ${path}`)) as { result: Proposed[] };
  return { path, ids: new Map(result.map((each) => [each.title, each.id])) };
}

test('security.makeException makes a listed exception once, tries the request again, and refuses one that was changed', async () => {
  const entryPoint = `PUT ${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`;
  const rule = { ref: 'a', action: 'block', expression: 'http.request.uri.path contains "/admin"' };
  await served.do(entryPoint, { rules: [rule] });
  const { path, ids } = await listProposals(await served.send('/admin/users'));
  deepEqual(
    [...ids.keys()],
    [
      'This rule does not act on /admin/users',
      'This rule does not act on everything below /admin/',
      'This rule does not act for the address 127.0.0.1',
      'This rule does not act at all',
    ],
  );
  const id = ids.get('This rule does not act on /admin/users');
  const { result: made } = await served.do(`POST ${path}`, { id });
  deepEqual(made, { verdict: { action: 'pass' } });
  equal((await served.send('/admin/users')).status, 200);
  equal((await served.send('/admin/roles')).status, 403);
  const again = await served.control.call(`POST ${path}`, { body: { id } });
  deepEqual([again.status, again.errors[0]!.code], [412, 11110]);
});

test('security.makeException changes all rules that scored, or none, with the permissions of each request', async () => {
  await served.do(`PATCH ${zone}/settings/waf`, { value: 'on' });
  const answer = await served.send("/search?q=1'+union+select+password+from+users--+");
  equal(answer.status, 403);
  const { path, ids } = await listProposals(answer);
  const [[, id]] = [...ids].filter(([title]) => title.endsWith('not act at all')) as [[string, string]];
  const { headers } = await makeToken(served.control, { groups: ['Zone WAF Write'] });

  const refused = await served.control.call(`POST ${path}`, { body: { id }, headers });
  deepEqual([refused.status, refused.errors[0]!.code], [403, 10000]);
  await served.do(`POST ${path}`, { id });
});

test('firewallRules.except narrows the filter of one rule, and leaves a filter alone that others use', async () => {
  const { result: filters } = await served.do(`POST ${zone}/filters`, [{ expression: 'http.host ne ""' }]);
  const filter = { id: filters[0].id };
  const { result: rules } = await served.do(`POST ${zone}/firewall/rules`, [
    { action: 'block', filter },
    { action: 'log', filter },
  ]);
  const path = `${zone}/firewall/rules/${rules[0].id}/exceptions`;
  const outside = await served.control.call(`POST ${path}`, { body: { expression: 'ssl) or (ssl' } });
  deepEqual([outside.status, outside.errors[0]!.source?.pointer], [400, '/expression']);
  const { result: own } = await served.do(`POST ${path}`, { expression: 'ssl' });
  equal(own.filter.expression, '(http.host ne "") and not (ssl)');
  equal(
    (await served.do(`GET ${zone}/firewall/rules/${rules[1].id}`)).result.filter.expression,
    'http.host ne ""',
  );
  const { result: narrower } = await served.do(`POST ${path}`, { expression: 'http.referer eq "x"' });
  equal(narrower.filter.id, own.filter.id);
  equal(narrower.filter.expression, '((http.host ne "") and not (ssl)) and not (http.referer eq "x")');
  equal((await served.do(`POST ${path}`, {})).result.paused, true);
});

test('explain: an attack in a Referer is named with its argument, and an exception of the page lets its parts pass', async () => {
  const entry = `${zone}/rulesets/phases/${managedPhase}/entrypoint?waf_migration=pending&phase_two=1`;
  const execute = { action: 'execute', expression: 'true', action_parameters: { id: managedId } };
  await served.do(`PUT ${entry}`, { rules: [execute] });
  const page = "/search?note=1'+union+select+password+from+users--";
  const part = { headers: { referer: `http://${served.host('enterprise')}${page}` } };
  const ordinary = { headers: { referer: `http://${served.host('enterprise')}/category.php?c=12&q=../` } };
  equal((await served.send('/style.css', ordinary)).status, 200);
  const answer = await served.send('/style.css', part);
  deepEqual([answer.status, (await served.send(page)).status], [403, 403]);
  const { summary } = await explain(answer);
  match(
    JSON.stringify(summary),
    /union select password from users.*header.*referer.*in note inside of the value/,
  );
  const exception = {
    action: 'skip',
    expression: 'http.request.uri.path eq "/search"',
    action_parameters: { rulesets: [managedId], arguments: [{ kind: 'argument', name: 'note' }] },
  };
  await served.do(`PUT ${zone}/rulesets/phases/${managedPhase}/entrypoint`, { rules: [exception, execute] });
  deepEqual([(await served.send('/style.css', part)).status, (await served.send(page)).status], [200, 200]);
});
