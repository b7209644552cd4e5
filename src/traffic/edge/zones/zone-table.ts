/**
 * Zones by the host names they serve: a zone serves its own name and all names below it that belong to no other zone.
 * The table has the names of all zones, including those that are not loaded: a zone is loaded when a request needs it,
 * and the least recently used zones are evicted when too many are loaded. So a name never falls to the parent zone
 * because its own zone is not loaded.
 *
 * An update replaces one zone in one assignment; requests in progress keep the zone that they started with. A change of
 * the account part marks the zones that use it as stale, and each stale zone is recompiled for its next request.
 *
 * Rules are compiled in steps between which requests of other zones are served. Changes of one zone run one after
 * another.
 */
import { hash } from 'node:crypto';
import { workTurns } from '#work';
import {
  type AccountPart,
  compareAccountParts,
  CompiledZone,
  type CompileParts,
  emptyAccountPart,
  isConcerned,
  joinParts,
  type UsedParts,
  type ZoneConfiguration,
  type ZonePart,
} from '#firewall';
import { rulesetIds } from '#managed';
import { type EdgeZone, createEdgeZone } from './edge-zone.ts';
import { loadedCharactersMax, loadedZonesMax } from './limits.ts';

/** An existing zone, loaded or not. */
export interface KnownZone {
  readonly id: string;
  readonly name: string;
}

/** Loads the configurations of zones that requests need. */
export interface ZoneLoader {
  /** Resolves when the configuration is in place, or is not available for now. */
  load(zoneId: string): Promise<void>;
  /** Called when a zone was recompiled after a change of the account part, or failed to compile. */
  onRecompiled(zoneId: string, result: EdgeZone | Error): void;
}

interface LoadedZone {
  readonly zone: EdgeZone;
  readonly part: ZonePart;
  /** Replaces the account part that the other zones share. */
  readonly own: AccountPart | undefined;
  readonly uses: UsedParts;
  readonly characters: number;
  /** Whether account data or managed rules that the zone uses have changed since it was compiled. */
  isStale: boolean;
}

/** A part of the configuration as text. */
interface DigestedPart {
  readonly digest: string;
  readonly characters: number;
}

interface PutParts extends DigestedPart {
  readonly rules: CompiledZone;
}

export interface ZoneTableOptions extends CompileParts {
  readonly loadedZonesMax?: number;
  /** Compiles what managed rulesets need besides their expressions, in steps. Called for zones that may need it. */
  readonly prepareManaged?: () => Promise<void>;
  /** Called before rules are compiled; the returned value is disposed of afterwards. */
  readonly onCompile?: (() => Disposable) | undefined;
}

export class ZoneTable {
  /** Whether all zones are known. Before that, an unknown name may belong to a zone that follows. */
  isComplete = false;
  /** Without a loader, every zone stays loaded. */
  loader: ZoneLoader | undefined;
  readonly #parts: CompileParts;
  readonly #loadedMax: number;
  readonly #onCompile: (() => Disposable) | undefined;
  readonly #prepareManaged: (() => Promise<void>) | undefined;
  readonly #byId = new Map<string, KnownZone>();
  readonly #byName = new Map<string, KnownZone>();
  /** The least recently used zone comes first. */
  readonly #loaded = new Map<string, LoadedZone>();
  /** The last entry of `#loaded`, unless another zone was loaded since: then it need not be moved to the end. */
  #usedLast: LoadedZone | undefined;
  #loadedCharacters = 0;
  #account = emptyAccountPart;
  /** Counts replacements of the managed rules. */
  #renewals = 0;
  /** Promises for the next configuration of a zone. */
  readonly #awaited = new Map<string, PromiseWithResolvers<void>>();
  /** The last pending change of each zone. */
  readonly #changes = new Map<string, Promise<void>>();

  constructor({
    loadedZonesMax: max = loadedZonesMax,
    onCompile,
    prepareManaged,
    ...parts
  }: ZoneTableOptions) {
    this.#onCompile = onCompile;
    this.#prepareManaged = prepareManaged;
    this.#parts = parts;
    this.#loadedMax = max;
  }

