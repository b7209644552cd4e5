/**
 * The messages that an edge receives: the configuration that all zones share (`account`, `core-rules`), the existing
 * zones (`zones`, in parts), the configurations of the zones that the reader wants, then `complete`, then all changes.
 * An edge in this process reads these messages directly and wants only zones that it has requests for; a remote edge
 * reads them as lines of JSON and wants all zones, because it stores them.
 *
 * - A message is created after the change that it reports, so the last message about a zone is the newest. If a zone
 *   changes faster than the reader reads, intermediate states are omitted. All messages about a zone pass through here,
 *   including the configuration of a zone that the reader requests, so none can overtake another.
 * - A change of the account is sent before the zones that changed after it: a rule never arrives before the list it names.
 * - A zone that changes continuously would be compiled continuously. So a zone rests after each message, for nine times
 *   as long as the reader took but at most half a second, which leaves most of the processor to requests.
 * - A zone whose configuration cannot be loaded delays no other zone. It is retried with increasing delays, or at its next
 *   change.
 * - When there is nothing to send, an occasional `heartbeat` shows that the feed is still alive.
 */
import type { Clock } from '#base';
import type { CoreRules } from '#seclang';
import type { AccountPart, ConfiguredZone, ZoneConfiguration, ZonePart } from '#firewall';
import { ChangedZones } from './changed-zones.ts';
import { zonesPerMessageMax } from './limits.ts';

type NamedZone = Pick<ConfiguredZone, 'id' | 'name'>;

export type FeedMessage =
  | { readonly kind: 'account'; readonly account: AccountPart }
  /** The OWASP rules of all zones; null if none are installed. */
  | { readonly kind: 'core-rules'; readonly rules: CoreRules | null }
  /** Some of the existing zones. */
  | { readonly kind: 'zones'; readonly zones: readonly NamedZone[] }
  | { readonly kind: 'configuration'; readonly configuration: ZonePart }
  | { readonly kind: 'removed'; readonly zone: string }
  /** It will be retried; until then the edge keeps its current configuration. For the account, there is no zone id. */
  | { readonly kind: 'unavailable'; readonly zone: string; readonly reason: string; readonly retryMs: number }
  /** Every zone was named, and every wanted zone was sent or tried. */
  | { readonly kind: 'complete' }
  | { readonly kind: 'heartbeat' };

export interface FeedSource {
  readonly clock: Clock;
  listZones(): Iterable<NamedZone>;
  findZone(zoneId: string): NamedZone | undefined;
  /** The configuration that all zones share; undefined if its version is the known one. */
  readAccount(versionKnown: number | undefined): Promise<AccountPart | undefined>;
  /** Undefined if none are installed; absent if another source provides them. */
  readonly readCoreRules?: () => CoreRules | undefined;
  /** Undefined if the zone no longer exists. */
  readZone(zoneId: string): Promise<ZonePart | undefined>;
  /** Both parts together, for evaluating a request outside of an edge. */
  readConfiguration(zoneId: string): Promise<ZoneConfiguration | undefined>;
  /**
   * Calls the listener with the id of each zone that changes, with `account` or with `core-rules`, until the returned
   * function is called.
   */
  onChange(listener: (changed: string) => void): () => void;
}

/** The zones whose configurations a reader wants. */
export interface WantedZones {
  has(zoneId: string): boolean;
  /** Calls the listener with each zone whose configuration is needed at once, until the returned function is called. */
  onAsked(listener: (zoneId: string) => void): () => void;
}

const everyZone: WantedZones = { has: () => true, onAsked: () => () => {} };

/** The name of the account in `onChange`; no zone has this id. */
const account = 'account';
export const coreRulesChange = 'core-rules';

const heartbeatMs = 15_000;
const restShare = 9;

