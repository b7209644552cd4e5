/**
 * What every request needs to know of the account, held in memory: who may do what, which zones and lists there are.
 * The account object owns it; each of its writes makes a directory of a higher revision, and the API answers such a write only
 * when the directory that follows from it is in place. Directories are never changed, only replaced.
 */
import type { Plan } from '#rules';

export interface ZoneFacts {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly accountId: string;
  readonly isPaused: boolean;
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
  readonly kind: 'ip' | 'hostname' | 'asn' | 'redirect';
}

/** As the account object says it. */
export interface DirectoryData {
  readonly revision: number;
  readonly account: { readonly id: string; readonly name: string; readonly createdAtMs: number } | undefined;
  readonly zones: readonly ZoneFacts[];
  readonly users: readonly UserFacts[];
  readonly lists: readonly ListFacts[];
}

export class Directory {
  readonly data: DirectoryData;
  readonly zones: ReadonlyMap<string, ZoneFacts>;
  readonly usersByEmail: ReadonlyMap<string, UserFacts>;
  /** By name: that is how expressions use them. */
  readonly lists: ReadonlyMap<string, ListFacts>;

  constructor(data: DirectoryData) {
    this.data = data;
    this.zones = new Map(data.zones.map((zone) => [zone.id, zone]));
    this.usersByEmail = new Map(data.users.map((user) => [user.email.toLowerCase(), user]));
    this.lists = new Map(data.lists.map((list) => [list.name, list]));
  }

  get revision(): number {
    return this.data.revision;
  }
}

export const emptyDirectory = new Directory({
  revision: 0,
  account: undefined,
  zones: [],
  users: [],
  lists: [],
});

/** What objects of this room get as `env`: always the newest directory. */
export interface ControlEnvironment {
  directory: Directory;
}
