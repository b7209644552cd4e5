/**
 * One load balancer: chooses the origin for a request, and the next one if that origin does not answer.
 *
 * - A request goes to the first healthy pool, or to a healthy pool chosen by the steering policy. A pool is healthy if
 *   enough of its origins are. If no pool is healthy, the fallback pool and all of its origins are used whatever their
 *   health: the last origin is never taken out.
 * - A session stays with its origin while the origin is healthy and, after the origin was disabled, while it drains.
 * - A request is sent to a second origin only if the proxy says that it may be repeated.
 */
import { isIP } from 'node:net';
import type { Clock } from '#base';
import {
  type ConfiguredLoadBalancer,
  type ConfiguredPool,
  type ConfiguredPoolOrigin,
  keyOfOrigin,
} from '#firewall';
import type { IncomingRequest, Origin, OriginChoice } from '../wire/exchange.ts';
import { attemptsMax } from './limits.ts';
import type { OriginHealth } from './origin-health.ts';
import type { OriginLoads } from './origin-loads.ts';
import { pickByKey, pickLeast, pickRandom, type Weighted } from './pick-member.ts';
import { createToken, findSessionKey, readToken, writeCookie } from './session.ts';

/** An origin of a pool. */
export interface Member {
  readonly key: string;
  readonly pool: ConfiguredPool;
  readonly origin: ConfiguredPoolOrigin;
  /** Represents the origin in cookies. */
  readonly token: string;
  /** The origin without the settings of the zone. */
  readonly base: Origin;
}

interface PoolMembers {
  readonly pool: ConfiguredPool;
  readonly members: readonly Member[];
}

/** What this process knows about origins. */
export interface BalancerState {
  readonly health: OriginHealth;
  readonly loads: OriginLoads;
  readonly clock: Clock;
}

export interface ChoiceOptions {
  readonly request: IncomingRequest;
  readonly state: BalancerState;
  /** Applies the settings of the zone and the route that rules chose. */
  readonly toOrigin: (member: Member) => Origin;
}

export class Balancer {
  readonly configured: ConfiguredLoadBalancer;
  readonly #pools: readonly PoolMembers[];
  readonly #fallback: PoolMembers;
  readonly #byToken = new Map<string, Member>();

  constructor(configured: ConfiguredLoadBalancer) {
    this.configured = configured;
    const gather = (pool: ConfiguredPool): PoolMembers => ({
      pool,
      members: pool.origins.map((origin) => createMember(configured, pool, origin)),
    });
    this.#pools = configured.pools.map(gather);
    this.#fallback = gather(configured.fallback);
    for (const { members } of [this.#fallback, ...this.#pools])
      for (const member of members) this.#byToken.set(member.token, member);
  }

  /** Undefined if every origin is disabled. */
  choose(options: ChoiceOptions): BalancedChoice | undefined {
    const { request, state } = options;
    const { affinity } = this.configured;
    const held =
      affinity === undefined || affinity.by === 'header' ? undefined : this.#findHeld(request, state);
    const sessionKey = affinity && findSessionKey(affinity, request);
    const first = held ?? this.#pick({ request, state, sessionKey, tried: new Set(), only: undefined });
    if (first === undefined) return undefined;
    return new BalancedChoice(options, {
      affinity,
      first,
      isHeld: held !== undefined,
      next: (tried, { pool }) => {
        const only = this.configured.failsOverAcrossPools ? undefined : pool.id;
        return this.#pick({ request, state, sessionKey, tried, only });
      },
    });
  }

  #findHeld(request: IncomingRequest, { health, clock }: BalancerState): Member | undefined {
    const token = readToken(request);
    const member = token === undefined ? undefined : this.#byToken.get(token);
    if (member === undefined) return undefined;
    const { origin, pool, key } = member;
    const nowMs = clock.now();
    if (!health.isUp(key, nowMs)) return undefined;
    if (origin.isEnabled && pool.isEnabled) return member;
    const drainsUntilMs = (origin.disabledAtMs ?? 0) + this.configured.affinity!.drainSeconds * 1_000;
    return pool.isEnabled && nowMs < drainsUntilMs ? member : undefined;
  }

  #pick(wanted: MemberChoice): Member | undefined {
    const { health, clock } = wanted.state;
    const nowMs = clock.now();
    const isAsked = ({ pool }: PoolMembers): boolean =>
      pool.isEnabled && (wanted.only === undefined || pool.id === wanted.only);
    const well = this.#pools.filter(isAsked).flatMap(({ pool, members }) => {
      const healthy = members.filter(({ key, origin }) => origin.isEnabled && health.isUp(key, nowMs));
      const isUp = healthy.length >= Math.max(1, pool.originsMin);
      const left = healthy.filter((member) => !wanted.tried.has(member.key) && member.origin.weight > 0);
      return isUp && left.length > 0 ? [{ pool, members: left }] : [];
    });
    const chosen = this.#steer(well, wanted);
    if (chosen !== undefined) return pickMember(chosen, wanted, nowMs);
    const { pool, members } = this.#fallback;
    if (wanted.only !== undefined && wanted.only !== pool.id) return undefined;
    const enabled = members.filter(({ key, origin }) => origin.isEnabled && !wanted.tried.has(key));
    const best = [
      enabled.filter(({ key, origin }) => origin.weight > 0 && health.isUp(key, nowMs)),
      enabled.filter(({ origin }) => origin.weight > 0),
      enabled,
    ].find(({ length }) => length > 0);
    return best && pickMember({ pool, members: best }, wanted, nowMs);
  }

  #steer(pools: readonly PoolMembers[], { state: { loads } }: MemberChoice): PoolMembers | undefined {
    const { steering, poolWeights, defaultWeight } = this.configured;
    if (steering === 'order' || pools.length < 2) return pools[0];
    const weighted = pools
      .map((item) => ({ item, weight: poolWeights[item.pool.id] ?? defaultWeight }))
      .filter(({ weight }) => weight > 0);
    if (weighted.length === 0) return pools[0];
    if (steering === 'random') return pickRandom(weighted);
    return pickLeast(weighted, ({ members }) =>
      members.reduce((sum, { key }) => sum + loads.countInFlight(key), 0),
    );
  }
}

