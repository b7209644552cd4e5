/**
 * Three weeks of history: every attack is actually evaluated once, by a separate edge, and its events are written to
 * the log with the times at which they would have happened, from different addresses. So each of them can be explained
 * like any other.
 */
import { randomBytes } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { once } from 'node:events';
import { Edge } from '#edge';
import { createCounts, placeOfField, type RecordedEvent } from '#events';
import type { AccountPart, ZonePart } from '#firewall';
import { openRequest, operatorRules } from '#outbound';
import { readLines } from '#streams';
import type { ApiClient } from '../api/api-client.ts';
import { drawAddress, findNetwork, homes, hosters } from './networks.ts';
import { Random } from './random.ts';
import { type DemoRequest, type DemoSite, drawAgent, drawSite, listAttacks, sites } from './requests.ts';
import type { DemoZones } from './sample-sites.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
export const historyDays = 21;

/** Requests in a busy hour around noon. */
const hourlyRequests = 900;
/** The average number of events per day; more would delay the start beyond ten seconds. */
const dailyEvents = 45;
/** A call may have four megabytes. */
const eventsPerCall = 100;
const wavesCount = 32;
const rowsPerCall = 1_000;

export interface HistoryParts {
  readonly api: ApiClient;
  readonly accountId: string;
  readonly token: string;
  readonly zones: DemoZones;
  readonly nowMs: number;
}

export async function writeHistory(parts: HistoryParts): Promise<void> {
  const random = new Random(7);
  const known = await judgeAttacks(parts);
  await writeEvents(parts, known, random);
  await writeTraffic(parts, random);
}

/** The events of each attack, by site. */
type Known = Readonly<Record<DemoSite, readonly (readonly RecordedEvent[])[]>>;

function createBySite<Item>(): Readonly<Record<DemoSite, Item[]>> {
  return { 'shop.example': [], 'blog.example': [], 'api.example': [] };
}

async function judgeAttacks(parts: HistoryParts): Promise<Known> {
  const written: RecordedEvent[] = [];
  await using edge = await Edge.start({
    listeners: [{ port: 0 }],
    secret: randomBytes(32),
    trustedProxies: ['127.0.0.1/32'],
    writeEvents: async (_zoneId, events) => void written.push(...events),
  });
  await configure(edge, parts);
  const { port } = edge.addresses[0]!;
  const known = createBySite<readonly RecordedEvent[]>();
  for (const site of sites) {
    for (const attack of listAttacks(site)) {
      await send({ port, site, address: '203.0.113.9', request: attack });
      await edge.flushEvents();
      const events = written.splice(0);
      if (events.length > 0) known[site].push(events);
    }
  }
  return known;
}

/** Reads the configuration feed of a separate edge until it is complete. */
async function configure(edge: Edge, { api, accountId, token }: HistoryParts): Promise<void> {
  const abort = new AbortController();
  const { body } = await openRequest({
    url: `${api.url}/accounts/${accountId}/edge/feed`,
    headers: { authorization: `Bearer ${token}` },
    rules: operatorRules,
    signal: abort.signal,
  });
  for await (const line of readLines(body.setEncoding('utf8') as AsyncIterable<string>)) {
    if (line === '') continue;
    const message = JSON.parse(line) as
      | { readonly kind: 'account'; readonly account: AccountPart }
      | { readonly kind: 'configuration'; readonly configuration: ZonePart }
      | { readonly kind: 'complete' };
    if (message.kind === 'account') edge.updateAccount(message.account);
    if (message.kind === 'configuration') await edge.updateZone(message.configuration);
    if (message.kind !== 'complete') continue;
    edge.complete();
    abort.abort();
    return;
  }
}

export interface Sending {
  readonly port: number;
  readonly site: DemoSite;
  readonly address: string;
  readonly request: DemoRequest;
}

