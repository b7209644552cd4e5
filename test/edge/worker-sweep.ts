/**
 * Configuration changes while workers are killed at random. Each change gives the zone a number, with which every request is
 * refused; so an answer without a number would be a request that was not judged. On one connection, numbers never go down.
 */
import { equal, ok } from 'node:assert/strict';
import { Agent } from 'node:http';
import { eventually } from '../eventually.ts';
import type { WorkerSite } from './worker-site.ts';

export interface SweepResult {
  readonly answered: number;
  /** Connections that ended with their worker. */
  readonly cut: number;
  readonly kills: number;
}

export interface SweepOptions {
  readonly changes: number;
  readonly changesPerKill: number;
  readonly clients: number;
}

export async function sweepChanges(
  site: WorkerSite,
  { changes, changesPerKill, clients }: SweepOptions,
): Promise<SweepResult> {
  let version = 0;
  let kills = 0;
  const end = new AbortController();
  const change = (): Promise<void> =>
    site.call(`PUT /zones/${site.zone.id}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
      rules: [
        {
          action: 'block',
          expression: 'true',
          action_parameters: {
            response: { status_code: 418, content_type: 'text/plain', content: `version ${version++}` },
          },
        },
      ],
    });
  await change();
  const counts = { answered: 0, cut: 0 };
  const visitors = Array.from({ length: clients }, async () => {
    while (!end.signal.aborted) await visitOnce(site, counts, end.signal);
  });
  for (let made = 1; made <= changes; made++) {
    await change();
    if (made % changesPerKill !== 0) continue;
    let workers: number[] = [];
    await eventually(() => (workers = site.listWorkers()).length > 0);
    process.kill(workers[Math.floor(Math.random() * workers.length)]!, 'SIGKILL');
    kills++;
  }
  end.abort();
  await Promise.all(visitors);
  // Every request after the last change is answered with its number, by any worker.
  await site.awaitWorkers();
  return { ...counts, kills };
}

/** Sends requests on one connection, until it is cut or the test ends. */
async function visitOnce(
  site: WorkerSite,
  counts: { answered: number; cut: number },
  signal: AbortSignal,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let newest = -1;
  try {
    while (!signal.aborted) {
      const answer = await site.send('/', { agent }).catch((error: NodeJS.ErrnoException) => {
        equal(['ECONNRESET', 'EPIPE'].includes(error.code ?? ''), true, String(error));
        return undefined;
      });
      if (answer === undefined) {
        counts.cut++;
        return;
      }
      // A worker without a configuration reports it; it lets no request through.
      if (answer.status === 503) continue;
      equal(answer.status, 418, answer.body);
      const seen = Number(/^version (\d+)/.exec(answer.body)![1]);
      ok(seen >= newest, `version ${seen} after ${newest} on one connection`);
      newest = seen;
      counts.answered++;
    }
  } finally {
    agent.destroy();
  }
}
