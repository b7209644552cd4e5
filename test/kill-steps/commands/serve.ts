/** Starts of `gatehouse serve` and `gatehouse edge` that write: the first one, after an upgrade, with other processes. */
import { deepEqual, equal } from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { realClock } from '#base';
import { permissionGroups } from '#contract';
import { runCaptured } from '../../../src/program/cli/testing.ts';
import { blockPath, ServeHost } from '../../cluster/serve-host.ts';
import { TestOrigin } from '../../edge/test-origin.ts';
import { writeEventsOfFirstVersion } from '../../events/first-version.ts';
import { Gatehouse, type ReadyFacts } from '../../server/gatehouse.ts';
import { type Attempt, checkServed, checkState, copyOf, type KilledCommand, type Parts } from '../attempt.ts';
import { createFolder, expressions } from '../rig.ts';

function serve(
  folder: string,
  hosts: number,
): Pick<Attempt, 'args' | 'environment'> & { readonly doneFile: string } {
  return {
    args: ['serve', '--data', 'data', '--port', '0', '--ready-file', 'ready.json'],
    environment: {
      GATEHOUSE_OBJECT_HOSTS: String(hosts),
      GATEHOUSE_EDGE_PORT: '0',
      GATEHOUSE_ALLOW_PRIVATE_ORIGINS: 'true',
    },
    doneFile: join(folder, 'ready.json'),
  };
}

/** Secrets are shown once: if that was prevented, the owner gets new ones. */
const firstStart: KilledCommand = {
  decisive: /^rename ready\.json/,
  isOnlyInSweep: true,
  async prepare({ single, t }, folder) {
    return {
      ...serve(folder, 1),
      checkKilled: async () => false,
      async checkDone() {
        const ready = JSON.parse(readFileSync(join(folder, 'ready.json'), 'utf8')) as ReadyFacts;
        let { token } = ready;
        if (token === undefined) {
          const { stdout } = await runCaptured('owner', 'reset', '--data', join(folder, 'data'));
          token = /^ *token +(\S+)$/m.exec(stdout)![1]!;
        }
        const read = async (host: ServeHost): Promise<string[]> =>
          (await host.insist('GET /zones')).map(({ name }: { readonly name: string }) => name).toSorted();
        const names = ['business', 'enterprise', 'free', 'pro'].map((plan) => `${plan}.example`);
        deepEqual(await single.look(t, { folder, token, read }), names);
      },
    };
  },
};

/** Returns the ids of the events. */
const copyOfFirstVersion = copyOf(async ({ single }, folder) => {
  const data = single.copyTo(folder);
  rmSync(join(data, 'events'), { recursive: true });
  const ids = await writeEventsOfFirstVersion({
    directory: data,
    clock: realClock,
    names: [single.zone],
    agesHours: [0, 1, 2],
  });
  return ids.toSorted();
});

/** The activity log of version 0.1.0 is converted to the current format. */
const upgrade: KilledCommand = {
  decisive: /^writeFile data\/events\/moved/,
  async prepare(parts, folder) {
    const { single, t } = parts;
    const ids = await copyOfFirstVersion(parts, folder);
    const read = async (host: ServeHost): Promise<string[]> =>
      (await host.insist(`GET /zones/${single.zone}/security/events?since=1d`))
        .map(({ id }: { readonly id: string }) => id)
        .toSorted();
    return {
      ...serve(folder, 1),
      checkKilled: async () => !checkState(await single.look(t, { folder, read }), [ids]),
      checkDone: async () => void checkState(await single.look(t, { folder, read }), [ids]),
    };
  },
};

/** Its objects are moved. */
const moreHosts: KilledCommand = {
  decisive: /^rename data\/hosts\.json/,
  async prepare(parts, folder) {
    parts.single.copyTo(folder);
    return { ...serve(folder, 2), ...checkServed(parts, parts.single, folder) };
  },
};

const fewerHosts: KilledCommand = {
  decisive: /^unlink data\/hosts\.json/,
  isOnlyInSweep: true,
  async prepare(parts, folder) {
    parts.double.copyTo(folder);
    return { ...serve(folder, 1), ...checkServed(parts, parts.double, folder) };
  },
};

const poolName = 'pool-of-the-bundle';
const balancing = {
  monitors: { m: { type: 'http', path: '/alive' } },
  pools: { p: { name: poolName, monitor: 'm', origins: [{ name: 'one', address: '127.0.0.1' }] } },
  load_balancers: [{ name: 'shop.enterprise.example', default_pools: ['p'], fallback_pool: 'p' }],
};