export async function* readConfigurations(
  source: FeedSource,
  signal: AbortSignal,
  wanted: WantedZones = everyZone,
): AsyncGenerator<FeedMessage, void> {
  const { clock } = source;
  const changed = new ChangedZones(clock);
  using _changes = toDisposable(source.onChange((id) => changed.add(id, { isUrgent: !isZone(id) })));
  using _asked = toDisposable(wanted.onAsked((zoneId) => changed.add(zoneId, { isUrgent: true })));
  const wake = (): void => changed.wake();
  signal.addEventListener('abort', wake);
  using _signal = toDisposable(() => signal.removeEventListener('abort', wake));
  const connection: Connection = {
    source,
    wanted,
    changed,
    named: new Set(),
    version: undefined,
    digest: undefined,
  };
  // Without the account, no zone could be evaluated: a failure ends the feed, and the reader reconnects.
  yield* readAccount(connection);
  yield* readCoreRules(connection, 'first');
  yield* nameZones(connection);
  let isComplete = false;
  while (!signal.aborted) {
    for (let id = changed.take(); id !== undefined && !signal.aborted; id = changed.take()) {
      for await (const message of readChange(connection, id)) {
        const readMs = clock.now();
        yield message;
        if (message.kind === 'configuration') changed.rest(id, (clock.now() - readMs) * restShare);
      }
    }
    if (!isComplete) yield { kind: 'complete' };
    isComplete = true;
    if ((await changed.wait(heartbeatMs)) === 'nothing') yield { kind: 'heartbeat' };
  }
}

interface Connection {
  readonly source: FeedSource;
  readonly wanted: WantedZones;
  readonly changed: ChangedZones;
  /** The zones that the reader knows. */
  readonly named: Set<string>;
  /** The version of the account part that the reader has. */
  version: number | undefined;
  /** The digest of the OWASP rules that the reader has. */
  digest: string | undefined;
}

async function* readAccount(connection: Connection): AsyncGenerator<FeedMessage, void> {
  const part = await connection.source.readAccount(connection.version);
  if (part === undefined) return;
  connection.version = part.version;
  yield { kind: 'account', account: part };
}

/** A reader that was connected earlier may have rules that are no longer installed. */
function* readCoreRules(connection: Connection, time: 'first' | 'later'): Generator<FeedMessage, void> {
  if (connection.source.readCoreRules === undefined) return;
  const rules = connection.source.readCoreRules() ?? null;
  if (time === 'later' && rules?.digest === connection.digest) return;
  connection.digest = rules?.digest;
  yield { kind: 'core-rules', rules };
}

function isZone(changed: string): boolean {
  return changed !== account && changed !== coreRulesChange;
}

function* nameZones({ source, wanted, changed, named }: Connection): Generator<FeedMessage, void> {
  let zones: NamedZone[] = [];
  for (const { id, name } of [...source.listZones()]) {
    named.add(id);
    zones.push({ id, name });
    if (wanted.has(id)) changed.add(id);
    if (zones.length < zonesPerMessageMax) continue;
    yield { kind: 'zones', zones };
    zones = [];
  }
  if (zones.length > 0) yield { kind: 'zones', zones };
}

async function* readChange(connection: Connection, id: string): AsyncGenerator<FeedMessage, void> {
  const { changed } = connection;
  try {
    if (id === account) yield* readAccount(connection);
    else if (id === coreRulesChange) yield* readCoreRules(connection, 'later');
    else yield* readZone(connection, id);
    changed.succeed(id);
  } catch (error) {
    const retryMs = changed.fail(id);
    const zone = isZone(id) ? id : '';
    yield { kind: 'unavailable', zone, reason: (error as Error).message, retryMs };
  }
}

async function* readZone(connection: Connection, zoneId: string): AsyncGenerator<FeedMessage, void> {
  const { source, wanted, named } = connection;
  const zone = source.findZone(zoneId);
  if (zone !== undefined && !named.has(zoneId)) {
    named.add(zoneId);
    yield { kind: 'zones', zones: [{ id: zoneId, name: zone.name }] };
  }
  if (zone !== undefined && !wanted.has(zoneId)) return;
  const configuration = zone && (await source.readZone(zoneId));
  if (configuration !== undefined) return yield { kind: 'configuration', configuration };
  named.delete(zoneId);
  yield { kind: 'removed', zone: zoneId };
}

function toDisposable(stop: () => void): Disposable {
  return { [Symbol.dispose]: stop };
}
