import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict';
import { test } from 'node:test';
import type { SecurityEvent } from '#events';
import { configurationOf } from '../../../rules/firewall/testing.ts';
import { createFirewall, type FirewallOptions } from './firewall.ts';
import { collectGarbage } from '../../../../tools/collect-garbage.ts';

const attack = "https://example.com/?id=1'%20union%20select%20password%20from%20users--";

const configuration = configurationOf({
  version: 7,
  zone: { id: 'z', plan: 'pro', accountId: 'a' },
  firewallRules: [
    { id: 'one', action: 'block', products: [], description: '', ref: '', expression: 'ip.src in $bad' },
  ],
  lists: [{ name: 'bad', kind: 'ip', items: ['192.0.2.0/24'] }],
  edge: { origin: undefined, overInspectionLimit: 'log' },
});

test('Firewall judges a description and says which rule decided', async () => {
  const firewall = createFirewall({
    rules: [{ expression: 'http.host eq "example.com"', action: 'block', description: 'all', ref: 'mine' }],
  });
  const decision = await firewall.judge({ url: 'https://example.com/', ip: '192.0.2.1' });
  equal(decision.action, 'block');
  equal(decision.answer?.status, 403);
  deepEqual(decision.answer?.headers.at(-1), ['cf-ray', decision.requestId]);
  deepEqual(decision.rule, { id: 'custom-1', rulesetId: 'custom-0', ref: 'mine', description: 'all' });
  const [event] = decision.events;
  equal(event?.clientIP, '192.0.2.1');
  equal(event?.edgeResponseStatus, 403);
  const explanation = decision.explanation();
  equal(explanation.rules[0]?.tree?.result, 'true');
  equal(explanation.steps.at(-1)?.end, 'decided by custom-1');
  const other = await firewall.judge({ url: 'https://example.org/' });
  equal(other.action, 'pass');
  equal(other.answer, undefined);
  deepEqual(other.events, []);
  equal(other.explanation().steps.at(-1)?.end, 'complete');
});

test('Firewall judges a Request and leaves its body', async () => {
  const firewall = createFirewall({
    rules: [{ expression: 'http.request.body.raw contains "evil"', action: 'block' }],
  });
  const request = (body: string): Request => new Request('https://example.com/', { method: 'POST', body });
  const fine = request('fine');
  equal((await firewall.judge(fine)).action, 'pass');
  equal(await fine.text(), 'fine');
  equal((await firewall.judge(request('evil'))).action, 'block');
  await rejects(firewall.judge(fine), /run the firewall first/);
});

test('Firewall sees text as UTF-8 and bodies as bytes', async () => {
  const firewall = createFirewall({
    rules: [
      { expression: 'http.user_agent eq "Zoë"', action: 'block', ref: 'agent' },
      { expression: 'http.request.body.raw eq "Zoë"', action: 'block', ref: 'body' },
    ],
  });
  const agent = await firewall.judge({ headers: { 'User-Agent': ['Zoë'] } });
  equal(agent.rule?.ref, 'agent');
  const text = await firewall.judge({ method: 'POST', body: 'Zoë' });
  equal(text.rule?.ref, 'body');
  const bytes = await firewall.judge({
    method: 'POST',
    body: new Uint8Array(Buffer.from('xZoë')).subarray(1),
  });
  equal(bytes.rule?.ref, 'body');
});

test('Firewall judges the address in a Referer as the request for its page', async () => {
  const firewall = createFirewall({ managed: true });
  const headers = { host: 'shop.example', 'user-agent': 'x' };
  const attacked = attack.replace('https://example.com', '');
  for (const page of ['/category.php?c=12', '/list?q=../', attacked]) {
    const { action } = await firewall.judge({ url: page, headers });
    const referer = `https://shop.example${page}`;
    const part = await firewall.judge({ url: '/style.css', headers: { ...headers, referer } });
    equal(part.action, action, page);
    equal(action, page === attacked ? 'block' : 'pass');
  }
});

