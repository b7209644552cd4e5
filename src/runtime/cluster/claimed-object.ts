/** An object that this host has claimed, in the form a runtime uses. */
import type { Position } from '#journal';
import type { Checkpoint, ClusterRecord, ImagePlace, NewRecord, ObjectClaim } from '#objects';
import { ClaimLostError } from './errors.ts';
import type { Claimed, Claims } from './ownership/claims.ts';
import type { Claim } from './ownership/claim.ts';
import type { Committer } from './ownership/committer.ts';
import type { Holder, ObjectStore } from './postgres/object-store.ts';

interface ClaimedObjectParts {
  readonly host: string;
  readonly claims: Claims;
  readonly committer: Committer;
  readonly store: ObjectStore;
}

export class ClaimedObject implements ObjectClaim {
  readonly position: Position;
  readonly checkpoint: Checkpoint | undefined;
  readonly #claim: Claim;
  readonly #parts: ClaimedObjectParts;

  constructor({ claim, answer }: Claimed, parts: ClaimedObjectParts) {
    this.#claim = claim;
    this.#parts = parts;
    this.position = answer.sequence as Position;
    const { checkpoint } = answer;
    if (checkpoint === undefined) return;
    const { sequence, floor, time, entry } = checkpoint;
    this.checkpoint = { position: sequence as Position, floor: floor as Position, time, entry };
  }

  get isLost(): boolean {
    return this.#claim.isLost;
  }

  append({ position, time, payload, name, alarm }: NewRecord): Promise<void> {
    const bytes = payload.length === 1 ? payload[0]! : Buffer.concat(payload);
    return this.#parts.committer.append(this.#claim, {
      sequence: position,
      time,
      payload: bytes,
      name,
      alarm,
    });
  }

  read(from: Position, to: Position): AsyncGenerator<ClusterRecord> {
    const isBehind = this.checkpoint !== undefined && from > this.checkpoint.position;
    return this.#parts.store.readRecords(this.#claim.object, {
      from,
      to,
      since: isBehind ? this.checkpoint.time : 0,
    });
  }

  listImages(): Promise<ImagePlace[]> {
    return this.#parts.store.listImages(this.#claim.object);
  }

  readImage(place: ImagePlace): AsyncGenerator<Uint8Array> {
    return this.#parts.store.readImage(this.#claim.object, place);
  }

  writeImage(place: ImagePlace, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    return this.#parts.store.writeImage(this.#holder, place, pieces);
  }

  removeImage(place: ImagePlace): Promise<void> {
    return this.#parts.store.removeImage(this.#holder, place);
  }

  async release(): Promise<void> {
    const holder = this.#holder();
    this.#parts.claims.release(this.#claim, new ClaimLostError());
    await this.#parts.store.release(holder);
  }

  writeCheckpoint(checkpoint: Checkpoint): Promise<void> {
    return this.#parts.store.writeCheckpoint(this.#holder, checkpoint);
  }

  readonly #holder = (): Holder => {
    if (this.#claim.lost !== undefined) throw this.#claim.lost;
    return { object: this.#claim.object, host: this.#parts.host, epoch: this.#claim.epoch };
  };
}
