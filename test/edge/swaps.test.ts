/** Configurations change under load: no request is judged by a mixture of two, none is left unjudged, nothing piles up. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { once } from 'node:events';
import type { Judged } from '#events';
import { test } from 'node:test';
import { Edge } from '#edge';
import type { Ruleset } from '#rulesets';
import type { ZoneConfiguration } from '#firewall';
import { configurationOf } from '../../src/rules/firewall/testing.ts';
import { TestOrigin } from './test-origin.ts';
import { collectGarbage } from '../../tools/collect-garbage.ts';

const phases = ['http_request_firewall_custom', 'http_request_firewall_managed'] as const;

/**
 * Both lists of rules name the version: the first lets requests past the second if they are of the same version. The
 * second blocks everything. So a request passes if one version judged it, and is blocked by any mixture.
 */
function versionOf(version: number, originUrl: string): ZoneConfiguration {
  const [custom, managed] = phases;
  return configurationOf({
    version,
    zone: { name: 'swap.example' },
    firewallRules: [
      {
        id: `mark-${version}`,
        action: 'log',
        products: [],
        description: `version ${version}`,
        ref: '',
        // It needs the body, so that judging starts and ends at different times.
        expression: 'http.request.body.raw eq "logged"',
      },
    ],
    entryPoints: [
      entryPoint(custom, {
        action: 'skip',
        action_parameters: { phases: version % 2 === 0 ? [managed] : [] },
        logging: { enabled: false },
      }),
      entryPoint(managed, {
        action: 'block',
        // Versions with an odd number have neither a rule that skips nor one that needs to be skipped.
        expression: version % 2 === 0 ? 'true' : 'http.host eq "nobody.example"',
      }),
    ],
    edge: { origin: { url: originUrl, verifyTls: true }, overInspectionLimit: 'log' },
  });
}

function entryPoint(phase: string, rule: object): Ruleset {
  const base = {
    id: `rule of ${phase}`,
    version: '1',
    expression: 'true',
    last_updated: '',
    ref: 'r',
    enabled: true,
  };
  return {
    id: phase,
    name: 'default',
    description: '',
    kind: 'zone',
    version: '1',
    last_updated: '',
    phase,
    rules: [{ ...base, ...rule } as Ruleset['rules'][number]],
  };
}

/** Collects all garbage, so that the remaining objects are referenced. */
function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test('Edge swaps configurations under load without a request judged by two, unjudged, or kept in memory', async () => {
  await using origin = await TestOrigin.listen();
  const versionsSeen = new Set<string>();
  let eventsSeen = 0;
  await using edge = await Edge.start({
    listeners: [{ port: 0 }],
    secret: Buffer.alloc(32),
    addresses: { allowPrivate: true },
    writeEvents: async (_, events) => {
      eventsSeen += events.length;
      for (const { event, judged } of events) {
        versionsSeen.add(event.description);
        equal(event.description, `version ${(JSON.parse(judged!) as Judged).version}`);
      }
    },
  });
  edge.update(versionOf(0, origin.url));
  edge.complete();
  const { port } = edge.addresses[0]!;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const statuses = new Map<number, number>();
  const over = new AbortController();
  let sent = 0;
  const client = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const outgoing = request({
        port,
        agent,
        path: '/',
        method: 'POST',
        headers: { host: 'swap.example' },
      });
      outgoing.end('logged');
      sent++;
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      answer.resume();
      await once(answer, 'end');
      statuses.set(answer.statusCode!, (statuses.get(answer.statusCode!) ?? 0) + 1);
    }
  };
  const clients = Array.from({ length: 8 }, client);
  let version = 1;
  const swap = async (count: number): Promise<void> => {
    for (const end = version + count; version < end; version++) {
      edge.update(versionOf(version, origin.url));
      if (version % 5 === 0) await nextTurn();
    }
  };
  await swap(500);
  const beforeBytes = heapBytes();
  await swap(1_500);
  const afterBytes = heapBytes();
  over.abort();
  await Promise.all(clients);
  agent.destroy();
  deepEqual([...statuses.keys()], [200]);
  ok(sent > 100, `only ${sent} requests were sent`);
  await edge.flushEvents();
  equal(eventsSeen, sent, 'every request was judged');
  ok(versionsSeen.size > 10, `only ${versionsSeen.size} versions judged something`);
  ok(afterBytes < beforeBytes * 1.05 + 2_000_000, `the heap grew from ${beforeBytes} to ${afterBytes} bytes`);
  equal(edge.stats().zones, 1);
  // One origin all the time: its connections are kept over swaps.
  ok(edge.stats().proxy.originConnections <= 8);
});
