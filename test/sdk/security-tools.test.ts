import { deepEqual, equal } from 'node:assert/strict';
import type Cloudflare from 'cloudflare';
import { all, drive } from './session.ts';

interface Limit {
  readonly id: string;
  readonly threshold: number;
  readonly period: number;
  readonly action: object;
}

/** The SDK types the responses of rate limits as void, and returns the whole envelope. */
const resultOf = async <T = unknown>(answer: PromiseLike<void>): Promise<T> =>
  ((await answer) as unknown as { readonly result: T }).result;

drive(['firewall.accessRules', 'firewall.lockdowns', 'firewall.uaRules', 'rateLimits'], {
  'firewall.accessRules of a zone and of the account': async (session) => {
    const { client, zone, account_id } = session;
    for (const level of [{ zone_id: await zone('pro') }, { account_id }]) {
      const configuration = { target: 'ip', value: '198.51.100.4' } as const;
      const made = await client.firewall.accessRules.create({
        ...level,
        mode: 'challenge',
        configuration,
        notes: 'Attack 26/02',
      });
      deepEqual(await client.firewall.accessRules.get(made.id, level), made);
      const found = await all(client.firewall.accessRules.list({ ...level, configuration, notes: 'attack' }));
      deepEqual(found, [made]);
      const edited = await client.firewall.accessRules.edit(made.id, {
        ...level,
        mode: 'block',
        configuration,
        notes: 'again',
      });
      deepEqual([edited.mode, edited.notes], ['block', 'again']);
      await session.refuses(
        () => client.firewall.accessRules.create({ ...level, mode: 'whitelist', configuration }),
        { status: 400, code: 10009, pointer: '/configuration', id: made.id },
      );
      deepEqual(await client.firewall.accessRules.delete(made.id, level), { id: made.id });
      await session.refuses(() => client.firewall.accessRules.get(made.id, level), {
        status: 404,
        code: 10001,
      });
    }
  },

  'firewall.lockdowns.create, get, update, list and delete': async (session) => {
    const { client, namedZone } = session;
    const { zone_id, name } = await namedZone('pro');
    const made = await client.firewall.lockdowns.create({
      zone_id,
      urls: [`${name}/admin/*`],
      configurations: [{ target: 'ip', value: '198.51.100.4' }],
      priority: 5,
    });
    deepEqual(await client.firewall.lockdowns.get(made.id, { zone_id }), made);
    const updated = await client.firewall.lockdowns.update(made.id, {
      zone_id,
      urls: [`${name}/api/*`],
      configurations: [{ target: 'ip_range', value: '198.51.100.0/24' }],
    });
    deepEqual(updated.urls, [`${name}/api/*`]);
    deepEqual(await all(client.firewall.lockdowns.list({ zone_id, uri_search: '/api/' })), [updated]);
    deepEqual(await client.firewall.lockdowns.delete(made.id, { zone_id }), { id: made.id });
    await session.refuses(() => client.firewall.lockdowns.get(made.id, { zone_id }), {
      status: 404,
      code: 10001,
    });
  },

  'firewall.uaRules.create, get, update, list and delete': async (session) => {
    const { client, zone } = session;
    const zone_id = await zone('free');
    const configuration = { target: 'ua', value: 'BadBot/1.0' } as const;
    const made = await client.firewall.uaRules.create({ zone_id, mode: 'block', configuration });
    deepEqual(await client.firewall.uaRules.get(made.id!, { zone_id }), made);
    const updated = await client.firewall.uaRules.update(made.id!, {
      zone_id,
      mode: 'js_challenge',
      // The SDK types it as that of an access rule.
      configuration: configuration as unknown as Cloudflare.Firewall.UARuleUpdateParams['configuration'],
    });
    equal(updated.mode, 'js_challenge');
    deepEqual(await all(client.firewall.uaRules.list({ zone_id, user_agent: 'bad' })), [updated]);
    deepEqual(await client.firewall.uaRules.delete(made.id!, { zone_id }), { id: made.id });
    await session.refuses(() => client.firewall.uaRules.get(made.id!, { zone_id }), {
      status: 404,
      code: 10001,
    });
  },

  'rateLimits.create, get, edit, list and delete': async (session) => {
    const { client, namedZone } = session;
    const { zone_id, name } = await namedZone('enterprise');
    const content = {
      zone_id,
      match: { request: { methods: ['POST'], url: `${name}/login` } },
      period: 60,
      threshold: 5,
      action: { mode: 'ban', timeout: 600 },
    } satisfies Cloudflare.RateLimits.RateLimitCreateParams;
    const made = await resultOf<Limit>(client.rateLimits.create(content));
    deepEqual([made.threshold, made.period, made.action], [5, 60, content.action]);
    deepEqual(await resultOf(client.rateLimits.get(made.id, { zone_id })), made);
    const edited = await resultOf<Limit>(client.rateLimits.edit(made.id, { ...content, threshold: 9 }));
    equal(edited.threshold, 9);
    deepEqual(await resultOf(client.rateLimits.list({ zone_id })), [edited]);
    deepEqual(await resultOf(client.rateLimits.delete(made.id, { zone_id })), { id: made.id });
    await session.refuses(() => client.rateLimits.get(made.id, { zone_id }), { status: 404, code: 10001 });
  },
});
