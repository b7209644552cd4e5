/**
 * Zones by the names that they serve: a zone has its own name and all names below it that no other zone has. The
 * names of all zones are here, also of those whose configurations are not: a zone is loaded when a request needs it,
 * and of the loaded ones those used longest ago are dropped when there are too many. So a name never falls to the
 * zone above it because its own zone is not loaded.
 *
 * An update replaces one zone in one assignment; requests in progress keep the zone that they started with. A change
 * of what zones share marks the zones that use it, and each of them is compiled again by its next request.
 */
import { hash } from 'node:crypto';
import {
  type AccountPart,
  compareAccountParts,
  type CompileParts,
  emptyAccountPart,
  isConcerned,
  joinParts,
  prepareRules,
  type UsedParts,
  type ZoneConfiguration,
  type ZonePart,
} from '#firewall';
import { type EdgeZone, createEdgeZone } from './edge-zone.ts';
import { loadedCharactersMax, loadedZonesMax } from './limits.ts';

/** A zone that exists. */
export interface KnownZone {
  readonly id: string;
  readonly name: string;
}

/** Brings the configurations of zones that requests need. */
export interface ZoneLoader {
  /** Resolves when the configuration is in place, or cannot be had for now. */
  load(zoneId: string): Promise<void>;
  /** Called when a change of what zones share has replaced a zone, or could not. */
  onRecompiled(zoneId: string, result: EdgeZone | Error): void;
}

interface LoadedZone {
  readonly zone: EdgeZone;
  readonly part: ZonePart;
  /** Instead of what the other zones share. */
  readonly own: AccountPart | undefined;
  readonly uses: UsedParts;
  readonly characters: number;
  /** Whether something that the zone uses has changed since it was compiled. */
  isStale: boolean;
}

export interface ZoneTableOptions extends CompileParts {
  readonly loadedZonesMax?: number;
  /** Compiles what managed rulesets need beside their expressions, in turns. Called for zones that may need it. */
  readonly prepareManaged?: () => Promise<void>;
  /** Called before rules are compiled; what it returns is disposed of after that. */
  readonly onCompile?: (() => Disposable) | undefined;
}

export class ZoneTable {
  /** Whether all zones are known. Before that, an unknown name may belong to a zone that follows. */
  isComplete = false;
  /** Without one, every zone stays loaded. */
  loader: ZoneLoader | undefined;
  readonly #parts: CompileParts;
  readonly #loadedMax: number;
  readonly #onCompile: (() => Disposable) | undefined;
  readonly #prepareManaged: (() => Promise<void>) | undefined;
  readonly #byId = new Map<string, KnownZone>();
  readonly #byName = new Map<string, KnownZone>();
  /** The zone used longest ago comes first. */
  readonly #loaded = new Map<string, LoadedZone>();
  #loadedCharacters = 0;
  #account = emptyAccountPart;

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

  /** Makes a zone known, to be loaded when a request needs it. */
  announce({ id, name }: KnownZone): void {
    const before = this.#byId.get(id);
    if (before?.name === name) return;
    if (before !== undefined) this.#forgetName(before);
    const known = { id, name };
    this.#byId.set(id, known);
    this.#byName.set(name, known);
  }

  /** Replaces a zone by a whole configuration, which does not depend on the account that `updateAccount` sets. */
  update({ lists, customRulesets, ...part }: ZoneConfiguration): EdgeZone | undefined {
    return this.#update(part, { version: 0, lists, customRulesets, entryPoints: [] });
  }

  /**
   * Replaces the zone's own part of its configuration. Returns the zone, or undefined if nothing has changed: versions also
   * grow with changes that do not concern the edge, and compiling takes time.
   */
  updateZone(part: ZonePart): EdgeZone | undefined {
    return this.#update(part, undefined);
  }

  /** Compiles the patterns that `updateZone` will need, in turns. */
  async prepareZone(part: ZonePart): Promise<void> {
    await prepareRules(part, this.#account);
    if (mayScore(part, this.#account)) await this.#prepareManaged?.();
  }

  /** Replaces what all zones share. */
  updateAccount(account: AccountPart): void {
    const changed = compareAccountParts(this.#account, account);
    this.#account = account;
    for (const loaded of this.#loaded.values())
      if (loaded.own === undefined && isConcerned(loaded.uses, changed)) loaded.isStale = true;
  }

  /** To be called when managed rules were replaced: each zone is compiled again by its next request. */
  renew(): void {
    for (const loaded of this.#loaded.values()) loaded.isStale = true;
  }

  remove(id: string): void {
    this.#unload(id);
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

  /** The zone for a request; undefined if it has to be loaded. */
  use(id: string): EdgeZone | undefined {
    const loaded = this.#loaded.get(id);
    if (loaded === undefined) return undefined;
    this.#loaded.delete(id);
    this.#loaded.set(id, loaded);
    return loaded.isStale ? this.#recompile(id, loaded) : loaded.zone;
  }

  /** The zone after its configuration was asked for; undefined if it cannot be had for now. */
  async load(id: string): Promise<EdgeZone | undefined> {
    await this.loader?.load(id);
    return this.use(id);
  }

  #update(part: ZonePart, own: AccountPart | undefined): EdgeZone | undefined {
    const before = this.#loaded.get(part.zone.id);
    const text = JSON.stringify([{ ...part, version: 0 }, own]);
    const digest = hash('sha256', text);
    if (before?.zone.digest === digest && !before.isStale) return undefined;
    const { zone } = this.#put(part, own, { digest, characters: text.length });
    this.announce(part.zone);
    this.#evict();
    return zone;
  }

  #put(
    part: ZonePart,
    own: AccountPart | undefined,
    { digest, characters }: { readonly digest: string; readonly characters: number },
  ): LoadedZone {
    const { id } = part.zone;
    const before = this.#loaded.get(id)?.zone;
    const { configuration, uses } = joinParts(part, own ?? this.#account);
    using _compiling = this.#onCompile?.();
    const zone = createEdgeZone(configuration, { digest, parts: this.#parts, before });
    this.#unload(id);
    const loaded: LoadedZone = { zone, part, own, uses, characters, isStale: false };
    this.#loaded.set(id, loaded);
    this.#loadedCharacters += characters;
    return loaded;
  }

  /** If that fails, the zone stays as it was. */
  #recompile(id: string, loaded: LoadedZone): EdgeZone {
    loaded.isStale = false;
    const { part, own, zone, characters } = loaded;
    try {
      const after = this.#put(part, own, { digest: zone.digest, characters });
      this.loader?.onRecompiled(id, after.zone);
      return after.zone;
    } catch (error) {
      this.loader?.onRecompiled(id, error as Error);
      return zone;
    }
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

  /** Another zone may have taken the name over. */
  #forgetName(zone: KnownZone): void {
    if (this.#byName.get(zone.name) === zone) this.#byName.delete(zone.name);
  }
}

/** Whether a zone may have rules that add to a score: those of the OWASP ruleset, or of the legacy WAF. */
function mayScore({ entryPoints, migration, previous }: ZonePart, account: AccountPart): boolean {
  const executes = [...entryPoints, ...account.entryPoints].some(({ rules }) =>
    rules.some(({ action, enabled, action_parameters }) => {
      const { id } = (action_parameters ?? {}) as { readonly id?: string };
      return enabled && action === 'execute' && id === scoringRulesetId;
    }),
  );
  const isLegacyOn = previous.waf === 'on' || previous.pageRules.some(({ waf }) => waf === 'on');
  return executes || (migration !== 'complete' && isLegacyOn);
}

const scoringRulesetId = '4814384a9e5d4991b9815dcfc25d2f1f';
