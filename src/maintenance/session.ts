/** One request, answered from an open runtime: the far end of a channel. */
import { AssertionError } from 'node:assert';
import { statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { realClock } from '#base';
import {
  type DurableObjectId,
  type HistoryAccess,
  type OnProgress,
  type OperatorAction,
  type Progress,
  type ObjectRuntime,
  NotADatabaseError,
} from '#objects';
import { removeDatabase } from '#sqlite';
import type { Channel } from './channel.ts';
import { MaintenanceError } from './error.ts';
import { pointsPerTurn, progressMs, protocolVersion } from './limits.ts';
import type { Moment } from './moment.ts';
import { type MaintenanceRequest, type ObjectPlace, readRequest, type Row } from './request.ts';
import { sendBackup } from './send-backup.ts';
import { holderOf, type SessionParts } from './session-parts.ts';

type Of<Name extends MaintenanceRequest['do']> = MaintenanceRequest & { readonly do: Name };

/** Reads one request and answers it. What fails is told to the client; a bug of ours is thrown as well. */
export async function serveSession(channel: Channel, parts: SessionParts): Promise<void> {
  await channel.send({ gatehouse: protocolVersion, holder: holderOf(parts.directory) });
  const frame = await channel.receive();
  if (frame === undefined) return;
  try {
    await new Session(channel, parts).answer(readRequest('message' in frame ? frame.message : undefined));
    await channel.send({ done: true });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { message, code = 'FAILED' } = error as NodeJS.ErrnoException;
    await channel.send({ error: { message, code: String(code) } });
    if (error instanceof AssertionError) throw error;
  }
  channel.end();
}

class Session {
  readonly #channel: Channel;
  readonly #parts: SessionParts;
  #toldAt = 0;

  constructor(channel: Channel, parts: SessionParts) {
    this.#channel = channel;
    this.#parts = parts;
  }

  async answer(request: MaintenanceRequest): Promise<void> {
    switch (request.do) {
      case 'list':
        return await this.#list(request);
      case 'history':
        return await this.#history(request);
      case 'restore':
        return await this.#restore(request);
      case 'export':
        return await this.#export(request);
      case 'import':
        return await this.#import(request);
      case 'storage':
        return await this.#send({ storage: this.#runtime.storageOf(request.className) });
      case 'values':
        return await this.#values(request);
      case 'alarms':
        return await this.#alarms(request);
      case 'run-alarm':
        return await this.#runAlarm(request);
      case 'cancel-alarm':
      case 'put':
      case 'delete':
        return await this.#operate(request);
      case 'scrub':
        return await this.#scrub();
      case 'repair':
        return await this.#repair(request);
      case 'backup':
        return await sendBackup(this.#channel, this.#parts);
    }
  }

  get #runtime(): ObjectRuntime {
    return this.#parts.runtime;
  }

  async #send(row: Row): Promise<void> {
    await this.#channel.send({ row });
  }

  /** Progress is worth a message now and then, and not worth waiting for. */
  readonly #onProgress: OnProgress = (progress: Progress) => {
    const now = realClock.now();
    if (now - this.#toldAt < progressMs) return;
    this.#toldAt = now;
    this.#channel.send({ progress }).catch(() => {});
  };

  /** The same for work that can stop anywhere: it does when nobody waits for it any more. */
  readonly #onProgressOrStop: OnProgress = (progress: Progress) => {
    this.#channel.closed.throwIfAborted();
    this.#onProgress(progress);
  };

  async #alarms({ className: only }: Of<'alarms'>): Promise<void> {
    for await (const { className, id, time } of this.#runtime.alarms()) {
      if (only !== undefined && only !== className) continue;
      const name = await this.#runtime.nameOf(id);
      await this.#send({ class: className, id: id.toString(), name, time: new Date(time).toISOString() });
    }
  }

  async #runAlarm(place: Of<'run-alarm'>): Promise<void> {
    const outcome = await this.#runtime.runAlarm(this.#findId(place));
    if (outcome === 'none' || outcome === 'running') throw createAlarmRefusal(place, outcome);
    if (outcome.error !== undefined) {
      throw new MaintenanceError(
        `the alarm of ${place.className} ${place.object} ran and failed: ${outcome.error}`,
        { code: 'ALARM_FAILED' },
      );
    }
    const isSkipped = outcome.result === 'settled' && outcome.skipped === true;
    await this.#send({ outcome: isSkipped ? 'skipped' : 'completed' });
  }

  /** An object that has stored nothing is not made by a mistyped name. */
  async #operate(request: Of<'cancel-alarm'> | Of<'put'> | Of<'delete'>): Promise<void> {
    const id = this.#findId(request);
    if (!(await this.#isThere(request, id))) throw createAbsent(request);
    const { undo, existed } = await this.#change(request, () => this.#runtime.operate(id, toAction(request)));
    if (existed === false) {
      const what = request.do === 'delete' ? `value ${request.key}` : 'alarm';
      throw new MaintenanceError(`${request.className} ${request.object} has no ${what}`, {
        code: 'NOTHING_THERE',
      });
    }
    await this.#send({ done: request.do, undo });
  }

  async #isThere({ className }: ObjectPlace, id: DurableObjectId): Promise<boolean> {
    if ((await this.#runtime.alarmTime(id)) !== undefined) return true;
    if (this.#runtime.storageOf(className) === 'sql')
      return (await this.#runtime.history(id).points({ limit: 1 })).length > 0;
    for await (const _ of this.#runtime.storedValues(id)) return true;
    return false;
  }

  async #scrub(): Promise<void> {
    const onProgress = this.#onProgressOrStop;
    const parts = this.#parts.parts.map((part) => part.scrub?.() ?? []);
    for (const damages of [this.#runtime.scrub({ onProgress }), ...parts])
      for await (const { file, offset, problem } of damages) await this.#send({ file, offset, problem });
  }

  async #list({ className: only }: Of<'list'>): Promise<void> {
    for (const className of only === undefined ? this.#runtime.classNames : [only]) {
      for await (const { id, name } of this.#runtime.objects(className)) {
        await this.#send({ class: className, id: id.toString(), name });
      }
    }
  }

  async #history(request: Of<'history'>): Promise<void> {
    const history = await this.#findPast(request);
    let from = request.at === undefined ? undefined : await findBookmark(history, request.at);
    let isContinued = false;
    for (let left = request.limit; left > 0;) {
      const skipped = isContinued ? 1 : 0;
      const limit = Math.min(left, pointsPerTurn) + skipped;
      const points = await history.points({ limit, ...(from === undefined ? {} : { from }) });
      for (const { bookmark, time, kind, bytes } of points.slice(skipped)) {
        await this.#send({ bookmark, time: time.toISOString(), kind, bytes });
        left--;
      }
      if (points.length < limit) return;
      from = points.at(-1)!.bookmark;
      isContinued = true;
    }
  }

  async #restore(request: Of<'restore'>): Promise<void> {
    const history = await this.#findPast(request);
    const bookmark = await findBookmark(history, request.at);
    const undo = await this.#change(request, () =>
      history.restore(bookmark, { onProgress: this.#onProgress }),
    );
    await this.#send({ undo });
  }

  /**
   * Lets those who keep some of the object in memory follow a change, before the client is told of it: the client may be
   * gone by then. Also if the process of the object ended meanwhile, because it may have made the change.
   */
  async #change<T>(place: ObjectPlace, work: () => Promise<T>): Promise<T> {
    const follow = (): Promise<void> => this.#parts.onChanged(place.className, this.#findId(place));
    let result: T;
    try {
      result = await work();
    } catch (error) {
      if ((error as { readonly retryable?: boolean }).retryable === true) await follow().catch(() => {});
      throw error;
    }
    await follow();
    return result;
  }

  async #export(request: Of<'export'>): Promise<void> {
    const history = await this.#findPast(request);
    const at = request.at === undefined ? {} : { at: await findBookmark(history, request.at) };
    await history.readFile(at, async ({ bookmark, bytes, pieces }) => {
      await this.#channel.send({ file: { bytes, bookmark } });
      for await (const piece of pieces) await this.#channel.sendPiece(piece.offset, piece.bytes);
    });
  }

  async #import({ bytes, walBytes, unlessChangedSince, ...place }: Of<'import'>): Promise<void> {
    const history = this.#runtime.history(this.#findId(place));
    const { bavail, bsize } = statfsSync(this.#parts.directory);
    if (bavail * bsize < bytes * 3) {
      throw new MaintenanceError(
        `there is not enough room in ${this.#parts.directory}: an import needs three times the size of its file meanwhile`,
        { code: 'ENOSPC' },
      );
    }
    const path = this.#runtime.scratchPath('upload', bytes);
    try {
      await this.#receiveFile(path, bytes);
      if (walBytes > 0) await this.#receiveFile(`${path}-wal`, walBytes);
      const condition = unlessChangedSince === undefined ? {} : { unlessChangedSince };
      const { closed: signal } = this.#channel;
      const undo = await this.#change(place, () =>
        history.importFrom(path, { ...condition, signal, onProgress: this.#onProgressOrStop }),
      );
      await this.#send({ undo });
    } catch (error) {
      if (!(error instanceof NotADatabaseError)) throw error;
      const { problem, code } = error;
      throw new MaintenanceError(`cannot import, the file is not a whole database: ${problem}`, {
        code,
        cause: error,
      });
    } finally {
      removeDatabase(path);
    }
  }

  async #receiveFile(path: string, bytes: number): Promise<void> {
    const file = await open(path, 'wx', 0o600);
    try {
      await this.#channel.send({ ready: true });
      for (let received = 0; received < bytes;) {
        const frame = await this.#channel.receive();
        if (frame === undefined || !('piece' in frame) || frame.piece.offset !== received) {
          throw new MaintenanceError('the file did not arrive as a whole', { code: 'CONNECTION_CLOSED' });
        }
        await file.write(frame.piece.bytes, 0, frame.piece.bytes.length, received);
        received += frame.piece.bytes.length;
      }
    } finally {
      await file.close();
    }
  }

  async #values(place: Of<'values'>): Promise<void> {
    const { runtime } = this.#parts;
    let isThere = false;
    for await (const [key, value] of runtime.storedValues(this.#findId(place))) {
      isThere = true;
      await this.#channel.send({ value: { key, bytes: value.length } });
      await this.#channel.sendPiece(0, value);
    }
    if (!isThere) throw createAbsent(place);
  }

  async #repair({ dryRun }: Of<'repair'>): Promise<void> {
    for await (const { object, outcome, file, problem, detail } of this.#runtime.repair({
      dryRun,
      onProgress: this.#onProgressOrStop,
    })) {
      const { className, id, name } = object ?? { className: undefined, id: undefined, name: undefined };
      await this.#send({ class: className, id, name, outcome, file, problem, detail });
    }
  }

  /** The history of an object that must exist: a mistyped name would be an empty object. */
  async #findPast(place: ObjectPlace): Promise<HistoryAccess> {
    const history = this.#runtime.history(this.#findId(place));
    if ((await history.points({ limit: 1 })).length === 0) throw createAbsent(place);
    return history;
  }

  /** Sixty-four hexadecimal digits are an id; anything else is a name. */
  #findId({ className, object }: ObjectPlace): DurableObjectId {
    const namespace = this.#runtime.namespace(className);
    return /^[0-9a-f]{64}$/i.test(object) ? namespace.idFromString(object) : namespace.idFromName(object);
  }
}

function toAction(request: Of<'cancel-alarm'> | Of<'put'> | Of<'delete'>): OperatorAction {
  if (request.do === 'put')
    return { do: 'put', key: request.key, value: Buffer.from(request.value, 'base64') };
  return request.do === 'delete' ? { do: 'delete', key: request.key } : { do: 'cancel-alarm' };
}

function createAlarmRefusal({ className, object }: ObjectPlace, state: 'none' | 'running'): MaintenanceError {
  return state === 'none'
    ? new MaintenanceError(
        `${className} ${object} has no alarm that could run: gatehouse objects alarms shows those that are set`,
        { code: 'NO_ALARM' },
      )
    : new MaintenanceError(`the alarm of ${className} ${object} is running now: wait until it has ended`, {
        code: 'ALARM_RUNNING',
      });
}

function createAbsent({ className, object }: ObjectPlace): MaintenanceError {
  return new MaintenanceError(
    `${className} has no object ${object}: gatehouse objects list ${className} shows those it has`,
    { code: 'NO_SUCH_OBJECT' },
  );
}

async function findBookmark(history: HistoryAccess, at: Moment): Promise<string> {
  return 'bookmark' in at ? at.bookmark : await history.bookmarkForTime(at.time);
}
