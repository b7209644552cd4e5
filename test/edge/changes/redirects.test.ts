/** Redirects at the edge: the visitor's response, that the origin gets no request, and the trace. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ListMaker } from '../../control/list-maker.ts';
import { ServedEdge } from '../served-edge.ts';

const phase = 'http_request_dynamic_redirect';

let served: ServedEdge;
let zone: string;
let host: string;

before(async () => {
  served = await ServedEdge.open();
  await served.serve('enterprise');
  zone = `/zones/${served.control.zone('enterprise')}`;
  host = served.host('enterprise');
  const { messages } = await served.do(`PUT ${zone}/rulesets/phases/${phase}/entrypoint`, {
    rules: [
      redirect('/old', { value: 'https://new.example/page?a=1#top' }, { status_code: 301 }),
      redirect('/keep', { value: 'https://new.example/?a=1#top' }, { preserve_query_string: true }),
      redirect('/relative', { value: '/elsewhere' }, { status_code: 303 }),
      redirect('/blocked', { value: 'https://new.example/first' }, { status_code: 308 }),
      {
        ...redirect('/computed', {
          expression: 'concat("https://", http.host, "/to/", url_decode(http.request.uri.args["to"][0]))',
        }),
        description: 'a computed target',
      },
      redirect('/self', { expression: 'http.request.full_uri' }),
      redirect('/no-url', { expression: 'http.request.headers["x-to"][0]' }),
      { ...redirect('/off', { value: 'https://new.example/off' }), enabled: false },
      {
        action: 'redirect',
        expression: 'http.request.full_uri wildcard "http*://*/blog/*"',
        action_parameters: {
          from_value: {
            target_url: {
              expression:
                'wildcard_replace(http.request.full_uri, "http*://*/blog/*", "https://blog.example/${3}")',
            },
          },
        },
      },
    ],
  });
  deepEqual(messages, []);
  await served.do(`PUT ${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [{ action: 'block', expression: on('/blocked') }],
  });
});
after(() => served[Symbol.asyncDispose]());

function on(path: string): string {
  return `http.request.uri.path eq "${path}"`;
}

function redirect(path: string, target_url: object, more: object = {}): object {
  return {
    action: 'redirect',
    expression: on(path),
    action_parameters: { from_value: { target_url, ...more } },
  };
}

async function follow(path: string, sent?: Parameters<ServedEdge['send']>[1]): Promise<unknown[]> {
  served.origin.take();
  const { status, headers } = await served.send(path, sent);
  return [status, headers.location, served.origin.take().length];
}

test('a redirect is answered at the edge, with its status and target', async () => {
  deepEqual(await follow('/old?b=2'), [301, 'https://new.example/page?a=1#top', 0]);
  deepEqual(await follow('/keep?b=2'), [302, 'https://new.example/?a=1&b=2#top', 0]);
  deepEqual(await follow('/keep'), [302, 'https://new.example/?a=1#top', 0]);
  deepEqual(await follow('/relative'), [303, '/elsewhere', 0]);
  deepEqual(await follow('/old', { method: 'HEAD' }), [301, 'https://new.example/page?a=1#top', 0]);
  deepEqual(await follow('/old', { body: 'x'.repeat(100_000) }), [
    301,
    'https://new.example/page?a=1#top',
    0,
  ]);
  deepEqual(await follow('/off'), [200, undefined, 1]);
  deepEqual(await follow('/other'), [200, undefined, 1]);
});

test('it comes before the rules that judge, and is no event', async () => {
  const answer = await served.send('/blocked');
  deepEqual([answer.status, answer.headers.location], [308, 'https://new.example/first']);
  deepEqual(await served.eventsOf(answer), []);
  match(answer.headers['cache-control']!, /no-store/);
});

test('an expression computes the target; what cannot stand in a URL is escaped', async () => {
  deepEqual(await follow('/computed?to=x'), [302, `https://${host}/to/x`, 0]);
  const [status, location] = await follow('/computed?to=a%0d%0aset-cookie:%20b=1%20%3Cc%3E%E4');
  deepEqual([status, location], [302, `https://${host}/to/a%0D%0Aset-cookie:%20b=1%20%3Cc%3E%E4`]);
  const split = await served.send('/computed?to=a%0d%0aset-cookie:%20b=1');
  equal(split.headers['set-cookie'], undefined);
  deepEqual(await follow('/blog/2026/a?b=1'), [302, 'https://blog.example/2026/a?b=1', 0]);
});

test('a target that is no URL, or the URL that was asked for, does nothing', async () => {
  deepEqual(await follow('/self?a=1'), [200, undefined, 1]);
  for (const target of ['', 'javascript:alert(1)', '//evil.example/', '\\\\evil.example', 'https://a@b/'])
    deepEqual(await follow('/no-url', { headers: { 'x-to': target } }), [200, undefined, 1], target);
  deepEqual(await follow('/no-url', { headers: { 'x-to': 'http://a.example:81/b' } }), [
    302,
    'http://a.example:81/b',
    0,
  ]);
});

test('the trace says which rule redirects, where to, and which did nothing', async () => {
  const trace = async (url: string, headers = {}) =>
    (await served.control.call(`POST ${zone}/security/trace`, { body: { url, headers } })).result;
  const { verdict, explanation } = await trace(`https://${host}/computed?to=x`);
  deepEqual(
    [verdict.action, verdict.status, verdict.location, verdict.source],
    ['redirect', 302, `https://${host}/to/x`, 'redirect'],
  );
  const [step] = explanation.steps;
  deepEqual([step.phase, step.end], [phase, `decided by ${verdict.rule_id}`]);
  const [change] = explanation.changes;
  deepEqual(
    [change.ruleId, change.description, change.effect, change.tree.result],
    [verdict.rule_id, 'a computed target', `redirects to https://${host}/to/x with status 302`, 'true'],
  );
  const idle = await trace('/no-url', { 'x-to': 'ftp://a' });
  equal(idle.verdict.action, 'pass');
  match(idle.explanation.changes[0].effect, /^does nothing: the target is not an http or https URL/);
  ok(idle.explanation.steps.some((each: { phase: string }) => each.phase === phase));
});

test('page rules redirect by forwarding_url, and only the first that matches applies', async () => {
  const name = served.host('pro');
  await served.serve('pro');
  const pro = `/zones/${served.control.zone('pro')}`;
  const page = (value: string, action: object, priority: number): Promise<unknown> =>
    served.do(`POST ${pro}/pagerules`, {
      targets: [{ target: 'url', constraint: { operator: 'matches', value } }],
      actions: [action],
      priority,
      status: 'active',
    });
  const forward = (url: string, status_code = 302): object => ({
    id: 'forwarding_url',
    value: { url, status_code },
  });
  await page(`http*://*.${name}/shop/*/item/*`, forward('https://shop.example/$3/$4?from=$2&s=$1', 301), 1);
  await page(`${name}/shop/open/*`, { id: 'browser_check', value: 'off' }, 3);
  await page(`${name}/shop/*`, forward('https://shop.example/$1'), 2);
  const ask = async (path: string, asked = name): Promise<unknown[]> => follow(path, { host: asked });
  deepEqual(await ask('/shop/x?y=1'), [302, 'https://shop.example/x?y=1', 0]);
  deepEqual(await ask('/shop/open/x'), [200, undefined, 1]);
  deepEqual(await ask('/shop/a/item/b%20c', `www.${name}`), [
    301,
    'https://shop.example/a/b%20c?from=www&s=',
    0,
  ]);
  deepEqual(await ask('/other'), [200, undefined, 1]);
  const { result } = await served.control.call(`POST ${pro}/security/trace`, { body: { url: '/shop/x' } });
  deepEqual(
    [result.verdict.action, result.verdict.source, result.explanation.changes[0].source],
    ['redirect', 'pagerule', 'pagerule'],
  );
});

test('a rule of the account redirects by a list, behind the rules that judge, and is explained, skipped and checked', async () => {
  const lists = new ListMaker(served.control);
  const { name, items, id } = await lists.makeList('redirect');
  const to = (target_url: string, more: object = {}): object => ({
    target_url: `https://bulk.example${target_url}`,
    ...more,
  });
  await lists.bulk(`POST ${items}`, [
    { redirect: { source_url: `${host}/bulk`, ...to('/one') } },
    { redirect: { source_url: `${host}/bulk/blocked`, ...to('/never') } },
    {
      redirect: {
        source_url: `${host}/tree/`,
        ...to('/all', {
          subpath_matching: true,
          preserve_path_suffix: true,
          preserve_query_string: true,
          status_code: 307,
        }),
      },
    },
  ]);
  const account = `/accounts/${served.control.control.directory.accountId}`;
  const entryPoint = `PUT ${account}/rulesets/phases/http_request_redirect/entrypoint`;
  const rule = (from_list: object, expression = `http.request.full_uri in $${name}`): object => ({
    rules: [{ action: 'redirect', expression, action_parameters: { from_list } }],
  });
  const key = 'http.request.full_uri';
  for (const [body, pointer] of [
    [rule({ name: 'nobody', key }), '/rules/0/action_parameters/from_list/name'],
    [rule({ name, key: 'http.host' }), '/rules/0/action_parameters/from_list/key'],
    [rule({ name, key }, `http.request.full_uri in $nobody`), '/rules/0/expression'],
  ] as const) {
    const { status, errors } = await served.control.call(entryPoint, { body });
    deepEqual([status, errors[0]!.source?.pointer], [400, pointer]);
  }
  const atZone = await served.control.call(`PUT ${zone}/rulesets/phases/http_request_redirect/entrypoint`, {
    body: rule({ name, key }),
  });
  equal(atZone.status, 400, 'lists of redirects are the account’s');
  const { messages } = await served.do(entryPoint, rule({ name, key }));
  deepEqual(messages, []);
  await served.do(`PUT ${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [
      { action: 'block', expression: `${on('/blocked')} or ${on('/bulk/blocked')}` },
      {
        action: 'skip',
        expression: 'http.request.uri.query eq "skip"',
        action_parameters: { phases: ['http_request_redirect'] },
      },
    ],
  });
  const answer = async (path: string): Promise<unknown[]> => {
    const { status, headers } = await served.send(path);
    return [status, headers.location];
  };
  deepEqual(await answer('/bulk?a=b'), [301, 'https://bulk.example/one']);
  deepEqual(await answer('/tree/a/b?c=d'), [307, 'https://bulk.example/all/a/b?c=d']);
  deepEqual(await answer('/bulk/blocked'), [403, undefined]);
  deepEqual(await answer('/bulk?skip'), [200, undefined]);
  deepEqual(await answer('/bulk/other'), [200, undefined]);
  const { result } = await served.do(`POST ${zone}/security/trace`, { url: '/bulk' });
  deepEqual(
    result.explanation.changes.map(({ source, effect }: { source: string; effect: string }) => [
      source,
      effect,
    ]),
    [['bulkredirect', 'redirects to https://bulk.example/one with status 301']],
  );
  // A list that a rule names stays.
  equal((await served.control.call(`DELETE ${lists.lists}/${id}`)).success, false);
  await lists.bulk(`POST ${items}`, [{ redirect: { source_url: `${host}/late`, ...to('/late') } }]);
  await served.inForce();
  deepEqual(await answer('/late'), [301, 'https://bulk.example/late']);
});