/** Sends as a visitor behind a trusted proxy, so that the demo has visitors from everywhere. */
export async function send({ port, site, address, request }: Sending): Promise<void> {
  const { method = 'GET', path, body, agent = '', headers } = request;
  const sent = requestHttp({
    host: '127.0.0.1',
    port,
    // No connection stays open when the demo ends.
    agent: false,
    method,
    path,
    headers: {
      host: site,
      'x-forwarded-for': address,
      'user-agent': agent,
      accept: 'text/html',
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
  }).end(body);
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
  response.resume();
  await once(response, 'end');
}

async function writeEvents(parts: HistoryParts, known: Known, random: Random): Promise<void> {
  const { api, accountId: account_id, zones, nowMs } = parts;
  const batches = createBySite<RecordedEvent>();
  const waves = listWaves(random);
  for (let left = historyDays * dailyEvents; left > 0; left--) {
    const site = drawSite(random);
    if (known[site].length === 0) continue;
    const atMs = nowMs - drawAge(random, waves);
    for (const event of moveEvents(random.pick(known[site]), atMs, random)) batches[site].push(event);
  }
  for (const site of sites) {
    for (let from = 0; from < batches[site].length; from += eventsPerCall) {
      const events = batches[site].slice(from, from + eventsPerCall).map(({ event, judged }) => ({
        event,
        ...(judged === undefined ? {} : { judged: JSON.parse(judged) as object }),
      }));
      await api.post('/accounts/{account_id}/edge/events', {
        account_id,
        body: { zone_id: zones[site], events },
      });
    }
  }
}

/** The hours with waves of scanners, which are active for a while, then inactive for half a day. */
function listWaves(random: Random): readonly number[] {
  return Array.from({ length: wavesCount }, (_, index) =>
    Math.floor((1 + ((historyDays - 1) * (index + random.next())) / wavesCount) * 24),
  );
}

/** The age of an event: a third in the last day, and more in one wave than in the others. */
function drawAge(random: Random, waves: readonly number[]): number {
  const kind = random.next();
  if (kind < 0.35) return random.next() * dayMs;
  const hour = kind < 0.5 ? waves[Math.floor(wavesCount / 2)]! : random.pick(waves);
  return (hour + random.next()) * hourMs;
}

/** The same request at another time from another address. */
function moveEvents(
  events: readonly RecordedEvent[],
  atMs: number,
  random: Random,
): readonly RecordedEvent[] {
  const address = drawAddress(random, random.next() < 0.9 ? hosters : homes);
  const { country, asn, name } = findNetwork(address);
  const ray = (BigInt(Math.floor(atMs)) << 20n).toString(16).slice(-13).padStart(13, '0');
  const hex = `${ray}${random.below(4096).toString(16).padStart(3, '0')}`;
  const agent = drawAgent(random);
  return events.map(({ event, judged }) => ({
    event: {
      ...event,
      id: hex + event.id.slice(hex.length),
      rayName: hex + event.rayName.slice(hex.length),
      originatorRayName: hex + event.rayName.slice(hex.length),
      datetime: new Date(atMs).toISOString(),
      clientIP: address,
      clientCountryName: country,
      clientAsn: String(asn),
      clientASNDescription: name,
      userAgent: agent,
    },
    ...(judged === undefined ? {} : { judged }),
  }));
}

/** By minute for the last two days, by hour before that. */
async function writeTraffic({ api, accountId, zones, nowMs }: HistoryParts, random: Random): Promise<void> {
  const rows: { zone_id: string; minute: number; counts: number[] }[] = [];
  const now = Math.floor(nowMs / 60_000);
  const share: Readonly<Record<DemoSite, number>> = {
    'shop.example': 1,
    'blog.example': 0.3,
    'api.example': 0.45,
  };
  for (const site of sites) {
    for (let ago = historyDays * 1440; ago > 0;) {
      const minutes = ago > 2 * 1440 ? 60 : 5;
      const requests = Math.round((countHourly((now - ago) * 60_000, random) * share[site] * minutes) / 60);
      rows.push({ zone_id: zones[site], minute: now - ago, counts: createTrafficCounts(requests, random) });
      ago -= minutes;
    }
  }
  for (let from = 0; from < rows.length; from += rowsPerCall)
    await api.post('/accounts/{account_id}/edge/traffic', {
      account_id: accountId,
      body: { batch: `history-${from}`, rows: rows.slice(from, from + rowsPerCall) },
    });
}

/** Few at night, fewer on Sundays. */
function countHourly(atMs: number, random: Random): number {
  const date = new Date(atMs);
  const hour = date.getUTCHours() + date.getUTCMinutes() / 60;
  const daylight = 0.35 + 0.65 * Math.max(0, Math.sin(((hour - 5) / 18) * Math.PI));
  return hourlyRequests * daylight * (date.getUTCDay() === 0 ? 0.6 : 1) * (0.85 + random.next() * 0.3);
}

function createTrafficCounts(requests: number, random: Random): number[] {
  const counts = createCounts();
  const blocked = Math.round(requests * (0.01 + random.next() * 0.02));
  const failed = Math.round(requests * 0.004);
  counts[placeOfField.blocked] = blocked;
  counts[placeOfField.withEvents] = blocked;
  counts[placeOfField.forwarded] = requests - blocked;
  counts[placeOfField.status4xx] = blocked;
  counts[placeOfField.status5xx] = failed;
  counts[placeOfField.status2xx] = requests - blocked - failed;
  counts[placeOfField.receivedBytes] = requests * 640;
  counts[placeOfField.sentBytes] = requests * 18_000;
  return counts;
}
