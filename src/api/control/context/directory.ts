/**
 * The facts about the account that every request needs, held in memory: permissions, and the existing zones and lists.
 * The account object owns them. Each write to the account has a higher revision, and the API answers that write only
 * after its changes are in the directory: once the caller gets the answer, a revoked token is revoked.
 *
 * There is one directory in a process; those of object hosts follow that of the program (`directory-copies.ts`). It is
 * updated in place, only where it changed, so the cost of a write does not depend on the number of zones. The directory
 * may have changed whenever a caller has awaited something.
 */
import { type ListKind, type RulesetSummary, type Plan, plans } from '#rulesets';
import type { ZoneType } from '#contract';
import { Token, type TokenFacts } from './token.ts';

export interface ZoneFacts {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly accountId: string;
  readonly isPaused: boolean;
  readonly type: ZoneType;
  readonly vanityNameServers: readonly string[];
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

export interface UserFacts {
  readonly id: string;
  readonly email: string;
  /** SHA-256 of the user's key, in hexadecimal. */
  readonly keyHash: string;
}

export interface ListFacts {
  readonly id: string;
  readonly name: string;
  readonly kind: ListKind;
}

export interface AccountFacts {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
}

/** The position of a directory. Work that depends on a change can wait until a copy has it. */
export interface DirectoryPoint {
  readonly revision: number;
  /** How often a list was hidden or shown. */
  readonly hidings: number;
}

/** A change of a directory, for its copies. */
export type DirectoryMessage =
  | { readonly kind: 'changes'; readonly changes: DirectoryChanges }
  | { readonly kind: 'hide' | 'show'; readonly list: string };

/** A whole directory, as plain data. */
export interface DirectorySnapshot {
  readonly changes: DirectoryChanges;
  readonly hiddenLists: readonly string[];
  readonly hidings: number;
}

/** The current state of something with an id; undefined if it no longer exists. */
export interface Changed<T> {
  readonly id: string;
  readonly facts: T | undefined;
}

/**
 * The changes that the account object sends to the directory. Large collections are sent item by item, the rest as a
 * whole if any of it changed.
 */
export interface DirectoryChanges {
  readonly revision: number;
  readonly account: AccountFacts | undefined;
  readonly zones: readonly Changed<ZoneFacts>[];
  readonly tokens: readonly Changed<TokenFacts>[];
  /** Ids of deleted zones whose objects have not been erased yet. */
  readonly zonesToErase: readonly string[];
  readonly users?: readonly UserFacts[] | undefined;
  readonly lists?: readonly ListFacts[] | undefined;
  /** The custom rulesets of the account, which zones list as well. */
  readonly customRulesets?: readonly RulesetSummary[] | undefined;
  /** Some changes are no longer kept: the whole directory must be read. */
  readonly isIncomplete?: boolean;
}

export class Directory {
  readonly #zones = new Map<string, ZoneFacts>();
  readonly #zonesByPlan = new Map<Plan, number>();
  readonly #tokens = new Map<string, Token>();
  readonly #tokensByHash = new Map<string, Token>();
  #newest: Omit<DirectoryChanges, 'zones' | 'tokens'> = { revision: 0, account: undefined, zonesToErase: [] };
  #usersByEmail: ReadonlyMap<string, UserFacts> = new Map();
  /** Including hidden ones. */
  #allLists: readonly ListFacts[] = [];
  #lists: ReadonlyMap<string, ListFacts> = new Map();
  #listKinds: ReadonlyMap<string, ListKind> = new Map();
  readonly #hiddenLists = new Set<string>();
  #hidings = 0;
  /** Waiters for a later revision of the directory. */
  readonly #waiting: (() => void)[] = [];
  readonly #onChange: ((message: DirectoryMessage) => void) | undefined;
  readonly #onBehind: (() => void) | undefined;

  /**
   * `onChange` is called with each change, after it. `onBehind`, for a directory of a host among several that all ask
   * the account, is called if a call requires a newer directory; hidden lists do not count then, because each host is
   * notified of them before anything depends on it.
   */
  constructor(onChange?: (message: DirectoryMessage) => void, onBehind?: () => void) {
    this.#onChange = onChange;
    this.#onBehind = onBehind;
  }

  /** Applies a change of the directory that this one is a copy of. */
  follow(message: DirectoryMessage): void {
    if (message.kind === 'changes') this.apply(message.changes);
    else if (message.kind === 'hide') this.hideList(message.list);
    else this.showList(message.list);
  }

  /** Changes older than the directory are ignored, because it already contains them. */
  apply(changes: DirectoryChanges): void {
    if (changes.revision < this.revision) return;
    const {
      zones,
      tokens,
      users = this.users,
      lists,
      customRulesets = this.customRulesets,
      ...rest
    } = changes;
    this.#newest = { ...rest, users, customRulesets };
    for (const zone of zones) this.#setZone(zone);
    for (const token of tokens) this.#setToken(token);
    this.#usersByEmail = new Map(users.map((user) => [user.email.toLowerCase(), user]));
    if (lists !== undefined) {
      this.#allLists = lists;
      this.#showLists();
    }
    this.#tell({ kind: 'changes', changes });
  }

