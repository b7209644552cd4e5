import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type Cloudflare from 'cloudflare';
import { all, drive, type Session } from './session.ts';

const cloudflare = '1e334934fd7ae32ad705667f8c1057aa';
const owasp = 'c504870194831cd12c3fc0284f294abb';
const absentId = 'f'.repeat(32);

/** The SDK types packages and rules as unknown. */
interface Package {
  readonly id: string;
  readonly name: string;
  readonly detection_mode: string;
  readonly sensitivity?: string;
}
interface WafRule {
  readonly id: string;
  readonly mode: string;
  readonly default_mode?: string;
  readonly allowed_modes: readonly string[];
  readonly group: { readonly id: string };
}

async function denyRule(client: Cloudflare, zone_id: string): Promise<WafRule> {
  const rules = (await all(client.firewall.waf.packages.rules.list(cloudflare, { zone_id }))) as WafRule[];
  return rules.find(({ default_mode }) => default_mode !== undefined)!;
}

/** The SDK types the responses of overrides as void, and returns the whole envelope. */
const envelope = async (answer: PromiseLike<void>): Promise<{ result: Override; success: boolean }> =>
  (await answer) as unknown as { result: Override; success: boolean };

interface Override {
  readonly id: string;
  readonly urls: readonly string[];
  readonly rules: Readonly<Record<string, string>>;
  readonly rewrite_action: object;
}

async function overridden({ client, namedZone }: Session) {
  const { zone_id, name } = await namedZone('enterprise');
  const rule = await denyRule(client, zone_id);
  const params = { zone_id, urls: [`${name}/shop/*`], rules: { [rule.id]: 'block' as const } };
  return { zone_id, name, params, rule, ...(await envelope(client.firewall.waf.overrides.create(params))) };
}

