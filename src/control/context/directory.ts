/**
 * What every request needs to know of the account, held in memory: who may do what, which zones and lists there are.
 * The account object owns it; each of its writes makes a directory of a higher revision, and the API answers such a write only
 * when the directory that follows from it is in place. Directories are never changed, only replaced.
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

/** As the account object says it. */
export interface DirectoryData {
  readonly revision: number;
  readonly account: AccountFacts | undefined;
  readonly zones: readonly ZoneFacts[];
  /** Ids of those that were deleted and whose objects are not empty yet. */
  readonly zonesToErase: readonly string[];
  readonly users: readonly UserFacts[];
  readonly tokens: readonly TokenFacts[];
  readonly lists: readonly ListFacts[];
  /** Those of the account, which zones show, too. */
  readonly customRulesets: readonly RulesetSummary[];
}

export class Directory {
  readonly data: DirectoryData;
  readonly zones: ReadonlyMap<string, ZoneFacts>;
  readonly usersByEmail: ReadonlyMap<string, UserFacts>;
  readonly tokens: ReadonlyMap<string, Token>;
  /** By the hash of their value. */
  readonly tokensByHash: ReadonlyMap<string, Token>;
  /** By name: that is how expressions use them. */
  readonly lists: ReadonlyMap<string, ListFacts>;
  /** What checks of expressions ask. */
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

  /** An account has no plan of its own: what the largest of its zones' includes, it may do for that zone. */
  get largestPlan(): Plan {
    const ranks = this.data.zones.map(({ plan }) => plans.indexOf(plan));
    return plans[Math.max(0, ...ranks)]!;
  }

  /** Of the one account there is. */
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

/** What objects of this room get as `env`: always the newest directory. */
export interface ControlEnvironment {
  directory: Directory;
  /** Resolves when the first directory is in place. Before that, objects do nothing of their own accord. */
  readonly ready: Promise<void>;
  /** Takes what went wrong while an object did something that nobody waits for. It is tried again. */
  readonly onError: (error: unknown) => void;
  /** Told the name of each object that was written to, before the write is on disk: what it says to readers is. */
  onChange: (objectName: string) => void;
}
