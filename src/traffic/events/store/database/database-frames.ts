import type { Clock } from '#base';
import { noPosition, type Appended, type Position } from '#journal';
import type { FrameLog } from '../home.ts';
import type { DatabaseAccess, DatabaseFrame } from './database-log.ts';

/** The frames of a log in a database: one row each, written one after the other. */
export class DatabaseFrames implements FrameLog {
  readonly #home: Pick<DatabaseAccess, 'write'>;
  readonly #clock: Clock;
  readonly #found: readonly DatabaseFrame[];
  #start: Position;
  #end: Position;
  #durableEnd: Position;
  #writing: Promise<void> = Promise.resolve();

  /** `found` are the existing frames. */
  constructor(home: Pick<DatabaseAccess, 'write'>, found: readonly DatabaseFrame[], clock: Clock) {
    this.#home = home;
    this.#found = found;
    this.#clock = clock;
    const last = found.at(-1);
    this.#start = found[0]?.position ?? noPosition;
    this.#end = last === undefined ? noPosition : advance(last.position, last.payload.length);
    this.#durableEnd = this.#end;
  }

  get start(): Position {
    return this.#start;
  }

  get end(): Position {
    return this.#end;
  }

  get durableEnd(): Position {
    return this.#durableEnd;
  }

  append(parts: readonly Uint8Array[], settle: () => void): Pick<Appended, 'durable'> {
    const payload = Buffer.concat(parts);
    const frame = { position: this.#end, time: this.#clock.now(), payload };
    const end = advance(this.#end, payload.length);
    this.#end = end;
    const durable = this.#writing.then(async () => {
      await this.#home.write((log) => log.addFrame(frame));
      this.#durableEnd = end;
      settle();
    });
    this.#writing = durable;
    durable.catch(() => {});
    return { durable };
  }

  *scan(from: Position): Generator<DatabaseFrame> {
    for (const frame of this.#found) if (frame.position >= from) yield frame;
  }

  flush(): Promise<void> {
    return this.#writing;
  }

  probe(): Promise<void> {
    return this.#writing;
  }

  segmentsBefore(position: Position): readonly unknown[] {
    return position > this.#start ? [this.#start] : [];
  }

  async dropBefore(position: Position): Promise<void> {
    await this.#home.write((log) => log.dropFramesBefore(position));
    this.#start = position;
  }

  /** Frames are removed one by one. */
  async roll(): Promise<void> {}

  async close(): Promise<void> {
    await this.#writing.catch(() => {});
  }
}

function advance(position: Position, bytes: number): Position {
  return (position + bytes) as Position;
}
