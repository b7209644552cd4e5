/**
 * `gatehouse migrate compare`: on which requests the two generations of a zone in validation mode differ. The activity log
 * has an event for each rule that acted, so a request that only one generation has events of is one that they differ on.
 */
import type { SecurityEvent } from '#events';
import type { ApiClient } from '../api/api-client.ts';
import { connectionHelp, connectionOptions } from '../api/connection.ts';
import { Progress } from '../api/progress.ts';
import { writeTable } from '../api/table.ts';
import { openScreen } from '../resources/tables.ts';
import { escapeUnprintable } from '../terminal-text.ts';
import { type Command, exitCodes, UsageError } from '../command.ts';
import { readWholeNumber } from '../parse-arguments.ts';
import { MigratingZone } from './migrating-zone.ts';

const pageSize = 5_000;
const eventsMaxDefault = 100_000;
const requestsShown = 20;

type Event = Pick<
  SecurityEvent,
  | 'rayName'
  | 'source'
  | 'action'
  | 'ruleId'
  | 'description'
  | 'matchIndex'
  | 'datetime'
  | 'clientRequestHTTPMethodName'
  | 'clientRequestPath'
  | 'clientRequestQuery'
>;

interface ComparedRequest {
  readonly ray: string;
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** The action and the rule of the last event of each generation; absent if it did nothing. */
  readonly legacy?: Acted;
  readonly new?: Acted;
}

interface Acted {
  readonly action: string;
  readonly ruleId: string;
  readonly description: string;
}

interface GenerationComparison {
  readonly requests: number;
  readonly alike: number;
  readonly onlyLegacy: number;
  readonly onlyNew: number;
  readonly otherAction: number;
  readonly differing: readonly ComparedRequest[];
}

export const compareCommand: Command = {
  name: 'migrate compare',
  parameters: '<zone>',
  summary: 'Show the requests on which the two generations of a zone in validation mode differ.',
  details: `Reads the activity log. A new rule that stops a request hides what the legacy rules would have done; with
gatehouse migrate validate --watch, each request passes through both.

Exit codes: 0 success, 1 failure, 2 wrong command line.

${connectionHelp}`,
  options: {
    ...connectionOptions,
    since: { value: 'TIME', help: 'RFC 3339, or how long ago: 15m, 24h, 7d (24h)' },
    'events-max': { value: 'COUNT', help: `read at most so many events, the newest (${eventsMaxDefault})` },
    json: { help: 'print JSON' },
  },
  async run(args) {
    const eventsMax = readWholeNumber(args, 'events-max', { min: 1, max: 10_000_000 }) ?? eventsMaxDefault;
    using migrating = await MigratingZone.open(args, 'migrate compare');
    const { migration_state: state } = await migrating.readStatus();
    if (state !== 'validation')
      throw new UsageError(
        `${migrating.zone.name} is in the state ${state}: only in validation are both generations in force (gatehouse migrate validate)`,
      );
    const since = args.values['since'] ?? '24h';
    const comparison = compareGenerations(await readEvents(migrating.api, migrating.path, since, eventsMax));
    process.stdout.write(
      args.switches.has('json')
        ? `${JSON.stringify(comparison, undefined, 2)}\n`
        : writeComparison(comparison),
    );
    return exitCodes.success;
  },
};

async function readEvents(api: ApiClient, zonePath: string, since: string, max: number): Promise<Event[]> {
  using progress = new Progress();
  const events: Event[] = [];
  const where = encodeURIComponent('source:in:waf,firewallManaged');
  let cursor: string | undefined;
  do {
    const next = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const count = Math.min(pageSize, max - events.length);
    const query = `since=${encodeURIComponent(since)}&where=${where}&per_page=${count}${next}`;
    const { result, result_info } = await api.call('GET', `${zonePath}/security/events?${query}`);
    events.push(...(result as Event[]));
    cursor = (result_info?.['cursors'] as { after?: string } | undefined)?.after;
    progress.show('reading the activity log', {
      count: events.length,
      share: events.length / max,
      unit: 'events',
    });
  } while (cursor !== undefined && events.length < max);
  return events;
}

/** @internal Exported for tests. */
export function compareGenerations(events: readonly Event[]): GenerationComparison {
  const counts = { requests: 0, alike: 0, onlyLegacy: 0, onlyNew: 0, otherAction: 0 };
  const differing: ComparedRequest[] = [];
  for (const [ray, own] of Map.groupBy(events, ({ rayName }) => rayName)) {
    const request = compareRequest(ray, own);
    counts.requests++;
    const kind =
      request.new === undefined
        ? 'onlyLegacy'
        : request.legacy === undefined
          ? 'onlyNew'
          : request.legacy.action === request.new.action
            ? 'alike'
            : 'otherAction';
    counts[kind]++;
    if (kind !== 'alike') differing.push(request);
  }
  return { ...counts, differing };
}

function compareRequest(ray: string, events: readonly Event[]): ComparedRequest {
  const ordered = events.toSorted((a, b) => a.matchIndex - b.matchIndex);
  const legacy = ordered.findLast(({ source }) => source === 'waf');
  const fresh = ordered.findLast(({ source }) => source === 'firewallManaged');
  const [first] = ordered as [Event];
  return {
    ray,
    time: first.datetime,
    method: first.clientRequestHTTPMethodName,
    path: first.clientRequestPath,
    query: first.clientRequestQuery,
    ...(legacy === undefined ? {} : { legacy: toActed(legacy) }),
    ...(fresh === undefined ? {} : { new: toActed(fresh) }),
  };
}

function toActed({ action, ruleId, description }: Event): Acted {
  return { action, ruleId, description };
}

function writeComparison(comparison: GenerationComparison): string {
  const { requests, alike, onlyLegacy, onlyNew, otherAction, differing } = comparison;
  if (requests === 0) return 'No managed rule acted on a request in that time.\n';
  const { style } = openScreen();
  const counts = `${requests} requests: ${alike} alike, ${onlyLegacy} only by legacy rules, ${onlyNew} only by new rules, ${otherAction} with another action`;
  const summary = `${style(differing.length === 0 ? 'green' : 'yellow', counts)}\n`;
  const pairs = Map.groupBy(differing, (each) => `${writeActed(each.legacy)}  ->  ${writeActed(each.new)}`);
  const rules = [...pairs]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([pair, own]) => [own.length, pair] as const);
  const rows = differing
    .slice(0, requestsShown)
    .map((each) => [each.time, each.ray, `${each.method} ${each.path}${each.query}`.slice(0, 80)]);
  if (differing.length === 0) return summary;
  return [
    summary,
    writeTable(['requests', 'legacy rule -> new rule'], rules),
    `The newest of them (gatehouse explain tells more):\n${writeTable(['time', 'request id', 'request'], rows)}`,
  ].join('\n');
}

function writeActed(acted: Acted | undefined): string {
  return acted === undefined
    ? 'nothing'
    : escapeUnprintable(`${acted.action} ${acted.ruleId} ${acted.description}`);
}