  /** Everything that a copy of this directory needs. */
  takeSnapshot(): DirectorySnapshot {
    const { revision, account, zonesToErase, users, customRulesets } = this.#newest;
    const zones = Array.from(this.#zones.values(), (facts) => ({ id: facts.id, facts }));
    const tokens = Array.from(this.#tokens.values(), ({ facts }) => ({ id: facts.id, facts }));
    const lists = this.#allLists;
    return {
      changes: { revision, account, zonesToErase, users, customRulesets, zones, tokens, lists },
      hiddenLists: [...this.#hiddenLists],
      hidings: this.#hidings,
    };
  }

  /** Becomes a copy of the directory that the snapshot was taken of. */
  applySnapshot({ changes, hiddenLists, hidings }: DirectorySnapshot): void {
    for (const name of hiddenLists) this.#hiddenLists.add(name);
    this.#hidings = hidings;
    this.apply(changes);
  }

  get point(): DirectoryPoint {
    return { revision: this.revision, hidings: this.#onBehind === undefined ? this.#hidings : 0 };
  }

  /** Undefined if the directory is recent enough; otherwise resolves when it is. */
  reach(point: DirectoryPoint): Promise<void> | undefined {
    return this.#hasReached(point) ? undefined : this.#awaitPoint(point);
  }

  #hasReached({ revision, hidings }: DirectoryPoint): boolean {
    return this.revision >= revision && this.#hidings >= hidings;
  }

  async #awaitPoint(point: DirectoryPoint): Promise<void> {
    this.#onBehind?.();
    while (!this.#hasReached(point)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      await promise;
    }
  }

  #tell(message: DirectoryMessage): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
    this.#onChange?.(message);
  }

  /**
   * Hides a list that is about to be deleted, until `showList`: expressions written from now on cannot name it. Returns
   * false if it is hidden already.
   */
  hideList(name: string): boolean {
    if (this.#hiddenLists.has(name)) return false;
    this.#hiddenLists.add(name);
    this.#hidings++;
    this.#showLists();
    this.#tell({ kind: 'hide', list: name });
    return true;
  }

  showList(name: string): void {
    this.#hiddenLists.delete(name);
    this.#hidings++;
    this.#showLists();
    this.#tell({ kind: 'show', list: name });
  }

  #showLists(): void {
    const shown = this.#allLists.filter(({ name }) => !this.#hiddenLists.has(name));
    this.#lists = new Map(shown.map((list) => [list.name, list]));
    this.#listKinds = new Map(shown.map(({ name, kind }) => [name, kind]));
  }

  /** Changes whenever the content of the directory changes. */
  get version(): string {
    return `${this.revision}.${this.#hidings}`;
  }

  get revision(): number {
    return this.#newest.revision;
  }

  get account(): AccountFacts | undefined {
    return this.#newest.account;
  }

  /** The id of the account; there is exactly one. */
  get accountId(): string {
    return this.account?.id ?? '';
  }

  /** In order of creation. */
  get zones(): ReadonlyMap<string, ZoneFacts> {
    return this.#zones;
  }

  get zonesToErase(): readonly string[] {
    return this.#newest.zonesToErase;
  }

  /** The plans of the existing zones. */
  get plansInUse(): ReadonlySet<Plan> {
    return new Set(this.#zonesByPlan.keys());
  }

  /** An account has no plan of its own: it may use what the largest plan among its zones includes. */
  get largestPlan(): Plan {
    return plans.findLast((plan) => this.#zonesByPlan.has(plan)) ?? plans[0];
  }

  get users(): readonly UserFacts[] {
    return this.#newest.users ?? [];
  }

  get usersByEmail(): ReadonlyMap<string, UserFacts> {
    return this.#usersByEmail;
  }

  get tokens(): ReadonlyMap<string, Token> {
    return this.#tokens;
  }

  /** The tokens by the hash of their value. */
  get tokensByHash(): ReadonlyMap<string, Token> {
    return this.#tokensByHash;
  }

  /** The lists by name, because expressions refer to them by name. */
  get lists(): ReadonlyMap<string, ListFacts> {
    return this.#lists;
  }

  /** What checks of expressions need to know about lists. */
  get listKinds(): ReadonlyMap<string, ListKind> {
    return this.#listKinds;
  }

  get customRulesets(): readonly RulesetSummary[] {
    return this.#newest.customRulesets ?? [];
  }

  #setZone({ id, facts }: Changed<ZoneFacts>): void {
    const before = this.#zones.get(id);
    if (before !== undefined) this.#countPlan(before.plan, -1);
    if (facts === undefined) return void this.#zones.delete(id);
    this.#countPlan(facts.plan, 1);
    this.#zones.set(id, facts);
  }

  #countPlan(plan: Plan, difference: 1 | -1): void {
    const count = (this.#zonesByPlan.get(plan) ?? 0) + difference;
    if (count > 0) this.#zonesByPlan.set(plan, count);
    else this.#zonesByPlan.delete(plan);
  }

  /** The hash of a rolled token is no longer that of any token. */
  #setToken({ id, facts }: Changed<TokenFacts>): void {
    const before = this.#tokens.get(id);
    if (before !== undefined) this.#tokensByHash.delete(before.facts.hash);
    if (facts === undefined) return void this.#tokens.delete(id);
    const token = new Token(facts, this.accountId);
    this.#tokens.set(id, token);
    this.#tokensByHash.set(facts.hash, token);
  }
}
