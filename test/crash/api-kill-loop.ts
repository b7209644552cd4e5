/**
 * Kills a server repeatedly while clients of the API change and migrate zones, and checks the data that the next server
 * finds: no acknowledged change is lost, no call is half done, states only move forward, and a zone always has one
 * generation of managed rules in force unless a client turned it off. A migration in progress is finished.
 */
import { equal, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTestCluster } from '../cluster/test-cluster.ts';
import { Random } from '../faults/random.ts';
import { eventually } from '../eventually.ts';
import { randomCommand } from './api-commands.ts';
import { ApiServer } from './api-server.ts';
import { type State, WatchedZone, type ZoneModel } from './api-zone-model.ts';

export interface ApiKillResult {
  readonly acknowledged: number;
  /** How often zones were compared with their known state. */
  readonly checked: number;
  /** How often the protection of a zone was checked. */
  readonly watched: number;
  /** Zones that have migrated. */
  readonly complete: number;
}

const plans = ['pro', 'business', 'enterprise', 'enterprise'] as const;

export async function apiKillLoop({
  seed,
  rounds,
}: {
  seed: number;
  rounds: number;
}): Promise<ApiKillResult> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-api-kill-'));
  // With GATEHOUSE_TEST_DATABASE each server is a host of a cluster, which takes over from the one before.
  const cluster = await findTestCluster();
  const start = (): Promise<ApiServer> => ApiServer.start(directory, cluster?.url);
  const loop = new ApiKillLoop(new Random(seed));
  try {
    for (let round = 0; round < rounds; round++) {
      try {
        await loop.liveAndDie(await start());
      } catch (error) {
        throw new Error(`seed ${seed}, round ${round}: ${(error as Error).message}`, { cause: error });
      }
    }
    return await loop.end(await start());
  } finally {
    await cluster?.remove();
    rmSync(directory, { recursive: true });
  }
}

class ApiKillLoop {
  readonly #random: Random;
  readonly #zones: WatchedZone[] = [];
  #names = 0;
  #acknowledged = 0;
  #checked = 0;
  #watched = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  async liveAndDie(server: ApiServer): Promise<void> {
    try {
      await this.#find(server);
      const zones = await this.#found(server);
      // Some servers are killed early.
      const calls = server.answered + this.#random.below(this.#random.chance(0.2) ? 5 : 400);
      await Promise.all([
        ...zones.map((zone) => this.#walk(server, zone)),
        this.#watch(server, () => server.answered >= calls),
      ]);
    } finally {
      await server.kill();
    }
  }

  /** Everything is as expected, and work in progress is finished. */
  async end(server: ApiServer): Promise<ApiKillResult> {
    try {
      const isPending = (): boolean => this.#zones.some(({ known }) => known.state === 'pending');
      await eventually(async () => {
        await this.#find(server);
        return !isPending();
      }, 'the end of every migration');
      const { result } = await server.ask(`GET /accounts/${server.accountId}/audit_logs/verify`);
      for (const trail of result) equal(trail.is_intact, true, JSON.stringify(trail));
      const complete = this.#zones.filter(({ known }) => known.state === 'complete').length;
      return { acknowledged: this.#acknowledged, checked: this.#checked, watched: this.#watched, complete };
    } finally {
      await server.kill();
    }
  }

  async #find(server: ApiServer): Promise<void> {
    for (const zone of this.#zones) {
      zone.find(await lookAt(server, zone));
      this.#checked++;
    }
  }

  /** Zones for this server: one unused zone of each plan, and one from an earlier server. */
  async #found(server: ApiServer): Promise<readonly WatchedZone[]> {
    const [earlier] = this.#zones.slice(this.#random.below(this.#zones.length + 1));
    const made: WatchedZone[] = [];
    for (const [index, plan] of plans.entries()) {
      const name = `${this.#next()}.example`;
      const { result } = await server.ask('POST /zones', { name, account: { id: server.accountId } });
      await server.ask(`PATCH /zones/${result.id}`, { plan: { legacy_id: plan } });
      await server.ask(`PATCH /zones/${result.id}/settings/waf`, { value: 'on' });
      const model: ZoneModel = {
        plan,
        state: 'start',
        waf: 'on',
        filters: [],
        rules: 0,
        entryPoint: undefined,
      };
      made.push(new WatchedZone(result.id, model, index !== 1));
    }
    this.#zones.push(...made);
    return earlier === undefined ? made : [...made, earlier];
  }

  /** Makes one call after the other, until the server is killed. */
  async #walk(server: ApiServer, zone: WatchedZone): Promise<void> {
    const random = new Random(this.#random.below(2 ** 31));
    while (!server.isKilled) {
      const { route, body, accepted, isRefusable } = randomCommand(zone, () => this.#next(), random);
      const [method, path] = route.split(' ') as [string, string];
      zone.ask(accepted);
      const answer = await server.call(`${method} /zones/${zone.id}${path}`, body);
      if (answer === undefined) return;
      const isDone = answer.status === 200;
      const told = `${route} of a ${zone.known.plan} zone in ${zone.known.state}: ${JSON.stringify(answer.errors)}`;
      ok(isDone ? accepted !== undefined : isRefusable && answer.status === 400, told);
      zone.acknowledge(isDone);
      this.#acknowledged++;
      // The moment between the last requested step and the one that follows automatically.
      if (route.includes('=pending') && isDone && random.chance(0.1)) await server.kill();
    }
  }

  async #watch(server: ApiServer, isOver: () => boolean): Promise<void> {
    while (!server.isKilled && !isOver()) {
      for (const zone of this.#zones) {
        const answer = await server.call(`GET /zones/${zone.id}/waf_migration/status`);
        if (answer === undefined) return;
        zone.watch(protectionOf(answer.result));
        this.#watched++;
      }
    }
    await server.kill();
  }

  #next(): string {
    return `n${this.#names++}`;
  }
}

interface Status {
  readonly migration_state: State;
  readonly old_waf_status: string;
  readonly new_waf_status: string;
}

function protectionOf({ migration_state: state, old_waf_status, new_waf_status }: Status) {
  return { state, previous: old_waf_status === 'enabled', managed: new_waf_status === 'enabled' };
}

/** Everything that calls of this test change. The state is read first, because it may change while the rest is read. */
async function lookAt(server: ApiServer, zone: WatchedZone): Promise<ZoneModel> {
  const path = `/zones/${zone.id}`;
  const { result: status } = await server.ask(`GET ${path}/waf_migration/status`);
  zone.watch(protectionOf(status));
  const { result: setting } = await server.ask(`GET ${path}/settings/waf`);
  const { result: filters } = await server.ask(`GET ${path}/filters?per_page=100`);
  const { result: rules } = await server.ask(`GET ${path}/firewall/rules?per_page=100`);
  const entryPoint = await server.ask(`GET ${path}/rulesets/phases/http_request_firewall_managed/entrypoint`);
  return {
    plan: zone.known.plan,
    state: status.migration_state,
    waf: setting.value,
    filters: (filters as { expression: string }[]).map(({ expression }) => expression),
    rules: rules.length,
    entryPoint: entryPoint.status === 404 ? undefined : entryPoint.result.description,
  };
}