test('Firewall runs managed rules as their settings say', async () => {
  const actionOf = async (options: FirewallOptions): Promise<string> =>
    (await createFirewall(options).judge({ url: attack, headers: { 'user-agent': 'x' } })).action;
  equal(await actionOf({}), 'pass');
  equal(await actionOf({ managed: true }), 'block');
  equal(await actionOf({ managed: { overrides: { action: 'managed_challenge' } } }), 'managed_challenge');
  equal(await actionOf({ managed: { overrides: { enabled: false } } }), 'pass');
  equal(await actionOf({ managed: { expression: 'http.host eq "other"' } }), 'pass');
  const skip = { phases: ['http_request_firewall_managed'] };
  equal(
    await actionOf({
      managed: true,
      rules: [{ expression: 'true', action: 'skip', action_parameters: skip }],
    }),
    'pass',
  );
});

test('Firewall accepts the configuration of a zone', async () => {
  const firewall = createFirewall({ configuration });
  equal((await firewall.judge({ ip: '192.0.2.77' })).action, 'block');
  equal((await firewall.judge({ ip: '198.51.100.1' })).action, 'pass');
  equal((await firewall.judge({})).explanation().version, 7);
});

test('Firewall refuses invalid rules, and says where they are wrong', () => {
  const firewall = createFirewall({});
  const refusal = (rules: unknown): (() => void) => {
    return () => firewall.update(rules as FirewallOptions);
  };
  throws(
    refusal({ rules: [{ expression: 'http.host eq', action: 'block' }] }),
    /custom \/rules\/0\/expression/,
  );
  throws(
    refusal({ rules: [{ expression: 'true', action: 'blok' }] }),
    /\/rules\/0\/action: .*did you mean block/,
  );
  throws(refusal({ rules: [{ expression: 'ip.src in $none', action: 'block' }] }), /none/);
  throws(
    refusal({ managed: { overrides: { rules: [{ id: 'none', enabled: false }] } } }),
    /^TypeError: .*managed \//,
  );
  const firewallRules = [{ ...configuration.firewallRules[0]!, expression: '(' }];
  throws(refusal({ configuration: { ...configuration, firewallRules } }), /rule one: /);
  throws(() => createFirewall({ trustedProxies: ['nobody'] }), /nobody/);
  throws(() => createFirewall({ secret: new Uint8Array(4) }), RangeError);
});

