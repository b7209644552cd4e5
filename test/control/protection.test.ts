/** Protecting a site and undoing it at the API. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestControl } from './harness.ts';

const origin = { url: 'https://origin.example' };

let control: TestControl;
before(async () => {
  control = await TestControl.open();
});
after(() => control.close());

/** A separate site for each test: of the free plan, without an origin. */
async function addSite(name: string): Promise<Site> {
  const { result } = await control.call('POST /zones', {
    body: { name, account: { id: await findAccount() } },
  });
  return new Site(result.id);
}

async function findAccount(): Promise<string> {
  return (await control.call('GET /accounts')).result[0].id;
}

class Site {
  readonly path: string;

  constructor(id: string) {
    this.path = `/zones/${id}`;
  }

  async protect(body: object, query = ''): Promise<any> {
    const { status, result } = await control.call(`POST ${this.path}/protection${query}`, { body });
    equal(status, 200);
    return result;
  }

  /** The saved state. */
  async undo(steps: readonly object[]): Promise<string[]> {
    const { status, result } = await control.call(`POST ${this.path}/protection/undo`, { body: { steps } });
    equal(status, 200);
    return result.kept;
  }

  /** Its protection, its plan, and how often it was changed. */
  async read(): Promise<object> {
    const { result: zone } = await control.call(`GET ${this.path}`);
    const { result: protection } = await control.call(`GET ${this.path}/protection`);
    return { plan: zone.plan.legacy_id, ...protection };
  }
}

const undosOf = (steps: readonly { undo: object | null }[]): object[] =>
  steps.flatMap(({ undo }) => (undo === null ? [] : [undo]));

test('protection.protect with dry_run says what it would do, and changes nothing', async () => {
  const site = await addSite('dry.example');
  const before = await site.read();
  const lines = async (): Promise<number> =>
    (await control.call(`GET /accounts/${await findAccount()}/audit_logs?per_page=1000`)).result.length;
  const linesBefore = await lines();
  const { steps, rules, plan } = await site.protect({ origin, plan: 'pro' }, '?dry_run=true');
  deepEqual(
    steps.map(({ is_change, undo }: { is_change: boolean; undo: unknown }) => [is_change, undo]),
    [
      [true, null],
      [true, null],
      [true, null],
    ],
  );
  deepEqual([rules, plan], ['the Cloudflare Managed Ruleset', 'pro']);
  deepEqual([await site.read(), await lines()], [before, linesBefore]);

  const done = await site.protect({ origin, plan: 'pro' });
  deepEqual(
    done.steps.map(({ will }: { will: string }) => will),
    steps.map(({ will }: { will: string }) => will),
  );
});

test('protection.undo puts everything back, on the free plan and on a paid one', async () => {
  for (const plan of ['free', 'pro']) {
    const site = await addSite(`back-${plan}.example`);
    const before = await site.read();
    const { steps } = await site.protect({ origin, plan });
    equal(undosOf(steps).length, plan === 'free' ? 2 : 3);
    match(JSON.stringify(await site.read()), /"state":"protected"/);
    deepEqual(await site.undo(undosOf(steps)), []);
    deepEqual(await site.read(), before);
  }
});

test('protection.undo keeps what was changed since, says so, and undoes the rest', async () => {
  const site = await addSite('kept.example');
  const { steps } = await site.protect({ origin, plan: 'pro' });
  const body = { origin: { url: 'https://other.example' }, protect: false };
  await control.call(`PUT ${site.path}/edge`, { body });
  await control.call(`PUT ${site.path}/subscription`, { body: { rate_plan: { id: 'business' } } });
  deepEqual(await site.undo(undosOf(steps)), [
    'The plan has changed since and stays as it is.',
    'The origin has changed since and stays as it is.',
  ]);
  const { plan, managed, origin: now } = (await site.read()) as any;
  deepEqual([plan, managed, now.url], ['business', 'off', 'https://other.example']);
});

test('protection.undo has nothing to say of a rule that is gone already', async () => {
  const site = await addSite('gone.example');
  const [, , ruleset] = (await site.protect({ origin })).steps;
  const { ruleset_id, rule_id } = ruleset.undo;
  await control.call(`DELETE ${site.path}/rulesets/${ruleset_id}/rules/${rule_id}`);
  deepEqual(await site.undo([ruleset.undo]), []);
});

test('protection.protect runs managed rulesets alone, and leaves legacy rules to owners who turned them on', async () => {
  const site = await addSite('alone.example');
  const status = async (): Promise<unknown[]> => {
    const { result } = await control.call(`GET ${site.path}/waf_migration/status`);
    return [result.old_waf_status, result.new_waf_status, ((await site.read()) as any).managed];
  };
  const { steps, rules } = await site.protect({ origin, plan: 'business' });
  equal(rules, 'the Cloudflare Managed Ruleset');
  match(steps[2].did, /which were off, are gone for good$/);
  deepEqual(await status(), ['disabled', 'enabled', 'rulesets']);
  const again = await site.protect({ origin, plan: 'business' });
  deepEqual(undosOf(again.steps), []);

  const owned = await addSite('owned.example');
  await control.call(`PUT ${owned.path}/subscription`, { body: { rate_plan: { id: 'pro' } } });
  await control.call(`PATCH ${owned.path}/settings/waf`, { body: { value: 'on' } });
  equal((await owned.protect({ origin })).rules, 'the legacy managed rules');
});

test('protection.protect keeps rules that were prepared, and turns legacy rules on where a zone cannot migrate', async () => {
  const prepared = await addSite('prepared.example');
  await control.call(`PUT ${prepared.path}/subscription`, { body: { rate_plan: { id: 'pro' } } });
  const entryPoint = `${prepared.path}/rulesets/phases/http_request_firewall_managed/entrypoint`;
  const rule = { action: 'execute', expression: 'http.host eq "a.example"', enabled: false };
  const [managed, owasp] = ['efb7b8c949ac4650a09736fc376e9aee', '4814384a9e5d4991b9815dcfc25d2f1f'];
  const stored = await control.call(`PUT ${entryPoint}`, {
    body: { rules: [{ ...rule, action_parameters: { id: owasp } }] },
  });
  equal(stored.status, 200);
  await prepared.protect({ origin });
  const { result } = await control.call(`GET ${entryPoint}`);
  deepEqual(
    result.rules.map(({ enabled, action_parameters: { id } }: any) => [id, enabled]),
    [
      [owasp, false],
      [managed, true],
    ],
  );
  equal(result.rules[0].id, stored.result.rules[0].id);

  const held = await addSite('held.example');
  await control.call(`PUT ${held.path}/subscription`, { body: { rate_plan: { id: 'enterprise' } } });
  const override = { urls: ['held.example/a'], rules: { '100015': 'disable' } };
  equal((await control.call(`POST ${held.path}/firewall/waf/overrides`, { body: override })).status, 200);
  const { rules, steps } = await held.protect({ origin });
  equal(rules, 'the legacy managed rules');
  match(steps[2].did, /cannot migrate yet/);
  deepEqual(await held.undo(undosOf(steps)), []);
});

test('protection.undo refuses steps that are none', async () => {
  const site = await addSite('none.example');
  for (const steps of [[], [{ step: 'everything' }], 'all']) {
    const { status, errors } = await control.call(`POST ${site.path}/protection/undo`, { body: { steps } });
    equal(status, 400);
    match(errors[0]!.source!.pointer, /^\/steps/);
  }
});