/** A bundle with load balancers changes the zone, and then the account. */
const importBundle: KilledCommand = {
  decisive: /^write data\/journal/,
  decisiveText: poolName,
  async prepare({ single, t }, folder) {
    single.copyTo(folder);
    const zone = `/zones/${single.zone}`;
    const bundle = {
      format: 'gatehouse.zone',
      version: 1,
      zone: { id: single.zone, name: 'enterprise.example', plan: 'enterprise' },
      firewall: { filters: [{ id: 'f'.repeat(32), expression: expressions[1] }], rules: [] },
      load_balancing: balancing,
    };
    const read = async (host: ServeHost): Promise<string[]> => {
      const [filters, balancers, pools, monitors] = await Promise.all([
        host.insist(`GET ${zone}/filters`),
        host.insist(`GET ${zone}/load_balancers`),
        host.insist(`GET /accounts/${host.ready.account_id}/load_balancers/pools`),
        host.insist(`GET /accounts/${host.ready.account_id}/load_balancers/monitors`),
      ]);
      return [filters, balancers, pools, monitors].map(({ length }) => String(length));
    };
    const start = serve(folder, 1);
    const all = ['2', '1', '1', '1'];
    return {
      ...start,
      async whenReady() {
        const ready = JSON.parse(readFileSync(start.doneFile, 'utf8')) as ServeHost['ready'];
        await new ServeHost(ready, single.token).insist(`POST ${zone}/import`, bundle);
      },
      async checkKilled() {
        const states = [['1', '0', '0', '0'], ['2', '0', '0', '0'], all];
        checkState(await single.look(t, { folder, read }), states);
        return false;
      },
      checkDone: async () => void checkState(await single.look(t, { folder, read }), [all]),
    };
  },
};

interface ControlPlane {
  readonly api: string;
  readonly token: string;
}

let controlPlane: Promise<ControlPlane> | undefined;

/** With a rule for `/no`, and an application that answers. */
async function startControlPlane({ shared }: Parts): Promise<ControlPlane> {
  const { host } = await ServeHost.start(shared, undefined, undefined, {
    directory: createFolder(shared),
    flags: { 'object-hosts': '1' },
  });
  const origin = await TestOrigin.listen();
  shared.after(() => origin[Symbol.asyncDispose]());
  const { id } = host.ready.zones.find(({ plan }) => plan === 'enterprise')!;
  await host.insist(`PUT /zones/${id}/edge`, { origin: { url: origin.url } });
  await host.insist(`POST /zones/${id}/firewall/rules`, blockPath('/no'));
  const { value } = await host.insist('POST /user/tokens', {
    name: 'edge',
    policies: [
      {
        effect: 'allow',
        permission_groups: [{ id: permissionGroups.accountEdgeWrite.id }],
        resources: { [`com.cloudflare.api.account.${host.ready.account_id}`]: '*' },
      },
    ],
  });
  return { api: host.ready.api, token: value };
}

async function visit(edge: string, path: string): Promise<number> {
  const { port } = new URL(edge);
  const headers = { host: 'enterprise.example' };
  const outgoing = request({ port, host: '127.0.0.1', agent: false, path, headers });
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode!;
}

/** Its configurations are kept in its directory, for starts without a control plane. */
const edge: KilledCommand = {
  decisive: /^rename data\/zones\/names\.json/,
  async prepare(parts, folder) {
    controlPlane ??= startControlPlane(parts);
    const { api, token } = await controlPlane;
    const environment = { GATEHOUSE_CONTROL_TOKEN: token };
    const args = ['--control', api, '--allow-private-origins', 'true'];
    /** Nothing answers there: it uses the stored configurations. */
    const visitAlone = async (): Promise<number> => {
      const away = ['--control', 'http://127.0.0.1:1/client/v4', '--allow-private-origins', 'true'];
      const start = { command: 'edge', directory: folder, args: away, environment } as const;
      const { server, ready } = await Gatehouse.start(parts.t, start);
      try {
        return await visit((ready as unknown as { readonly edge: string }).edge, '/no');
      } finally {
        await server.end('SIGKILL');
      }
    };
    return {
      args: ['edge', '--data', 'data', '--edge-port', '0', '--ready-file', 'ready.json', ...args],
      environment,
      doneFile: join(folder, 'ready.json'),
      async checkKilled() {
        // Without all configurations it waits for its control plane.
        if (existsSync(join(folder, 'data/zones/complete'))) equal(await visitAlone(), 403);
        return false;
      },
      checkDone: async () => equal(await visitAlone(), 403),
    };
  },
};

export const serveCommands = {
  serve: firstStart,
  'serve after an upgrade': upgrade,
  'serve on more object hosts': moreHosts,
  'serve on fewer object hosts': fewerHosts,
  'serve while a bundle is imported': importBundle,
  edge,
};
