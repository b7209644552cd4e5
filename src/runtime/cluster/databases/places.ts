/** Which database an object, or a log, is in, as far as this host knows, and how the host finds out if it does not. */
import { BackOff, BoundedMap } from '#base';
import type { Fence } from '#objects';
import { DatabaseError } from '../errors.ts';
import type { LeaseClock } from '../lease-clock.ts';
import { placesRememberedMax, retryMsMax, retryMsMin } from '../limits.ts';
import type { ObjectKey } from '../ownership/lease-database.ts';
import type { Shard } from '../shard.ts';
import type { DatabaseList } from './database-list.ts';

type IsIn = (shard: Shard) => Promise<boolean>;

export class Places {
  readonly #list: DatabaseList;
  readonly #shards: ReadonlyMap<string, Shard>;
  readonly #only: Shard | undefined;
  readonly #clock: LeaseClock;
  readonly #waitMs: number;
  /** The databases of objects that could be in more than one. */
  readonly #remembered = new BoundedMap<ObjectKey, Shard>(placesRememberedMax);

  constructor(parts: {
    readonly list: DatabaseList;
    readonly shards: readonly Shard[];
    readonly clock: LeaseClock;
    readonly waitMs: number;
  }) {
    const { list, shards, clock, waitMs } = parts;
    this.#list = list;
    this.#shards = new Map(shards.map((shard) => [shard.name, shard]));
    this.#only = shards.length === 1 ? shards[0] : undefined;
    this.#clock = clock;
    this.#waitMs = waitMs;
  }

  /** The database of an object, if it is known without a query. */
  find(object: ObjectKey): Shard | undefined {
    if (this.#only !== undefined) return this.#only;
    const candidates = this.#list.candidatesOf(object);
    if (candidates.length === 1) return this.#shards.get(candidates[0]!);
    return this.#remembered.get(object) ?? this.findHeld(object);
  }

  /** The database under whose lease this host has an object. */
  findHeld(object: ObjectKey): Shard | undefined {
    if (this.#only !== undefined) return this.#only.claims.has(object) ? this.#only : undefined;
    for (const shard of this.#shards.values()) if (shard.claims.has(object)) return shard;
    return undefined;
  }

  /** The lease that an object is held under. An object whose database is unknown has not produced any output yet. */
  fenceOf(object: ObjectKey): Fence {
    if (this.#only !== undefined) return this.#only.membership;
    const find = (): Fence | undefined => this.find(object)?.membership;
    return {
      get holds() {
        return find()?.holds ?? true;
      },
      regained: () => find()?.regained() ?? Promise.resolve(),
    };
  }

  /** The database of an object, or the one to create it in. `isIn` queries whether a database has it. */
  async locate(object: ObjectKey, isIn: IsIn = ({ store }) => store.hasHead(object)): Promise<Shard> {
    const known = this.find(object);
    if (known !== undefined) return known;
    const shards = this.#list.candidatesOf(object).map((name) => this.#shards.get(name)!);
    const begunAt = this.#clock.now();
    const backOff = new BackOff({ msMin: retryMsMin, msMax: retryMsMax });
    for (;;) {
      const found = await this.#ask(isIn, shards);
      if (!(found instanceof DatabaseError)) {
        this.#remembered.set(object, found);
        return found;
      }
      if (this.#clock.now() - begunAt > this.#waitMs) throw found;
      await new Promise<void>((resolve) => void this.#clock.setTimer(backOff.next(), resolve));
    }
  }

  /** A database that has it decides, whether the others respond or not. If none has it, all must have responded. */
  async #ask(isIn: IsIn, shards: readonly Shard[]): Promise<Shard | DatabaseError> {
    const answers = await Promise.all(
      shards.map(async (shard) => {
        try {
          return await isIn(shard);
        } catch (error) {
          if (error instanceof DatabaseError) return error;
          throw error;
        }
      }),
    );
    const having = answers.indexOf(true);
    if (having >= 0) return shards[having]!;
    return answers.find((answer) => answer instanceof DatabaseError) ?? shards[0]!;
  }
}
