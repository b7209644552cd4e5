/** The runtime in a host, for the main process: one part of a `RuntimeGroup`. */
import type { ClockFollower, DueTimer, TimerKind } from '#base';
import {
  type DurableObjectId,
  type HeldDirectory,
  type OnProgress,
  type OperatorAction,
  type OperatorResult,
  type RepairRequest,
  type RuntimeStats,
  runtimeNames,
} from '#objects';
import { itemsPerAnswer } from '../limits.ts';
import { type RemoteCursor, readCursor } from './cursor.ts';
import { fromHostReply } from './host-reply.ts';
import { type AnswerTo, type HostAsker, type Port, toRemote } from './port.ts';
import type { Lists, PlainObjectId, Questions } from './questions.ts';
import { RemoteHistory } from './remote-history.ts';
import type { RuntimePart } from './runtime-group.ts';

type ItemOf<T> = T extends AsyncIterable<infer U> ? U : never;

export interface RemoteRuntimeParts {
  /** The port of the current process. */
  readonly port: () => Port;
  readonly place: (id: DurableObjectId) => PlainObjectId;
  readonly findId: (place: PlainObjectId) => DurableObjectId;
  readonly storageOf: (className: string) => 'kv' | 'sql';
  /** A path for a file of this size, readable by all hosts. */
  readonly scratchPath: (name: string, bytes: number) => string;
  readonly stats: () => RuntimeStats;
}

export class RemoteRuntime implements RuntimePart, HostAsker {
  readonly #parts: RemoteRuntimeParts;

  constructor(parts: RemoteRuntimeParts) {
    this.#parts = parts;
  }

  async ask<K extends keyof Questions>(name: K, ...args: Parameters<Questions[K]>): Promise<AnswerTo<K>> {
    return fromHostReply(await this.#parts.port().ask(name, args)) as AnswerTo<K>;
  }

  async *list<K extends keyof Lists>(
    name: K,
    ...args: Parameters<Lists[K]>
  ): AsyncGenerator<ItemOf<ReturnType<Lists[K]>>> {
    const cursor = await this.#parts.port().list(name, args);
    yield* readCursor(cursor as RemoteCursor<ItemOf<ReturnType<Lists[K]>>>, itemsPerAnswer);
  }

  history(target: DurableObjectId | { readonly id: DurableObjectId }): RemoteHistory {
    const place = this.#parts.place('id' in target ? target.id : target);
    const { className } = place;
    if (this.#parts.storageOf(className) !== 'sql') {
      throw new TypeError(
        `history() reaches objects with SQL storage: ${className} has key-value storage, which keeps no history`,
      );
    }
    return new RemoteHistory({
      host: this,
      port: this.#parts.port,
      place,
      scratchPath: this.#parts.scratchPath,
    });
  }

  async *objects(className: string): AsyncGenerator<{ id: DurableObjectId; name: string | undefined }> {
    for await (const [id, name] of this.list('objects', className))
      yield { id: this.#parts.findId({ className, id, name }), name };
  }

  nameOf(id: DurableObjectId): Promise<string | undefined> {
    return this.ask('nameOf', this.#parts.place(id));
  }

  storedValues(id: DurableObjectId): AsyncGenerator<[key: string, value: Uint8Array]> {
    return this.list('storedValues', this.#parts.place(id));
  }

  operate(id: DurableObjectId, action: OperatorAction): Promise<OperatorResult> {
    return this.ask('operate', this.#parts.place(id), action);
  }

  alarmTime(id: DurableObjectId): Promise<number | undefined> {
    return this.ask('alarmTime', this.#parts.place(id));
  }

  async *alarms(): AsyncGenerator<{ className: string; id: DurableObjectId; time: number }> {
    for await (const { className, id, time } of this.list('alarms'))
      yield { className, id: this.#parts.findId({ className, id, name: undefined }), time };
  }

  runAlarm(id: DurableObjectId): ReturnType<RuntimePart['runAlarm']> {
    return this.ask('runAlarm', this.#parts.place(id));
  }

  stats(): RuntimeStats {
    return this.#parts.stats();
  }

  async *sizes(): ReturnType<RuntimePart['sizes']> {
    for await (const { className, id, name, ...size } of this.list('sizes'))
      yield { className, id: this.#parts.findId({ className, id, name }), name, ...size };
  }

  checkWritable(): Promise<void> {
    return this.ask('checkWritable');
  }

  giveBackHistory(options: { readonly retentionMs?: number } = {}): Promise<number> {
    return this.ask('giveBackHistory', options);
  }

  scrub(options: { readonly onProgress?: OnProgress } = {}): ReturnType<RuntimePart['scrub']> {
    return this.list('scrub', toRemote(options));
  }

  repair(request: RepairRequest = {}): ReturnType<RuntimePart['repair']> {
    return this.list('repair', toRemote(request));
  }

  async holdForBackup(): Promise<HeldDirectory> {
    const outcome = await this.#parts.port().holdForBackup();
    const { bytes, held } = fromHostReply(outcome);
    return {
      names: runtimeNames,
      bytes,
      list: async (time) => {
        const { position, files } = fromHostReply(await held.list(time));
        return { position, files: readCursor(files, itemsPerAnswer) };
      },
      [Symbol.dispose]: () => outcome[Symbol.dispose](),
    };
  }

  /** The virtual clock of the host. */
  get clock(): ClockFollower {
    return {
      untilIdle: () => this.ask('untilIdle'),
      next: (limit: number, kind?: TimerKind) => this.ask('nextTimer', limit, kind),
      moveTo: async (time: number) => await this.ask('moveClock', time),
      fire: async (timer: DueTimer) => await this.ask('fireTimer', timer),
    };
  }
}