interface MemberChoice extends Pick<ChoiceOptions, 'request' | 'state'> {
  readonly sessionKey: string | undefined;
  /** The keys of the origins that did not answer. */
  readonly tried: ReadonlySet<string>;
  /** The id of the only pool to pick from. */
  readonly only: string | undefined;
}

function pickMember({ pool, members }: PoolMembers, wanted: MemberChoice, nowMs: number): Member | undefined {
  const { health, loads } = wanted.state;
  const slowStartMs = pool.slowStartSeconds * 1_000;
  const weighted: Weighted<Member>[] = members.map((item) => ({
    item,
    // An origin with weight 0 is chosen only if there is no other.
    weight: (item.origin.weight || 1) * health.shareOf(item.key, slowStartMs, nowMs),
  }));
  const key = wanted.sessionKey ?? (pool.steering === 'hash' ? wanted.request.clientAddress : undefined);
  if (key !== undefined) return pickByKey(weighted, key, (member) => member.key);
  return pool.steering === 'least_outstanding_requests'
    ? pickLeast(weighted, (member) => loads.countInFlight(member.key))
    : pickRandom(weighted);
}

function createMember(
  { id, name }: ConfiguredLoadBalancer,
  pool: ConfiguredPool,
  origin: ConfiguredPoolOrigin,
): Member {
  const key = keyOfOrigin(pool, origin);
  const named = origin.host?.replace(/:\d+$/, '');
  // The name that the certificate of the origin must contain: a certificate does not name an address.
  const host = named ?? (isIP(origin.address) === 0 ? origin.address : name.replace(/^\*\./, ''));
  const base: Origin = { scheme: 'http', host, connectTo: origin.address, port: origin.port ?? 0 };
  return { key, pool, origin, token: createToken(id, key), base };
}

interface ChoiceParts {
  readonly affinity: ConfiguredLoadBalancer['affinity'];
  readonly first: Member;
  /** Whether the origin was chosen because the visitor has a session with it. */
  readonly isHeld: boolean;
  /** Returns an origin that is not among those that did not answer. `last` is the one that failed most recently. */
  readonly next: (tried: ReadonlySet<string>, last: Member) => Member | undefined;
}

/** The sequence of origins for one request. */
export class BalancedChoice implements OriginChoice {
  readonly #options: ChoiceOptions;
  readonly #parts: ChoiceParts;
  readonly #tried = new Set<string>();
  #member: Member;
  #isOpen = false;

  constructor(options: ChoiceOptions, parts: ChoiceParts) {
    this.#options = options;
    this.#parts = parts;
    this.#member = parts.first;
  }

  get origin(): Origin {
    return this.#options.toOrigin(this.#member);
  }

  get hostHeader(): string | undefined {
    return this.#member.origin.host;
  }

  /** Whether the load balancer sets session cookies. */
  get hasSession(): boolean {
    const { affinity } = this.#parts;
    return affinity !== undefined && affinity.by !== 'header';
  }

  /** The `Set-Cookie` that keeps the visitor with this origin; undefined if no cookie needs to be set. */
  get cookie(): string | undefined {
    const { affinity, isHeld, first } = this.#parts;
    if (affinity === undefined || !this.hasSession) return undefined;
    const stays = isHeld && (this.#member === first || affinity.failover !== 'sticky');
    return stays ? undefined : writeCookie(this.#member.token, affinity, this.#options.request);
  }

  begin(): void {
    const { pool, origin, key } = this.#member;
    this.#isOpen = true;
    this.#options.state.loads.begin(key, { pool: pool.name, origin: origin.name });
  }

  answer(): void {
    this.#options.state.health.noteSuccess(this.#member.key);
  }

  fail({ counts }: { readonly counts: boolean }): boolean {
    const { state } = this.#options;
    this.#end({ isFailure: true });
    if (counts) state.health.noteFailure(this.#member.key, state.clock.now());
    this.#tried.add(this.#member.key);
    const { affinity, isHeld, next } = this.#parts;
    if (this.#tried.size >= attemptsMax || (isHeld && affinity!.failover === 'none')) return false;
    const member = next(this.#tried, this.#member);
    if (member === undefined) return false;
    this.#member = member;
    return true;
  }

  end(): void {
    this.#end({ isFailure: false });
  }

  #end(how: { readonly isFailure: boolean }): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#options.state.loads.end(this.#member.key, how);
  }
}
