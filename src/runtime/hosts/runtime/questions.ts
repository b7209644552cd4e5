/**
 * The requests of the main process to the runtime in a host: the part of `ObjectRuntime` that concerns the disk of the
 * host, with places instead of ids, because an id cannot be passed from one process to another.
 */
import { VirtualClock, type DueTimer, type TimerKind } from '#base';
import type { DurableObjectId, OnProgress, OperatorAction, Progress, Runtime } from '#objects';
import { progressMs } from '../limits.ts';

/** The identity of an object, as plain data. */
export interface PlainObjectId {
  readonly className: string;
  readonly id: string;
  readonly name: string | undefined;
}

export interface QuestionParts {
  readonly runtime: Runtime;
  readonly clock: VirtualClock | undefined;
  readonly findId: (place: PlainObjectId) => DurableObjectId;
  /** Loads the classes again, with other data for the module. */
  readonly reload: (data: unknown) => Promise<unknown>;
}

/** A callback in the main process: a stub, whose calls may fail. */
export type RemoteProgress = (progress: Progress) => Promise<void>;

type WithProgress<T> = T & { readonly onProgress?: RemoteProgress };

/** The requests with one answer. */
export function createQuestions({ runtime, clock, findId, reload }: QuestionParts) {
  const history = (place: PlainObjectId) => runtime.history(findId(place));
  return {
    nameOf: (place: PlainObjectId) => runtime.nameOf(findId(place)),
    alarmTime: (place: PlainObjectId) => runtime.alarmTime(findId(place)),
    runAlarm: (place: PlainObjectId) => runtime.runAlarm(findId(place)),
    operate: (place: PlainObjectId, action: OperatorAction) => runtime.operate(findId(place), action),
    checkWritable: () => runtime.checkWritable(),
    giveBackHistory: (options: { readonly retentionMs?: number }) => runtime.giveBackHistory(options),
    currentBookmark: (place: PlainObjectId) => history(place).current(),
    bookmarkForTime: (place: PlainObjectId, time: number) => history(place).bookmarkForTime(time),
    points: (place: PlainObjectId, options: { readonly limit?: number; readonly from?: string }) =>
      history(place).points(options),
    restore: (place: PlainObjectId, bookmark: string, { onProgress }: WithProgress<object>) =>
      history(place).restore(bookmark, relay(onProgress)),
    exportTo: (
      place: PlainObjectId,
      path: string,
      { onProgress, ...rest }: WithProgress<{ readonly at?: string }>,
    ) => history(place).exportTo(path, { ...rest, ...relay(onProgress) }),
    importFrom: (
      place: PlainObjectId,
      path: string,
      {
        onProgress,
        ...rest
      }: WithProgress<{ readonly unlessChangedSince?: string; readonly signal?: AbortSignal }>,
    ) => history(place).importFrom(path, { ...rest, ...relay(onProgress) }),
    reload: (data: unknown) => reload(data),
    untilIdle: () => runtime.untilIdle(),
    nextTimer: (limit: number, kind?: TimerKind): DueTimer | undefined => {
      const timer = clock?.nextTimer(limit, kind);
      return timer && { at: timer.at, order: timer.order };
    },
    moveClock: (time: number) => clock?.moveTo(time),
    fireTimer: (timer: DueTimer) => clock?.fireTimer(timer),
  };
}

export type Questions = ReturnType<typeof createQuestions>;

/** The requests with any number of answers. */
export function createLists({ runtime, findId }: QuestionParts) {
  return {
    objects: (className: string) =>
      mapEach(runtime.objects(className), ({ id, name }) => [String(id), name] as const),
    storedValues: (place: PlainObjectId) => runtime.storedValues(findId(place)),
    alarms: () =>
      mapEach(runtime.alarms(), ({ className, id, time }) => ({ className, id: String(id), time })),
    sizes: () => mapEach(runtime.sizes(), (object) => ({ ...object, id: String(object.id) })),
    scrub: ({ onProgress }: WithProgress<object>) => runtime.scrub(relay(onProgress)),
    repair: ({
      onProgress,
      ...rest
    }: WithProgress<{ readonly dryRun?: boolean; readonly onlyMissing?: boolean }>) =>
      runtime.repair({ ...rest, ...relay(onProgress) }),
  };
}

export type Lists = ReturnType<typeof createLists>;

async function* mapEach<A, B>(items: AsyncIterable<A>, map: (item: A) => B): AsyncGenerator<B> {
  for await (const item of items) yield map(item);
}

/** Reports progress at intervals. The receiver can stop the operation by throwing: it stops at the next report. */
function relay(tell: RemoteProgress | undefined): { readonly onProgress?: OnProgress } {
  if (tell === undefined) return {};
  let toldAtMs = -Infinity;
  let refusal: { readonly error: unknown } | undefined;
  return {
    onProgress: (progress) => {
      if (refusal !== undefined) throw refusal.error;
      if (performance.now() - toldAtMs < progressMs) return;
      toldAtMs = performance.now();
      tell(progress).catch((error: unknown) => (refusal = { error }));
    },
  };
}