  /** Makes a zone known; it is loaded when a request needs it. */
  announce({ id, name }: KnownZone): void {
    const before = this.#byId.get(id);
    if (before?.name === name) return;
    if (before !== undefined) this.#forgetName(before);
    const known = { id, name };
    this.#byId.set(id, known);
    this.#byName.set(name, known);
  }

  /**
   * Replaces a zone by a whole configuration, which does not depend on the account part that `updateAccount` sets.
   * Compiles it synchronously. Returns the zone, or undefined if nothing changed: versions also grow with changes
   * that do not concern the edge, and compiling takes time.
   */
  update({
    lists,
    customRulesets,
    accountAccessRules,
    workerRoutes = [],
    loadBalancers = [],
    ...part
  }: ZoneConfiguration): EdgeZone | undefined {
    const own: AccountPart = {
      version: 0,
      lists,
      customRulesets,
      entryPoints: [],
      workerRoutes,
      loadBalancers,
      ...(accountAccessRules === undefined ? {} : { accountAccessRules }),
    };
    const text = digestPart(part, own);
    if (this.#isCurrent(part, text)) return undefined;
    const { configuration, uses } = joinParts(part, own);
    using _compiling = this.#onCompile?.();
    const rules = new CompiledZone(configuration, this.#parts);
    return this.#put({ part, own, uses, rules, ...text, isStale: false });
  }

  /**
   * Replaces the zone's own part of its configuration once its rules are compiled. Resolves to the zone, or to
   * undefined if nothing has changed or the zone was removed in the meantime.
   */
  updateZone(part: ZonePart): Promise<EdgeZone | undefined> {
    const { id } = part.zone;
    const wasKnown = this.#byId.has(id);
    return this.#enqueue(id, async () => {
      const text = digestPart(part, undefined);
      return this.#isCurrent(part, text) ? undefined : this.#compile(part, text, wasKnown);
    });
  }

