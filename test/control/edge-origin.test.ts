/** Origins are checked when they are set, with the rules that apply to connections of the edge. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { Plan } from '#rulesets';
import { TestControl } from './harness.ts';

test('edge.update refuses an origin that the edge would not connect to, and changes nothing', async (t) => {
  const listener = { address: '192.0.32.8', port: 443 };
  let control = await TestControl.open({ origins: { forbidden: [listener], workers: ['chat'] } });
  t.after(() => control.close());
  const route = `/zones/${control.zone('free')}/edge`;
  const put = async (body: object): Promise<readonly unknown[]> => {
    const { errors } = await control.call(`PUT ${route}`, { body });
    return errors.map(({ code, source }) => [code, source?.pointer]);
  };
  deepEqual(await put({ origin: { url: 'http://10.0.0.1:3000' } }), [[11003, '/origin/url']]);
  deepEqual(await put({ origin: { url: 'http://a.example', connect_to: '169.254.169.254' } }), [
    [11004, '/origin/connect_to'],
  ]);
  deepEqual(await put({ origin: { worker: 'shop' } }), [[11006, '/origin/worker']]);
  deepEqual(await put({ origin: { worker: 'chat' } }), []);
  // The port is that of the scheme.
  deepEqual(await put({ origin: { url: 'https://192.0.32.8' } }), [[11004, '/origin/url']]);
  deepEqual(await put({ origin: { url: 'http://192.0.32.8' } }), []);
  // An origin that was set before is not checked again.
  control = await control.restart({ origins: { forbidden: [{ ...listener, port: 80 }] } });
  deepEqual(await put({ over_inspection_limit: 'block' }), []);
  deepEqual(await put({ origin: { url: 'http://192.0.32.8' } }), [[11004, '/origin/url']]);
  const { result } = await control.call(`GET ${route}`);
  deepEqual([result.origin.url, result.over_inspection_limit], ['http://192.0.32.8', 'block']);
});

test('edge.update protects a zone that gets its first origin by the managed rules of its plan', async (t) => {
  const control = await TestControl.open();
  t.after(() => control.close());
  const origin = { url: 'https://app.example' };
  const entryPoint = (plan: Plan): string =>
    `/zones/${control.zone(plan)}/rulesets/phases/http_request_firewall_managed/entrypoint`;

  await control.call(`PUT /zones/${control.zone('free')}/edge`, { body: { origin } });
  const free = await control.call(`GET ${entryPoint('free')}`);
  deepEqual(
    free.result.rules.map((rule: { action: string; action_parameters: { id: string } }) => [
      rule.action,
      rule.action_parameters.id,
    ]),
    [['execute', '77454fe2d30c4220b5701f6fdfb893ba']],
  );

  const business = `/zones/${control.zone('business')}`;
  await control.call(`PUT ${business}/edge`, { body: { origin, protect: false } });
  equal((await control.call(`GET ${business}/settings/waf`)).result.value, 'off');

  // An owner who switched the rules off before there was anything to protect has also made a choice.
  const enterprise = `/zones/${control.zone('enterprise')}`;
  await control.call(`PATCH ${enterprise}/settings/waf`, { body: { value: 'off' } });
  await control.call(`PUT ${enterprise}/edge`, { body: { origin } });
  equal((await control.call(`GET ${enterprise}/settings/waf`)).result.value, 'off');

  // Before its migration, a paid zone has the legacy rules.
  const waf = `/zones/${control.zone('pro')}/settings/waf`;
  equal((await control.call(`GET ${waf}`)).result.value, 'off');
  await control.call(`PUT /zones/${control.zone('pro')}/edge`, { body: { origin } });
  equal((await control.call(`GET ${waf}`)).result.value, 'on');
  equal((await control.call(`GET ${entryPoint('pro')}`)).success, false);

  // An explicit choice stays, and another origin does not change it.
  await control.call(`PATCH ${waf}`, { body: { value: 'off' } });
  await control.call(`PUT /zones/${control.zone('pro')}/edge`, { body: { origin: null } });
  await control.call(`PUT /zones/${control.zone('pro')}/edge`, { body: { origin } });
  equal((await control.call(`GET ${waf}`)).result.value, 'off');
  await control.call(`PUT ${entryPoint('free')}`, { body: { rules: [] } });
  await control.call(`PUT /zones/${control.zone('free')}/edge`, { body: { origin: null } });
  await control.call(`PUT /zones/${control.zone('free')}/edge`, { body: { origin } });
  deepEqual((await control.call(`GET ${entryPoint('free')}`)).result.rules, []);
});
