/**
 * What every request needs to know about the account, held in memory: who may do what, and which zones and lists exist.
 * The account object owns it. Each write to the account creates a directory with a higher revision, and the API answers
 * that write only after the new directory is in place. A directory is never changed, only replaced.
 */
import type { ListKind, RulesetSummary } from '#firewall';
import { type Plan, plans } from '#expressions';
import type { ZoneType } from '#api';
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

/** The directory as the account object returns it. */
export interface DirectoryData {
  readonly revision: number;
  readonly account: AccountFacts | undefined;
  readonly zones: readonly ZoneFacts[];
  /** Ids of deleted zones whose objects have not been erased yet. */
  readonly zonesToErase: readonly string[];
  readonly users: readonly UserFacts[];
  readonly tokens: readonly TokenFacts[];
  readonly lists: readonly ListFacts[];
  /** The custom rulesets of the account, which zones list as well. */
  readonly customRulesets: readonly RulesetSummary[];
}

export class Directory {
  readonly data: DirectoryData;
  readonly zones: ReadonlyMap<string, ZoneFacts>;
  readonly usersByEmail: ReadonlyMap<string, UserFacts>;
  readonly tokens: ReadonlyMap<string, Token>;
  /** The tokens by the hash of their value. */
  readonly tokensByHash: ReadonlyMap<string, Token>;
  /** The lists by name, because expressions refer to them by name. */
  readonly lists: ReadonlyMap<string, ListFacts>;
  /** What checks of expressions need to know about lists. */
  readonly listKinds: ReadonlyMap<string, ListKind>;

  constructor(data: DirectoryData) {
    this.data = data;
    this.zones = new Map(data.zones.map((zone) => [zone.id, zone]));
    this.usersByEmail = new Map(data.users.map((user) => [user.email.toLowerCase(), user]));
    const tokens = data.tokens.map((facts) => new Token(facts, this.accountId));
    this.tokens = new Map(tokens.map((token) => [token.facts.id, token]));
    this.tokensByHash = new Map(tokens.map((token) => [token.facts.hash, token]));
    this.lists = new Map(data.lists.map((list) => [list.name, list]));
    this.listKinds = new Map(data.lists.map(({ name, kind }) => [name, kind]));
  }

  get revision(): number {
    return this.data.revision;
  }

  /** An account has no plan of its own: it may use what the largest plan among its zones includes. */
  get largestPlan(): Plan {
    const ranks = this.data.zones.map(({ plan }) => plans.indexOf(plan));
    return plans[Math.max(0, ...ranks)]!;
  }

  /** The id of the account; there is exactly one. */
  get accountId(): string {
    return this.data.account?.id ?? '';
  }
}

export const emptyDirectory = new Directory({
  revision: 0,
  account: undefined,
  zones: [],
  zonesToErase: [],
  users: [],
  tokens: [],
  lists: [],
  customRulesets: [],
});

/** The `env` of the objects of this room; it always has the newest directory. */
export interface ControlEnvironment {
  directory: Directory;
  /** Resolves when the first directory is in place. Until then, objects start no work of their own. */
  readonly ready: Promise<void>;
  /** Receives errors of background work that nobody awaits. The work is retried. */
  readonly onError: (error: unknown) => void;
  /**
   * Called with the name of each object that was written to, before the write is on disk. What the object answers to
   * readers waits for the disk.
   */
  onChange: (objectName: string) => void;
}