  /** Replaces the part that all zones share. */
  updateAccount(account: AccountPart): void {
    const changed = compareAccountParts(this.#account, account);
    this.#account = account;
    for (const loaded of this.#loaded.values())
      if (loaded.own === undefined && isConcerned(loaded.uses, changed)) loaded.isStale = true;
  }

  /** Must be called when managed rules were replaced: each zone is recompiled for its next request. */
  renew(): void {
    this.#renewals++;
    for (const loaded of this.#loaded.values()) loaded.isStale = true;
  }

  remove(id: string): void {
    this.#unload(id);
    this.#awaited.delete(id);
    const known = this.#byId.get(id);
    if (known === undefined) return;
    this.#byId.delete(id);
    this.#forgetName(known);
  }

  get size(): number {
    return this.#byId.size;
  }

  get loadedSize(): number {
    return this.#loaded.size;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  listIds(): readonly string[] {
    return [...this.#byId.keys()];
  }

  isLoaded(id: string): boolean {
    return this.#loaded.has(id);
  }

  /** `host` is in lower case, without a port. */
  find(host: string): KnownZone | undefined {
    for (let name = host; ;) {
      const zone = this.#byName.get(name);
      if (zone !== undefined) return zone;
      const dot = name.indexOf('.');
      if (dot < 0) return undefined;
      name = name.slice(dot + 1);
    }
  }

  /** The zone for a request; undefined if it must be loaded or recompiled first. */
  use(id: string): EdgeZone | undefined {
    return this.#loaded.get(id)?.isStale === false ? this.#touch(id) : undefined;
  }

  /** Requests the configuration of a zone and waits for it; undefined if it is not available for now. */
  async load(id: string): Promise<EdgeZone | undefined> {
    if (this.#loaded.has(id)) await this.#enqueue(id, () => this.#refresh(id));
    else await this.loader?.load(id);
    return this.#touch(id);
  }

  /** Resolves when the configuration of a zone was replaced. */
  nextChange(id: string): Promise<void> {
    const awaited = this.#awaited.getOrInsertComputed(id, () => Promise.withResolvers<void>());
    return awaited.promise;
  }

  #touch(id: string): EdgeZone | undefined {
    const loaded = this.#loaded.get(id);
    if (loaded === undefined) return undefined;
    if (loaded !== this.#usedLast) {
      this.#usedLast = loaded;
      this.#loaded.delete(id);
      this.#loaded.set(id, loaded);
    }
    return loaded.zone;
  }

  /** Runs the changes of a zone one after another. */
  #enqueue<Result>(id: string, change: () => Promise<Result>): Promise<Result> {
    const done = (this.#changes.get(id) ?? Promise.resolve()).then(change);
    const settled = done.then(
      () => {},
      () => {},
    );
    this.#changes.set(id, settled);
    void settled.then(() => {
      if (this.#changes.get(id) === settled) this.#changes.delete(id);
    });
    return done;
  }

  #isCurrent({ zone: { id } }: ZonePart, { digest }: DigestedPart): boolean {
    const before = this.#loaded.get(id);
    return before?.zone.digest === digest && !before.isStale;
  }

  /** Recompiles a stale zone. If that fails, the zone stays as it was. */
  async #refresh(id: string): Promise<void> {
    const loaded = this.#loaded.get(id);
    if (loaded?.isStale !== true) return;
    loaded.isStale = false;
    const { part, zone, characters } = loaded;
    try {
      const after = await this.#compile(part, { digest: zone.digest, characters }, true);
      if (after !== undefined) this.loader?.onRecompiled(id, after);
    } catch (error) {
      this.loader?.onRecompiled(id, error as Error);
    }
  }

  /** Undefined if the zone was known before and is not any more. */
  async #compile(part: ZonePart, text: DigestedPart, wasKnown: boolean): Promise<EdgeZone | undefined> {
    const [account, renewals] = [this.#account, this.#renewals];
    if (mayScore(part, account)) await this.#prepareManaged?.();
    const { configuration, uses } = joinParts(part, account);
    const pieces = CompiledZone.compileInPieces(configuration, this.#parts);
    const rules = await workTurns.run(pieces, { onTurn: this.#onCompile });
    if (wasKnown && !this.#byId.has(part.zone.id)) return undefined;
    const isStale =
      renewals !== this.#renewals ||
      (account !== this.#account && isConcerned(uses, compareAccountParts(account, this.#account)));
    return this.#put({ part, own: undefined, uses, rules, ...text, isStale });
  }

  #put({ rules, digest, ...loaded }: Omit<LoadedZone, 'zone'> & PutParts): EdgeZone {
    const { id } = loaded.part.zone;
    const zone = createEdgeZone(rules, { digest, before: this.#loaded.get(id)?.zone });
    this.#unload(id);
    this.#loaded.set(id, { ...loaded, zone });
    this.#usedLast = undefined;
    this.#loadedCharacters += loaded.characters;
    this.announce(loaded.part.zone);
    this.#evict();
    this.#awaited.get(id)?.resolve();
    this.#awaited.delete(id);
    return zone;
  }

  #evict(): void {
    if (this.loader === undefined) return;
    for (const id of this.#loaded.keys()) {
      const isFull = this.#loaded.size > this.#loadedMax || this.#loadedCharacters > loadedCharactersMax;
      if (!isFull || this.#loaded.size === 1) return;
      this.#unload(id);
    }
  }

  #unload(id: string): void {
    const loaded = this.#loaded.get(id);
    if (loaded === undefined) return;
    this.#loaded.delete(id);
    this.#loadedCharacters -= loaded.characters;
  }

  /** Another zone may have taken over the name. */
  #forgetName(zone: KnownZone): void {
    if (this.#byName.get(zone.name) === zone) this.#byName.delete(zone.name);
  }
}

function digestPart(part: ZonePart, own: AccountPart | undefined): DigestedPart {
  const text = JSON.stringify([{ ...part, version: 0 }, own]);
  return { digest: hash('sha256', text), characters: text.length };
}

/** Whether a zone may have rules that add to a score: the OWASP ruleset or the legacy WAF. */
function mayScore({ entryPoints, migration, previous }: ZonePart, account: AccountPart): boolean {
  const executes = [...entryPoints, ...account.entryPoints].some(({ rules }) =>
    rules.some(({ action, enabled, action_parameters }) => {
      const { id } = (action_parameters ?? {}) as { readonly id?: string };
      return enabled && action === 'execute' && id === rulesetIds.owasp;
    }),
  );
  const isLegacyOn = previous.waf === 'on' || previous.pageRules.some(({ waf }) => waf === 'on');
  return executes || (migration !== 'complete' && isLegacyOn);
}
