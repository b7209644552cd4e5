import { deepEqual, equal } from 'node:assert/strict';
import { all, drive } from './session.ts';

drive(['loadBalancers', 'logpush', 'alerting'], {
  'loadBalancers.monitors, pools and loadBalancers': async (session) => {
    const { client, namedZone, account_id } = session;
    const { zone_id, name } = await namedZone('pro');
    const { monitors, pools } = client.loadBalancers;

    const monitor = await monitors.create({
      account_id,
      type: 'http',
      path: '/health',
      expected_codes: '2xx',
    });
    deepEqual(await monitors.get(monitor.id!, { account_id }), monitor);
    const moved = await monitors.edit(monitor.id!, { account_id, path: '/alive' });
    deepEqual([moved.path, moved.expected_codes], ['/alive', '2xx']);
    await monitors.update(monitor.id!, { account_id, type: 'https', interval: 30 });
    equal((await all(monitors.list({ account_id }))).find(({ id }) => id === monitor.id)?.interval, 30);

    const origins = [
      { name: 'one', address: 'one.example', port: 8080, enabled: true, weight: 1 },
      { name: 'two', address: 'app.example', header: { Host: ['app.example'] }, enabled: true, weight: 0.5 },
    ];
    const poolName = `pool-${zone_id.slice(0, 8)}`;
    const pool = await pools.create({ account_id, name: poolName, origins, monitor: monitor.id! });
    deepEqual(
      pool.origins,
      origins.map((origin) => ({ ...origin, flatten_cname: true })),
    );
    deepEqual(await pools.get(pool.id!, { account_id }), pool);
    equal((await pools.edit(pool.id!, { account_id, minimum_origins: 2 })).minimum_origins, 2);
    await pools.update(pool.id!, { account_id, name: poolName, origins });
    equal(
      (await all(pools.list({ account_id }))).some(({ id }) => id === pool.id),
      true,
    );
    equal((await pools.health.get(pool.id!, { account_id })).pool_id, pool.id);

    const content = { zone_id, name: `www.${name}`, default_pools: [pool.id!], fallback_pool: pool.id! };
    const balancer = await client.loadBalancers.create({
      ...content,
      proxied: true,
      session_affinity: 'cookie',
    });
    deepEqual(await client.loadBalancers.get(balancer.id!, { zone_id }), balancer);
    equal((await client.loadBalancers.edit(balancer.id!, { zone_id, enabled: false })).enabled, false);
    await client.loadBalancers.update(balancer.id!, { ...content, description: 'other' });
    deepEqual(
      (await all(client.loadBalancers.list({ zone_id }))).map(({ description }) => description),
      ['other'],
    );
    deepEqual(
      (await all(pools.references.get(pool.id!, { account_id }))).map(({ resource_id }) => resource_id),
      [balancer.id],
    );
    deepEqual(await all(monitors.references.get(monitor.id!, { account_id })), []);
    await session.refuses(() => client.loadBalancers.create({ ...content, name: 'elsewhere.example' }), {
      status: 400,
      code: 1002,
      pointer: '/name',
    });
    deepEqual(await client.loadBalancers.delete(balancer.id!, { zone_id }), { id: balancer.id });
    deepEqual(await pools.delete(pool.id!, { account_id }), { id: pool.id });
    deepEqual(await monitors.delete(monitor.id!, { account_id }), { id: monitor.id });
    await session.refuses(() => pools.get(pool.id!, { account_id }), { status: 404, code: 1000 });
  },

  'logpush jobs, datasets, ownership and validation': async (session) => {
    const { client } = session;
    const zone_id = await session.zone('pro');
    const { jobs, datasets, ownership, validate } = client.logpush;
    const destination_conf = 'https://logs.example/in';
    const made = await jobs.create({
      zone_id,
      dataset: 'firewall_events',
      destination_conf,
      enabled: true,
      output_options: { field_names: ['RayID', 'Action'], timestamp_format: 'rfc3339' },
    });
    const id = made!.id!;
    deepEqual(await jobs.get(id, { zone_id }), made);
    equal((await jobs.update(id, { zone_id, enabled: false }))?.enabled, false);
    deepEqual(
      (await all(jobs.list({ zone_id }))).map((job) => job?.output_options?.field_names),
      [['RayID', 'Action']],
    );
    equal((await all(datasets.jobs.get('firewall_events', { zone_id }))).length, 1);
    equal(((await datasets.fields.get('firewall_events', { zone_id })) as { RayID: string }).RayID, 'string');
    equal((await ownership.create({ zone_id, destination_conf }))?.valid, true);
    equal((await ownership.validate({ zone_id, destination_conf, ownership_challenge: 'x' }))?.valid, true);
    equal((await validate.destination({ zone_id, destination_conf }))?.valid, true);
    equal((await validate.destinationExists({ zone_id, destination_conf }))?.exists, true);
    await session.refuses(() => jobs.update(id, { zone_id, filter: 'nope' }), { status: 400, code: 1010 });
    deepEqual(await jobs.delete(id, { zone_id }), { id });
    await session.refuses(() => jobs.get(id, { zone_id }), { status: 404, code: 1002 });
  },

  'alerting policies, webhooks and history': async (session) => {
    const { client, account_id } = session;
    const { availableAlerts, destinations, history, policies } = client.alerting;
    const { webhooks } = destinations;
    equal('WAF' in (await availableAlerts.list({ account_id })), true);
    equal('webhooks' in (await destinations.eligible.get({ account_id })), true);
    const content = { name: 'chat', url: 'https://chat.example/hook' };
    const { id: webhook } = await webhooks.create({ account_id, ...content });
    equal((await webhooks.get(webhook!, { account_id })).url, content.url);
    await webhooks.update(webhook!, { account_id, ...content, name: 'other' });
    equal((await all(webhooks.list({ account_id }))).find((each) => each.id === webhook)?.name, 'other');
    const { id } = await policies.create({
      account_id,
      name: 'attacks',
      alert_type: 'clickhouse_alert_fw_anomaly',
      enabled: true,
      mechanisms: { webhooks: [{ id: webhook! }] },
    });
    const policy = await policies.get(id!, { account_id });
    deepEqual(policy.mechanisms, { webhooks: [{ id: webhook }] });
    await policies.update(id!, { account_id, alert_interval: '30m' });
    equal((await all(policies.list({ account_id }))).find((each) => each.id === id)?.alert_interval, '30m');
    deepEqual(await all(history.list({ account_id })), []);
    await session.refuses(() => webhooks.delete(webhook!, { account_id }), { status: 412, code: 17_005 });
    await policies.delete(id!, { account_id });
    await webhooks.delete(webhook!, { account_id });
    await session.refuses(() => policies.get(id!, { account_id }), { status: 404, code: 17_002 });
  },
});