drive(['firewall.waf'], {
  'firewall.waf.packages.list ends, firewall.waf.packages.get gives each back': async ({ client, zone }) => {
    const zone_id = await zone('pro');
    const { packages } = client.firewall.waf;
    const listed = (await all(packages.list({ zone_id, per_page: 5 }))) as Package[];
    deepEqual(listed.map(({ name, detection_mode }) => `${name} ${detection_mode}`).toSorted(), [
      'CloudFlare traditional',
      'OWASP anomaly',
      'USER traditional',
    ]);
    for (const each of listed) deepEqual(await packages.get(each.id, { zone_id }), each);
    deepEqual(
      (await all(packages.list({ zone_id, name: 'OWASP', match: 'all', order: 'name', direction: 'desc' })))
        .length,
      1,
    );
  },

  'firewall.waf.packages.groups are listed, turned off and on again': async (session) => {
    const { client, zone } = session;
    const zone_id = await zone('pro');
    const { groups } = client.firewall.waf.packages;
    const listed = await all(groups.list(cloudflare, { zone_id, per_page: 5 }));
    equal(new Set(listed.map(({ id }) => id)).size, listed.length);
    const group = listed.find(({ mode }) => mode === 'on')!;
    const params = { zone_id, package_id: cloudflare };
    deepEqual(await groups.get(group.id, params), group);
    deepEqual(await groups.edit(group.id, { ...params, mode: 'off' }), { ...group, mode: 'off' });
    await session.refuses(() => groups.edit(group.id, { ...params, mode: 'off' }), {
      status: 400,
      code: 1020,
    });
    const off = await all(groups.list(cloudflare, { zone_id, mode: 'off' }));
    ok(off.some(({ id }) => id === group.id));
    deepEqual(await groups.edit(group.id, { ...params, mode: 'on' }), group);
  },

  'firewall.waf.packages.rules are listed through all pages, and get another mode': async (session) => {
    const { client, zone } = session;
    const zone_id = await zone('pro');
    const { rules } = client.firewall.waf.packages;
    const pages: number[] = [];
    for await (const page of (await rules.list(cloudflare, { zone_id, per_page: 20 })).iterPages()) {
      pages.push(page.result.length);
    }
    equal(pages.at(-1), 0);
    const rule = await denyRule(client, zone_id);
    const params = { zone_id, package_id: cloudflare };
    deepEqual(await rules.get(rule.id, params), rule);
    deepEqual(await rules.edit(rule.id, { ...params, mode: 'simulate' }), { ...rule, mode: 'simulate' });
    deepEqual(
      (await all(rules.list(cloudflare, { zone_id, mode: 'SIM', group_id: rule.group.id }))).length,
      1,
    );
    await session.refuses(() => rules.edit(rule.id, { ...params, mode: 'on' }), {
      status: 400,
      code: 1007,
      pointer: '/mode',
    });
    deepEqual(await rules.edit(rule.id, { ...params, mode: 'default' }), rule);
  },

  'firewall.waf refuses ids it does not have with 400, as Terraform expects': async (session) => {
    const { client, zone } = session;
    const zone_id = await zone('pro');
    const { packages } = client.firewall.waf;
    const within = { zone_id, package_id: cloudflare };
    await session.refuses(() => packages.get(absentId, { zone_id }), { status: 400, code: 1002 });
    await session.refuses(() => packages.groups.get(absentId, within), { status: 400, code: 1003 });
    await session.refuses(() => packages.rules.get('999999', within), { status: 400, code: 1004 });
  },

  'firewall.waf.overrides answer the whole envelope, because the SDK expects nothing': async (session) => {
    const { client } = session;
    const { zone_id, params, result, success } = await overridden(session);
    const { overrides } = client.firewall.waf;
    equal(success, true);
    deepEqual([result.urls, result.rules], [params.urls, params.rules]);
    deepEqual((await envelope(overrides.get(result.id, { zone_id }))).result, result);
    const listed = await overrides.list({ zone_id, page: 1, per_page: 5 });
    deepEqual((listed as unknown as { result: Override[] }).result, [result]);
    const updated = await envelope(
      overrides.update(result.id, { ...params, id: result.id, rewrite_action: { block: 'simulate' } }),
    );
    deepEqual(updated.result.rewrite_action, { block: 'simulate' });
    deepEqual((await envelope(overrides.delete(result.id, { zone_id }))).result, { id: result.id });
    await session.refuses(() => overrides.get(result.id, { zone_id }), { status: 404, code: 1103 });
  },

  'firewall.waf.overrides.create is typed with URLs alone, which is not enough': async (session) => {
    const { client, namedZone } = session;
    const { zone_id, name } = await namedZone('enterprise');
    await session.refuses(() => client.firewall.waf.overrides.create({ zone_id, urls: [`${name}/*`] }), {
      status: 400,
      code: 1104,
    });
  },

  'firewall.waf says to smaller plans what they lack: in messages of lists, as refusals elsewhere': async (
    session,
  ) => {
    const { client, call, zone } = session;
    const free = await zone('free');
    const { body } = await call(`GET /zones/${free}/firewall/waf/packages`);
    deepEqual([body.result, body.messages[0].code], [[], 1102]);
    deepEqual(await all(client.firewall.waf.packages.list({ zone_id: free })), []);
    await session.refuses(() => client.firewall.waf.packages.get(cloudflare, { zone_id: free }), {
      status: 400,
      code: 1102,
    });
    const business = await zone('business');
    const url = { zone_id: business, urls: ['*/*'] };
    await session.refuses(() => client.firewall.waf.overrides.create(url), { status: 400, code: 1102 });
  },

  'waf packages follow Terraform 3: the SDK cannot edit a package, the provider resets what it destroys':
    async ({ call, zone }) => {
      const packages = `/zones/${await zone('pro')}/firewall/waf/packages`;
      // cloudflare_waf_package: found by walking through the zone, then patched.
      const { body: listed } = await call(`GET ${packages}?page=1&per_page=100`);
      equal(listed.result_info.total_pages, 1);
      const found = listed.result.find(({ id }: Package) => id === owasp);
      deepEqual([found.sensitivity, found.action_mode], ['high', 'challenge']);
      const edited = await call(`PATCH ${packages}/${owasp}`, {
        sensitivity: 'low',
        action_mode: 'simulate',
      });
      deepEqual([edited.body.result.sensitivity, edited.body.result.action_mode], ['low', 'simulate']);
      const reset = await call(`PATCH ${packages}/${owasp}`, {
        sensitivity: 'high',
        action_mode: 'challenge',
      });
      deepEqual(reset.body.result, found);
      const refused = await call(`PATCH ${packages}/${cloudflare}`, { sensitivity: 'low' });
      deepEqual([refused.status, refused.body.errors[0].code], [400, 1027]);
    },

  'waf groups and rules follow Terraform 3: the package is found by trying each, with 1003 and 1004 for no':
    async ({ call, client, zone }) => {
      const zone_id = await zone('pro');
      const packages = `/zones/${zone_id}/firewall/waf/packages`;
      const rule = await denyRule(client, zone_id);
      const tried = [];
      for (const [kind, id] of [
        ['groups', rule.group.id],
        ['rules', rule.id],
      ] as const) {
        for (const { id: packageId } of (await call(`GET ${packages}?page=1&per_page=100`)).body.result) {
          const { status, body } = await call(`GET ${packages}/${packageId}/${kind}/${id}`);
          tried.push(
            `${packageId === cloudflare ? 'in it' : 'elsewhere'} ${status} ${body.errors[0]?.code ?? ''}`,
          );
        }
      }
      deepEqual(tried.toSorted(), [
        'elsewhere 400 1003',
        'elsewhere 400 1003',
        'elsewhere 400 1004',
        'elsewhere 400 1004',
        'in it 200 ',
        'in it 200 ',
      ]);
      const changed = await call(`PATCH ${packages}/${cloudflare}/rules/${rule.id}`, { mode: 'block' });
      equal(changed.body.result.mode, 'block');
      const reset = await call(`PATCH ${packages}/${cloudflare}/rules/${rule.id}`, { mode: 'default' });
      equal(reset.body.result.mode, 'default');
    },

  'a zone migrates through the SDK with a query of one’s own, and firewall.waf is over then': async (
    session,
  ) => {
    const { client, call, namedZone } = session;
    const { zone_id, name } = await namedZone('pro');
    await client.zones.settings.edit('waf', { zone_id, value: 'on' });
    const migration = `/zones/${zone_id}/waf_migration`;
    const check = (await call(`GET ${migration}/check?phase_two=1`)).body.result;
    deepEqual(check, { compatible: true, migration_state: 'start' });
    const { result: config } = (await client.get(`${migration}/config?phase_two=1`)) as {
      result: { name: string; rules: Cloudflare.Rulesets.PhaseUpdateParams['rules'] & {} };
    };
    const updated = await client.rulesets.phases.update(
      'http_request_firewall_managed',
      { zone_id, name: config.name, rules: config.rules },
      { query: { waf_migration: 'pending', phase_two: 1 } },
    );
    equal((updated as { rules: object[] }).rules.length, config.rules.length);
    const { migration_state: state } = (await call(`GET ${migration}/status`)).body.result;
    ok(['pending', 'complete'].includes(state), state);
    const text = await session.refuses(() => client.firewall.waf.packages.list({ zone_id }), {
      status: 400,
      code: 1101,
    });
    match(text, /migrated to managed rulesets/);
    await session.refuses(() => client.firewall.waf.overrides.create({ zone_id, urls: [`${name}/*`] }), {
      status: 400,
      code: 1101,
    });
  },
});