test('Firewall judges a request by the rules that were in force when it came', async () => {
  const firewall = createFirewall({
    rules: [{ expression: 'http.request.body.raw eq "x"', action: 'block' }],
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  const decision = firewall.judgeIncoming(
    {
      method: 'POST',
      target: '/',
      httpVersion: '1.1',
      headers: [],
      peerAddress: '',
      isSecure: false,
      body: { declaredLength: 1 },
    },
    async () => {
      await promise;
      return { bytes: Buffer.from('x'), isTruncated: false, declaredLength: 1 };
    },
  );
  firewall.update({});
  resolve();
  equal((await decision).action, 'block');
});

test('Firewall reports events once, after the request was answered', async () => {
  const told: SecurityEvent[] = [];
  const firewall = createFirewall({
    rules: [{ expression: 'true', action: 'log' }],
    onEvent: (event, judged) => {
      equal(judged?.rules.length, 1);
      told.push(event);
    },
  });
  const decision = await firewall.judge({});
  await firewall.flush();
  equal(told.length, 0);
  decision.report(201);
  decision.report(500);
  const left = await firewall.judge({});
  left.report();
  await firewall.flush();
  deepEqual(
    told.map(({ edgeResponseStatus, originResponseStatus }) => [edgeResponseStatus, originResponseStatus]),
    [
      [201, 201],
      [499, 0],
    ],
  );
});

test('Firewall continues when onEvent fails', async () => {
  const errors: unknown[] = [];
  let count = 0;
  const firewall = createFirewall({
    rules: [{ expression: 'true', action: 'log' }],
    onEvent: async () => {
      count++;
      throw new Error('full');
    },
    onError: (error) => errors.push(error),
  });
  for (let index = 0; index < 3; index++) (await firewall.judge({})).report(200);
  await firewall.flush();
  equal(count, 3);
  match(String(errors), /^Error: full,Error: full,Error: full$/);
});

test('Firewall reports bodies that rules cannot read', async () => {
  const look = { expression: 'http.request.body.raw contains "evil"', action: 'block' } as const;
  const judge = async (headers: Record<string, string>, overInspectionLimit: 'log' | 'block') => {
    const firewall = createFirewall({ rules: [look], overInspectionLimit });
    const { action, events } = await firewall.judge({ method: 'POST', headers, body: 'x' });
    return [action, ...events.map(({ ruleId }) => ruleId)];
  };
  const unreadable: readonly Record<string, string>[] = [
    { 'content-encoding': 'gzip' },
    { 'Content-Encoding': 'identity, br' },
    { 'content-type': 'application/json; charset="UTF-7"' },
    { 'content-type': 'application/json; charset=utf-8; charset=ibm037' },
  ];
  for (const headers of unreadable) {
    deepEqual(await judge(headers, 'log'), ['pass', 'inspection-limit']);
    deepEqual(await judge(headers, 'block'), ['block', 'inspection-limit']);
  }
  const managed = createFirewall({ managed: true });
  equal((await managed.judge({ method: 'POST', headers: unreadable[0]!, body: 'x' })).action, 'block');
  const readable: readonly Record<string, string>[] = [
    { 'content-encoding': 'identity' },
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'text/plain;charset=ISO-8859-15' },
  ];
  for (const headers of readable) deepEqual(await judge(headers, 'block'), ['pass']);
});

test('Decision holds no more of a request than was sent', async () => {
  const firewall = createFirewall({
    rules: [{ expression: 'any(http.request.body.form.names[*] eq "1")', action: 'log' }],
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = Array.from({ length: 25_000 }, (_, index) => index).join('&');
  const judge = () => firewall.judge({ method: 'POST', headers, body });
  await judge();
  collectGarbage();
  const { heapUsed: before } = process.memoryUsage();
  const held = [await judge(), await judge(), await judge(), await judge(), await judge()];
  collectGarbage();
  const bytes = (process.memoryUsage().heapUsed - before) / held.length;
  ok(bytes < 600_000, `${bytes} bytes are held of a body of ${body.length}`);
  equal(held[0]!.explanation().rules[0]?.tree?.result, 'true');
});

test('Firewall sees the same full URI however the host is spelled', async () => {
  const expression = 'http.request.full_uri eq "https://example.com/admin?a=%2F"';
  const firewall = createFirewall({ rules: [{ expression, action: 'block' }] });
  for (const host of ['example.com', 'EXAMPLE.com', 'example.com:443', 'example.com.', 'Example.com.:8443']) {
    const decision = await firewall.judge({ url: 'https://x/./admin?a=%2F', headers: { host } });
    equal(decision.action, 'block', host);
  }
});

test('createFirewall refuses paths that its application may read in another way', async () => {
  const rules = [{ expression: 'http.request.uri.path contains "/admin"', action: 'block' }] as const;
  const firewall = createFirewall({ rules });
  const ask = async (url: string, by = firewall): Promise<unknown[]> => {
    const { action, answer, events } = await by.judge({ url });
    return [action, answer?.status, events[0]?.ruleId];
  };
  for (const url of ['/admin/../x', '/x\\..\\admin', '/x/%2e%2e/admin', '/x/..;/admin', '/x%2f..%2fadmin'])
    deepEqual(await ask(url), ['block', 400, 'ambiguous-path'], url);
  for (const url of ['/%61dmin', '//x/admin', '/x%2fadmin', '/%2561dmin'])
    deepEqual(await ask(url), ['block', 403, 'custom-1'], url);
  deepEqual(await ask('//x//y'), ['pass', undefined, undefined]);
  const raw = createFirewall({ rules, urlNormalization: { type: 'cloudflare', scope: 'none' } });
  deepEqual(await ask('/x\\..\\admin', raw), ['pass', undefined, undefined]);
  deepEqual(await ask('/admin/../x', raw), ['block', 403, 'custom-1']);
});
